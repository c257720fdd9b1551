import { describe, expect, it } from "vitest";
import { type DrawnFormat, drawGraph } from "../../../src/tools/knowledge-graph/formats/draw-graph.ts";

const GRAPH = {
  entities: [
    { id: "a", type: "file", name: "src/cart.ts", properties: { lines: 12, by: "Ann & Bob" } },
    { id: 'b "2"\\', type: "the <team>", name: '1. "Ann" & \\N' },
    { id: "c", type: "file", name: "größe.md" },
  ],
  relationships: [
    { from: "a", to: 'b "2"\\', type: "owned by", weight: 0.5 },
    { from: "c", to: "a", type: "needs", properties: { why: "<it>" } },
  ],
};

describe("drawGraph()", () => {
  it.each<[DrawnFormat, string]>([
    [
      "mermaid",
      `flowchart LR
  n0["src/cart.ts"]
  n1["1#46; #34;Ann#34; #38; #92;N"]
  n2["größe.md"]
  n0 -->|"owned by"| n1
  n2 -->|"needs"| n0
`,
    ],
    [
      "dot",
      String.raw`digraph {
  "a" [label="src/cart.ts", type="file"];
  "b \"2\"\\" [label="1. \"Ann\" &amp; \\N", type="the <team>"];
  "c" [label="größe.md", type="file"];
  "a" -> "b \"2\"\\" [label="owned by", value="0.5"];
  "c" -> "a" [label="needs"];
}
`,
    ],
    [
      "graphml",
      String.raw`<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="type" for="all" attr.name="type" attr.type="string"/>
  <key id="properties" for="all" attr.name="properties" attr.type="string"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="directed">
    <node id="a"><data key="name">src/cart.ts</data><data key="type">file</data><data key="properties">{&#34;lines&#34;:12,&#34;by&#34;:&#34;Ann &#38; Bob&#34;}</data></node>
    <node id="b &#34;2&#34;\"><data key="name">1. &#34;Ann&#34; &#38; \N</data><data key="type">the &#60;team&#62;</data></node>
    <node id="c"><data key="name">größe.md</data><data key="type">file</data></node>
    <edge source="a" target="b &#34;2&#34;\"><data key="type">owned by</data><data key="weight">0.5</data></edge>
    <edge source="c" target="a"><data key="type">needs</data><data key="properties">{&#34;why&#34;:&#34;&#60;it&#62;&#34;}</data></edge>
  </graph>
</graphml>
`,
    ],
  ])("draws a graph as %s", async (format, text) => expect(await drawGraph(format, GRAPH)).toBe(text));

  it.each([
    [String.raw`a\b`, String.raw`"a\b"`],
    [String.raw`a\\"b`, String.raw`"a\\\\\"b"`],
    [String.raw`a\\b"c"`, String.raw`"a\\b\"c\""`],
  ])("escapes the id %j in DOT", async (id, written) => {
    const entities = [{ id, type: "t", name: "n" }];
    const [, line] = (await drawGraph("dot", { entities, relationships: [] })).split("\n");
    expect(line).toBe(`  ${written} [label="n", type="t"];`);
  });

  it("replaces characters that XML forbids in GraphML, and escapes list markers in Mermaid", async () => {
    const named = (name: string) => ({ entities: [{ id: "a", type: "t", name }], relationships: [] });
    expect(await drawGraph("graphml", named("a\uffff\u0085b'"))).toContain(">a\ufffd&#133;b&#39;<");
    const drawn = async (name: string) => (await drawGraph("mermaid", named(name))).split("\n")[1];
    expect(await drawn("12. a")).toBe('  n0["12#46; a"]');
    expect(await drawn("- a")).toBe('  n0["#45; a"]');
    expect(await drawn("+ a.b-c")).toBe('  n0["#43; a.b-c"]');
    expect(await drawn("a,b:c/d@e")).toBe('  n0["a,b:c/d@e"]');
    expect(await drawn("a#b*c_d")).toBe('  n0["a#35;b#42;c#95;d"]');
  });
});
