import type { Facts } from "../../facts.ts";
import { named } from "../definitions.ts";
import { layoutOf } from "../layout.ts";
import { blankDart } from "./blank-dart.ts";
import { dartDefinitions } from "./dart-definitions.ts";
import { directivesIn } from "./directives.ts";

/** Reads a Dart file. A library with a name declares it, and a part names the library that it belongs to. */
export function readDart(text: string): Facts {
  const code = blankDart(text);
  const { uris, library, partOf } = directivesIn(text, code);
  return {
    imports: uris.map((module) => ({ module })),
    definitions: named(dartDefinitions(layoutOf(code)), ["class", "enum"]),
    ...(library !== undefined && { declares: [library] }),
    ...(partOf !== undefined && { package: partOf }),
  };
}
