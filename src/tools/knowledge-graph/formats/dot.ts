import type { LineFormat } from "./line-format.ts";

/** https://graphviz.org/doc/info/lang.html */
export const dot: LineFormat = {
  contentType: "text/vnd.graphviz; charset=utf-8",
  head: ["digraph {"],
  entity: ({ id, name, type }) => `  ${string(id)} [label=${label(name)}, type=${string(type)}];`,
  relationship({ from, to, type, weight }) {
    const value = weight === undefined ? "" : `, value="${weight}"`;
    return `  ${string(from)} -> ${string(to)} [label=${label(type)}${value}];`;
  },
  foot: ["}"],
};

/** Quotes a string. Quotes are escaped. Backslashes are literal, and doubled only before a quote. */
function string(value: string): string {
  return `"${value.replace(/\\+(?="|$)/g, "$&$&").replaceAll('"', '\\"')}"`;
}

/** Quotes a label, in which Graphviz also reads escapes such as `\N` and references such as `&amp;`. */
function label(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&").replaceAll("&", "&amp;")}"`;
}
