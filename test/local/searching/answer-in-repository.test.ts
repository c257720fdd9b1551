import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerLocally } from "../../../src/local/answer-locally.ts";
import type { RepositoryFiles } from "../../../src/local/searching/searched-repository.ts";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../../repository/directory.ts";
import { temporaryDirectory } from "../../support/store.ts";

const LOCATE = "POST /api/v1/tools/context/locate";
const OPTIMIZE = "POST /api/v1/tools/context/optimize";
const body = (name: string, word: string) =>
  `export function ${name}() {\n  const value = "${word}";\n  return value;\n}\n`;

const FILES = {
  "src/headers.ts": body("parseHeader", "header"),
  "src/cache.ts": body("evictEntry", "cache"),
  "docs/guide.md": "# Headers\n\nThey are parsed from text.\n",
};

async function files(directory: string, cacheDirectory: string): Promise<RepositoryFiles> {
  const { top, files } = await openRepository(directory, { cacheDirectory });
  return { top, cacheDirectory, files: [...files.values()].map((file) => ({ ...file, id: file.path })) };
}

describe("answerLocally() with a repository", () => {
  it("answers as for segments: at first, from the cache, and after changes", async () => {
    const directory = directoryWith(FILES);
    const cache = temporaryDirectory();
    const query = "where is a header parsed";
    const both = async () => {
      const { files: all, ...rest } = await files(directory, cache);
      const text = async (path: string) => (await openRepository(directory)).text(path) ?? "";
      const segments = await Promise.all(
        all.map(async ({ path }) => ({ id: path, content: await text(path) })),
      );
      return [
        await answerLocally({
          route: LOCATE,
          input: { query, limit: 10 },
          repository: { files: all, ...rest },
        }),
        await answerLocally({ route: LOCATE, input: { query, limit: 10, segments } }),
      ];
    };
    const first = await both();
    expect(first[0]).toBe(first[1]);
    expect(JSON.parse(first[0] as string).files[0].path).toBe("src/headers.ts");
    expect(readdirSync(join(cache, "searches"))).toHaveLength(1);
    expect(await both()).toEqual(first);
    writeFileSync(join(directory, "src/cache.ts"), body("parseHeaderAgain", "header"));
    renameSync(join(directory, "src/headers.ts"), join(directory, "src/entries.ts"));
    rmSync(join(directory, "docs/guide.md"));
    const [kept, anew] = await both();
    expect(kept).toBe(anew);
    expect(JSON.parse(kept as string).files.map(({ path }: { path: string }) => path)).toEqual([
      "src/cache.ts",
      "src/entries.ts",
    ]);
  });

  it("searches the segments of the request, and only the files with an id", async () => {
    const repository = await files(directoryWith(FILES), temporaryDirectory());
    const narrowed = {
      ...repository,
      files: repository.files.map(({ path, hash }) =>
        path === "src/cache.ts" ? { path, hash, id: path } : { path, hash },
      ),
    };
    const segments = [{ id: "-", content: body("readHeader", "header") }];
    const input = { query: "header or cache", segments, limit: 10 };
    const { files: found, searched } = JSON.parse(
      await answerLocally({ route: LOCATE, input, repository: narrowed }),
    );
    expect(found.map(({ path }: { path: string }) => path).sort()).toEqual(["-", "src/cache.ts"]);
    expect(searched.files).toBe(2);
  });

  it("reads only likely files for a token budget, and keeps the best of them", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `src/part${index}.ts`,
        body(`part${index}`, "entry").repeat(20),
      ]),
    );
    const repository = await files(directoryWith({ ...FILES, ...many }), temporaryDirectory());
    const input = { query: "parse header part7", budget: { maxTokens: 2500 } };
    const { segments, tokens, method } = JSON.parse(
      await answerLocally({ route: OPTIMIZE, input, repository }),
    );
    const ids = segments.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(["src/headers.ts", "src/part7.ts"]));
    expect(tokens.after).toBeLessThanOrEqual(2500);
    expect(tokens.before).toBeLessThan(60_000);
    expect(method).toBe("retrieval");
  });

  it("takes all files for a ratio, or without a query, and otherwise only those with a word of it", async () => {
    const repository = await files(directoryWith(FILES), temporaryDirectory());
    const idsFor = async (input: object) => {
      const answer = JSON.parse(await answerLocally({ route: OPTIMIZE, input, repository }));
      return answer.segments.map(({ id }: { id: string }) => id).sort();
    };
    const all = Object.keys(FILES).sort();
    const [ratio, tokens] = [{ budget: { ratio: 1 } }, { budget: { maxTokens: 10_000 } }];
    const query = "where is the cache";
    expect(await idsFor(ratio)).toEqual(all);
    expect(await idsFor({ ...ratio, query })).toEqual(all);
    expect(await idsFor(tokens)).toEqual(all);
    expect(await idsFor({ ...tokens, query: " " })).toEqual(all);
    expect(await idsFor({ ...tokens, query })).toEqual(["src/cache.ts"]);
  });

  it("refuses invalid input as for segments", async () => {
    const repository = await files(directoryWith(FILES), temporaryDirectory());
    const asked = answerLocally({ route: LOCATE, input: { query: "", other: 1 }, repository });
    await expect(asked).rejects.toMatchObject({ error: "invalid_request" });
  });
});
