import type { Facts } from "../../facts.ts";
import { spaces } from "../blank.ts";
import { within } from "../classes/namespace-table.ts";
import { named } from "../definitions.ts";
import { layoutOf } from "../layout.ts";
import { blankScala } from "./blank-scala.ts";
import { scalaDefinitions } from "./scala-definitions.ts";
import { IMPORTS, scalaImports } from "./scala-imports.ts";
import { scalaUses } from "./scala-uses.ts";

const PACKAGE = /(?<![.\w$])package[ \t]+(?!object\b)[^\s;{]+/g;

/** Reads a Scala file, of version 2 or 3. Of a script, only imports and definitions. */
export function readScala(text: string, path: string): Facts {
  const code = blankScala(text);
  const { clauses, found } = scalaDefinitions(layoutOf(code), text);
  const own = new Set(found.flatMap(({ name, isOfPackage }) => (isOfPackage ? [] : name)));
  const body = layoutOf(
    [IMPORTS, PACKAGE].reduce((rest, heads) => rest.replace(heads, (head) => spaces(head)), code),
  );
  const declares = found.flatMap(({ name, package: of, isExtension }) =>
    of === undefined ? [] : within(of, isExtension ? `.${name}` : name),
  );
  const around = clauses.slice(0, -1).toReversed();
  const facts = {
    imports: scalaImports(code, text),
    definitions: named(
      found
        .filter(
          ({ kind, isMember, package: of }) =>
            isMember && (of !== undefined || (kind !== "value" && kind !== "type")),
        )
        .map(({ package: _, isExtension, isMember, isOfPackage, ...each }) => each),
      ["class", "interface", "enum"],
    ),
  };
  if (path.endsWith(".sc")) return facts;
  return {
    ...facts,
    package: clauses.at(-1) ?? "",
    ...(around.length > 0 && { around }),
    declares: [...new Set(declares)],
    uses: scalaUses(body, text).filter((name) => !own.has(name.replace(/(?!^)\..*/, ""))),
  };
}
