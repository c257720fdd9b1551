import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/open-repository.ts";
import { directoryWith } from "./directory.ts";

describe("paths to uncommitted JavaScript build output", () => {
  it("resolve to the source files", async () => {
    const directory = directoryWith({
      "parts/pen/package.json": '{ "name": "pen", "main": "lib/index.js" }',
      "parts/pen/src/index.ts": "",
      "parts/pen/src/ink/blue.ts": "",
      "parts/pen/test/pen.js":
        "import pen from '../lib/index.js'; import blue from '../lib/ink/blue.js'; import red from '../lib/ink/red.js'",
      "parts/ink/package.json": '{ "name": "ink" }',
      "parts/ink/test/ink.js": "import '../../pen/dist/ink/blue'; import '../drafts/index.js'",
      "parts/ink/src/index.ts": "",
      "parts/old/package.json": '{ "name": "old" }',
      "parts/old/lib/index.js": "require('./gone')",
      "parts/old/gone.js": "",
    });
    const { edges, missing } = await openRepository(directory);
    expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "parts/ink/test/ink.js → parts/pen/src/ink/blue.ts",
      "parts/pen/test/pen.js → parts/pen/src/index.ts",
      "parts/pen/test/pen.js → parts/pen/src/ink/blue.ts",
    ]);
    expect(missing.map(({ module }) => module)).toEqual([
      "../drafts/index.js",
      "./gone",
      "../lib/ink/red.js",
    ]);
  });
});
