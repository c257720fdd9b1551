import type { LineFormat } from "./line-format.ts";

/** http://graphml.graphdrawing.org/specification.html */
export const graphml: LineFormat = {
  contentType: "application/graphml+xml; charset=utf-8",
  head: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key("name", "node", "string"),
    key("type", "all", "string"),
    key("properties", "all", "string"),
    key("weight", "edge", "double"),
    '  <graph edgedefault="directed">',
  ],
  entity({ id, name, type, properties }) {
    const members = { name, type, properties: jsonOf(properties) };
    return `    <node id="${text(id)}">${data(members)}</node>`;
  },
  relationship({ from, to, type, weight, properties }) {
    const members = { type, weight, properties: jsonOf(properties) };
    return `    <edge source="${text(from)}" target="${text(to)}">${data(members)}</edge>`;
  },
  foot: ["  </graph>", "</graphml>"],
};

function key(name: string, domain: string, type: string): string {
  return `  <key id="${name}" for="${domain}" attr.name="${name}" attr.type="${type}"/>`;
}

function jsonOf(properties: Record<string, unknown>): string | undefined {
  return Object.keys(properties).length > 0 ? JSON.stringify(properties) : undefined;
}

function data(members: Record<string, string | number | undefined>): string {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<data key="${name}">${text(String(value))}</data>`)
    .join("");
}

/**
 * Escapes text. XML 1.0 §2.2 does not allow U+FFFE and U+FFFF, nor controls, which names and JSON text do not contain.
 */
function text(value: string): string {
  return value
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'\u007f-\u009f]/g, (character) => `&#${character.charCodeAt(0)};`);
}
