import type { LineFormat } from "./line-format.ts";

/** https://mermaid.js.org/syntax/flowchart.html: nodes are numbered, since their names may hold little. */
export const mermaid: LineFormat = {
  contentType: "application/vnd.mermaid; charset=utf-8",
  head: ["flowchart LR"],
  entity: ({ name }, number) => `  n${number}["${text(name)}"]`,
  relationship: ({ type }, from, to) => `  n${from} -->|"${text(type)}"| n${to}`,
  foot: [],
};

/** What Mermaid, Markdown (`1. ` begins a list) or HTML could take for its own becomes a reference: `#35;`. */
function text(value: string): string {
  return value.replace(
    /[^\p{L}\p{M}\p{N} .,:/@+-]|(?<=^\d*)[.+-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
