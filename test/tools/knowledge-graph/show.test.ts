import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dot } from "../../../src/tools/knowledge-graph/formats/dot.ts";
import { graphml } from "../../../src/tools/knowledge-graph/formats/graphml.ts";
import { mermaid } from "../../../src/tools/knowledge-graph/formats/mermaid.ts";
import { openGraph } from "./graph.ts";

const AWKWARD = `a "quoted" <b>&amp; \\n #35; \`x\` [y] {z} | end; %% 'q' \\`;

describe("GET /knowledge-graph", () => {
  it("shows an empty graph", async () => {
    const { show } = await openGraph();
    expect(await show()).toEqual({
      entities: [],
      relationships: [],
      counts: { entities: 0, relationships: 0 },
      updatedAt: null,
    });
  });

  it("shows entities sorted by id, relationships, counts and the newest time", async () => {
    const { relate, send, show } = await openGraph();
    await relate("b calls a", "a owns c");
    const { body } = await send("POST", "/entity", {
      body: { id: "b", type: "service", name: "B", properties: { x: 1 } },
    });
    const graph = await show();
    expect(graph.entities.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(graph.entities[1]).toEqual(body.entity);
    const lines = graph.relationships.map(({ from, type, to }) => `${from} ${type} ${to}`);
    expect(lines.sort()).toEqual(["a owns c", "b calls a"]);
    expect(graph.counts).toEqual({ entities: 3, relationships: 2 });
    expect(graph.updatedAt).toBe(body.entity.updatedAt);
  });

  it("shows 20,000 entities after another client aborted its request", async () => {
    const { app, send, show } = await openGraph();
    const entities = Array.from({ length: 20_000 }, (_, index) => ({
      id: `e${index}`,
      type: "node",
      name: `entity ${index}`,
      properties: { text: "x".repeat(100) },
    }));
    await send("POST", "/import", { body: { entities } });
    const going = new AbortController();
    const leaving = await fetch(`${app.url}/api/v1/tools/knowledge-graph`, {
      headers: { Authorization: "Bearer owner-key-for-tests-0123456789abcdef" },
      signal: going.signal,
    });
    await leaving.body?.getReader().read();
    going.abort();
    const graph = await show();
    expect(graph.counts).toEqual({ entities: 20_000, relationships: 0 });
    expect(new Set(graph.entities.map(({ id }) => id)).size).toBe(20_000);
  });

  it.each([
    [
      "mermaid",
      "application/vnd.mermaid; charset=utf-8",
      /^flowchart LR\n {2}n0\["a"\]\n {2}n1\["b"\]\n {2}n0 -->\|"calls"\| n1\n$/,
    ],
    [
      "dot",
      "text/vnd.graphviz; charset=utf-8",
      /^digraph \{\n {2}"a" \[label="a", type="node"\];\n(?:.*\n)* {2}"a" -> "b" \[label="calls"\];\n\}\n$/,
    ],
    [
      "graphml",
      "application/graphml+xml; charset=utf-8",
      /<edge source="a" target="b"><data key="type">calls<\/data><\/edge>/,
    ],
  ])("shows the graph as %s", async (format, type, pattern) => {
    const { relate, send } = await openGraph();
    await relate("a calls b");
    const response = await send("GET", `?format=${format}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(response.text).toMatch(pattern);
  });

  it("refuses an unknown format", async () => {
    const { send } = await openGraph();
    const response = await send("GET", "?format=pdf");
    expect([response.status, response.body.errors[0].path]).toEqual([400, "format"]);
  });

  it("shows only relationships with both ends while entities are deleted", async () => {
    const { relate, send, show } = await openGraph();
    const pairs = Array.from({ length: 30 }, (_, index) => `from-${index} to to-${index}`);
    await relate(...pairs);
    const deletions = pairs.map((_, index) => send("DELETE", `/entity/from-${index}`));
    const shown = await Promise.all(Array.from({ length: 5 }, () => show()));
    await Promise.all(deletions);
    for (const { entities, relationships } of [...shown, await show()]) {
      const ids = new Set(entities.map(({ id }) => id));
      for (const { from, to } of relationships) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
    }
    expect((await show()).counts).toEqual({ entities: 30, relationships: 0 });
  });
});

describe("the formats", () => {
  const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
  const entity = (id: string, name: string) => ({
    id,
    type: "t",
    name,
    properties: { text: AWKWARD },
    ...times,
  });
  /** Text that ids and names may contain. */
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain these
    .filter((text) => !/[\u0000-\u001f\u007f-\u009f]/.test(text) && text.isWellFormed());
  const awkward = fc.string({
    unit: fc.constantFrom("\\", '"', "a", "<", "&", ";", "#", "]]>", "\uffff"),
    minLength: 1,
  });

  it("dot writes ids and labels that can be read back by the rules of DOT", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          name,
          awkward.map((text) => text.replaceAll("]]>", "]")),
        ),
        (text) => {
          const line = dot.entity(entity(text, text), 0);
          const strings = [...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((match) => match[1] as string);
          expect(line.replace(/"((?:\\.|[^"\\])*)"/g, "S")).toBe("  S [label=S, type=S];");
          const [id = "", label = ""] = strings;
          const read = label.replace(/\\(.)/g, "$1").replaceAll("&amp;", "&");
          expect(read).toBe(text);
          // DOT cannot express a backslash at the end of a string or before a quote. It is doubled there.
          const doubled = text.replace(/\\+(?="|$)/g, "$&$&");
          expect(id.replaceAll('\\"', '"')).toBe(doubled);
        },
      ),
    );
  });

  it("mermaid escapes all characters that could end a label or begin markup or a reference", () => {
    fc.assert(
      fc.property(fc.oneof(name, awkward), (text) => {
        const line = mermaid.entity(entity("a", text), 7);
        const label = /^ {2}n7\["([^"]*)"\]$/.exec(line)?.[1] as string;
        expect(label.replace(/#\d+;/g, "")).not.toMatch(/[<>&"`#;[\](){}|%\\*_~]/);
        expect(label.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))).toBe(text);
      }),
    );
  });

  it("graphml escapes all special characters of XML", () => {
    fc.assert(
      fc.property(fc.oneof(name, awkward), (text) => {
        const line = graphml.entity(entity(text, text), 0);
        const [, id = "", label = ""] =
          /^ {4}<node id="([^"<>']*)"><data key="name">([^"<>']*)<\/data>/.exec(line) ?? [];
        const read = (escaped: string) =>
          escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        expect([read(id), read(label)]).toEqual(Array(2).fill(text.replace(/[\ufffe\uffff]/g, "\ufffd")));
      }),
    );
  });

  it.skipIf(!hasPython())("graphml is well-formed for an XML parser (skipped without python3)", async () => {
    const { send } = await openGraph();
    const entities = [AWKWARD, "日本 😀 \uffff"].map((id) => ({
      id,
      type: "t",
      name: id,
      properties: { text: `${id}\u0001` },
    }));
    const [first, second] = entities.map(({ id }) => id.trim());
    const body = { entities, relationships: [{ from: first, to: second, type: AWKWARD, weight: 0.5 }] };
    expect((await send("POST", "/import", { body })).status).toBe(200);
    const { text } = await send("GET", "?format=graphml");
    const script = `import sys, json, xml.etree.ElementTree as E
root = E.fromstring(sys.stdin.buffer.read())
N = "{http://graphml.graphdrawing.org/xmlns}"
edge = root.find(f"{N}graph/{N}edge")
print(json.dumps([[n.get("id") for n in root.iter(N + "node")], edge.get("source"), [d.text for d in edge]]))`;
    const [ids, source, data] = JSON.parse(
      execFileSync("python3", ["-c", script], { input: text, encoding: "utf8" }),
    );
    expect(ids).toEqual([first, second?.replace("\uffff", "\ufffd")]);
    expect([source, data]).toEqual([first, [AWKWARD.trim(), "0.5"]]);
  });
});

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
}
