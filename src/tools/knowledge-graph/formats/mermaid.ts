import type { LineFormat } from "./line-format.ts";

/**
 * https://mermaid.js.org/syntax/flowchart.html: nodes are numbered, since few characters are allowed in their names.
 */
export const mermaid: LineFormat = {
  contentType: "application/vnd.mermaid; charset=utf-8",
  head: ["flowchart LR"],
  entity: ({ name }, number) => `  n${number}["${text(name)}"]`,
  relationship: ({ type }, from, to) => `  n${from} -->|"${text(type)}"| n${to}`,
  foot: [],
};

/** Escapes what Mermaid, Markdown (`1. ` begins a list) or HTML could interpret, as a reference: `#35;`. */
function text(value: string): string {
  return value.replace(
    /[^\p{L}\p{M}\p{N} .,:/@+-]|(?<=^\d*)[.+-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
