import { addTo } from "../../add-to.ts";
import type { Facts, Import, TypePart } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { spaces } from "../blank.ts";
import { within } from "../classes/namespace-table.ts";
import { named } from "../definitions.ts";
import { layoutOf } from "../layout.ts";
import { blankSwift } from "./blank-swift.ts";
import { type SwiftDefinition, swiftDefinitions } from "./swift-definitions.ts";
import { swiftUses } from "./swift-uses.ts";

const IMPORT = inAnyScript(
  /(?:^|;)[ \t]*((?:@\w+(?:\([^()\n]*\))?\s+)*)(?:(?:public|package|internal|private|fileprivate)\s+)?import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor|macro)[ \t]+)?([A-Za-z_]\w*)(?:\.\w+)*/gm,
);

/**
 * Reads a Swift file. It declares what stands outside types; what types and their extensions have is in `parts`, with
 * names such as `Basket.Item`. Names in use may be of any file of the module, or of one that is imported.
 */
export function readSwift(text: string): Facts {
  const whole = blankSwift(text);
  const code = whole.replace(IMPORT, (line) => spaces(line));
  const layout = layoutOf(code);
  const found = swiftDefinitions(layout, text);
  const imports = importsOf(whole);
  const declared = found.filter(
    ({ holder, isVisible, isExtension }) => holder === "" && isVisible && !isExtension,
  );
  const own = new Set(found.flatMap(({ name, isExtension }) => (isExtension ? [] : name)));
  const uses = swiftUses(code);
  return {
    imports,
    definitions: named(
      found
        .filter(({ kind }) => kind !== "value" && kind !== "type")
        .map(({ holder, isMember, isVisible, isExtension, ...each }) => each),
      ["class", "interface", "enum"],
    ),
    declares: [...new Set(declared.map(({ name }) => name))],
    uses: uses.filter((name) => !own.has(name.replace(/(?!^)\..*/, ""))),
    parts: partsOf(found),
  };
}

function importsOf(code: string): Import[] {
  return [...code.matchAll(IMPORT)].map(([, attributes = "", module = ""]) => ({
    module,
    ...(/@_exported/.test(attributes) && { isGlobal: true }),
  }));
}

/** Returns the types that a file declares or extends, and their members. */
function partsOf(found: readonly SwiftDefinition[]): TypePart[] {
  const members = new Map<string, string[]>();
  for (const { name, kind, holder, isMember, isVisible, isExtension } of found) {
    if (!isMember) continue;
    const isType = kind === "class" || kind === "interface" || kind === "enum";
    if (isType && !members.has(within(holder, name))) members.set(within(holder, name), []);
    if (holder !== "" && isVisible && !isExtension && name !== "init") addTo(members, holder, name);
  }
  return [...members].map(([type, own]) => ({ type, members: [...new Set(own)] }));
}
