import { describe, expect, it } from "vitest";
import { locate } from "../../../../src/tools/context-optimizer/retrieval/locate.ts";

const FILES = {
  "src/headers.ts":
    "export function parseHeader(text: string) {\n  return text.split(':');\n}\n\nexport function writeHeader() {\n  return 1;\n}\n",
  "src/body.ts": "export function readBody() {\n  return parseHeader('x');\n}\n",
  "src/cache.ts": "export class Cache {\n  evict() {\n    return 2;\n  }\n}\n",
  "test/headers.test.ts": "it('parses a header', () => {\n  expect(parseHeader('a: b')).toEqual(1);\n});\n",
  "docs/guide.md": "# Caching\n\nHow pages are kept.\n",
};

function ask(query: string, limit = 10) {
  const segments = Object.entries(FILES).map(([id, content]) => ({
    id,
    content,
    priority: 0,
    pinned: false,
  }));
  return locate({ query, segments, limit });
}

describe("locate", () => {
  it("finds what declares a name first, with its lines", () => {
    const { files, searched } = ask("TypeError: parseHeader fails where a header is empty");
    expect(files[0]).toMatchObject({ path: "src/headers.ts", score: 1 });
    expect(files[0]?.symbols[0]).toMatchObject({ name: "parseHeader", from: 1, to: 4 });
    expect(files[0]?.reasons).toContain("Its path has header.");
    expect(searched.files).toBe(5);
  });

  it("puts tests behind what they test, unless they are asked for", () => {
    const order = (query: string) => ask(query).files.map(({ path }) => path);
    const plain = order("parse a header");
    expect(plain.indexOf("test/headers.test.ts")).toBeGreaterThan(plain.indexOf("src/headers.ts"));
    expect(order("the test that parses a header")[0]).toBe("test/headers.test.ts");
  });

  it("reads the places that a stack trace names, wherever it was installed", () => {
    const { files } = ask("Error: boom\n    at Cache.evict (/srv/app/src/cache.ts:3:12)");
    expect(files[0]?.path).toBe("src/cache.ts");
    expect(files[0]?.reasons[0]).toBe("The text names /srv/app/src/cache.ts:3.");
    expect(files[0]?.symbols[0]?.name).toBe("Cache.evict");
  });

  it("names none that has nothing of the query, and no more than asked for", () => {
    expect(ask("zebra crossing").files).toEqual([]);
    expect(ask("header", 1).files).toHaveLength(1);
  });
});
