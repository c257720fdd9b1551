import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { overStdio, textOf } from "./support/sessions.ts";

const NOWHERE = { url: "http://127.0.0.1:9" };
const FILES = {
  "package.json": '{"scripts":{"test":"vitest"},"devDependencies":{"vitest":"4"}}',
  "src/headers.ts": "export function parseHeader(text: string) {\n  return text;\n}\n",
  "src/server.ts":
    'import { parseHeader } from "./headers.ts";\n\nexport const serve = () => parseHeader("");\n',
  "src/headers.test.ts": 'import { parseHeader } from "./headers.ts";\n\nparseHeader("");\n',
  "lib/headers.ex": "defmodule Headers do\nend\n",
  "notes.secret": "parse a header",
  ".gitignore": "*.secret\n.cache\n.local\n.config\n",
};

async function session() {
  const { home, ...rest } = await overStdio(NOWHERE, { key: null });
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const git = (...words: string[]) => execFileSync("git", words, { cwd: home });
  git("init", "--quiet");
  return { git, ...rest };
}

it("the repository tools answer about their working directory without a server or a credential", async () => {
  const { call, names } = await session();
  expect(await names()).toEqual(
    expect.arrayContaining(["repository_locate", "repository_context", "repository_impact"]),
  );

  const located = await call("repository_locate", { query: "where is a header parsed" });
  expect(located.structuredContent).toMatchObject({
    files: expect.arrayContaining([expect.objectContaining({ path: "src/headers.ts" })]),
  });
  expect(textOf(located)).not.toContain('secret"');

  const context = await call("repository_context", { query: "parse a header", maxTokens: 500 });
  expect((context.structuredContent as { text: string }).text).toMatch(
    /^==> src\/headers\.ts(?::1-3)? <==\nexport function parseHeader/m,
  );

  const impact = await call("repository_impact", { file: "headers.ts" });
  expect(impact.structuredContent).toMatchObject({
    files: [
      { file: "src/headers.test.ts", test: true, distance: 1 },
      { file: "src/server.ts", test: false, distance: 1 },
    ],
    left: 0,
    leftOut: { absent: 0 },
    notFollowed: [],
    testCommands: [expect.objectContaining({ command: expect.stringContaining("vitest") })],
  });
  const unknown = await call("repository_impact", { file: "headers.ex" });
  expect(unknown.structuredContent).toMatchObject({
    files: [],
    notFollowed: [{ language: "Elixir", files: 1 }],
  });
  const changed = await call("repository_impact");
  expect(changed.structuredContent).toMatchObject({ changed: expect.arrayContaining(["src/headers.ts"]) });
});

it("the repository tools say how many files a sparse checkout leaves out", async () => {
  const { call, git } = await session();
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "one");
  git("sparse-checkout", "set", "src");
  for (const given of [{ file: "headers.ts" }, {}]) {
    const impact = await call("repository_impact", given);
    expect(impact.structuredContent).toMatchObject({ leftOut: { absent: 1 } });
  }
});

it("the repository tools refuse paths outside the repository, ignored files and wrong arguments", async () => {
  const { call } = await session();
  for (const path of ["/etc/passwd", "../..", "notes.secret"]) {
    const answer = await call("repository_locate", { query: "parse a header", in: [path] });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(path);
    expect(textOf(answer)).not.toContain("root:");
  }
  expect(textOf(await call("repository_impact", { file: "nothing.ts" }))).toContain("has no file nothing.ts");
  expect(textOf(await call("repository_context", { query: "a", budget: 7 }))).toContain("budget");
});

it("the repository tools answer many calls at once, of which few read the repository at a time", async () => {
  const { call, errors } = await session();
  const calls = Array.from({ length: 16 }, (_, index) =>
    call("repository_locate", { query: `header ${index}` }),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  // Node warns of more than ten at work, who all listen for the end of the session.
  expect(errors()).not.toMatch(/Warning/);
});
