import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Context } from "../../../../src/cli/context.ts";
import { filesOf } from "../../../../src/cli/tools/review/files.ts";
import { gitIn } from "../../../../src/cli/tools/review/git.ts";
import { workingTree } from "../../../../src/cli/tools/review/snapshot.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { added } from "../../../tools/code-review/cases.ts";

/** Returns the files that are sent for the review of some, by default `users.ts`, of a repository. */
async function sent(
  files: Record<string, string>,
  settings: Record<string, string> = {},
  reviewed: readonly string[] = ["users.ts"],
  patienceMs?: number,
) {
  const top = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(top, path), text);
  execFileSync("git", ["init", "--quiet"], { cwd: top });
  execFileSync("git", ["add", "."], { cwd: top });
  for (const [name, value] of Object.entries(settings))
    execFileSync("git", ["config", name, value], { cwd: top });
  const { signal } = new AbortController();
  const io = { workingDirectory: top, environment: process.env, interrupted: signal };
  const around = () => workingTree(top, signal, gitIn({ io } as unknown as Context));
  const text = reviewed.map((path) => added(path, files[path] as string)).join("");
  const said: string[] = [];
  const err = { line: (line: string) => said.push(line) } as unknown as Context["io"]["err"];
  const diff = { text, of: { paths: reviewed, around } };
  const { files: sent } = await filesOf(diff, { interrupted: signal, err }, patienceMs);
  return [...(sent?.map(({ path }) => path) ?? []), ...said];
}

const USERS = "export function find(id) {\n  return id;\n}";
const CALLER = 'import { find } from "./users";\nfind();\n';

describe("what is sent for a review", () => {
  it("has at most two hundred importers, those first that hold the name of what was changed", async () => {
    const each = (count: number, name: string, text: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}.ts`, text]));
    const files = {
      "users.ts": USERS,
      ...each(400, "a", 'import "./users";\n'),
      ...each(150, "b", CALLER),
    };
    const paths = (await sent(files)) ?? [];
    expect(paths.filter((path) => path.startsWith("b"))).toHaveLength(150);
    expect(paths).toHaveLength(201);
  });

  it("has none of the files that only look like importers", async () => {
    const others = {
      "a.ts": CALLER,
      "b.ts": 'const path = "./users";\nfind();\n',
      "c.ts": 'import { find } from "other/users";\n',
      "d.json": '{ "path": "./users" }',
      "e.test.ts": CALLER,
    };
    expect(await sent({ "users.ts": USERS, ...others })).toEqual(["users.ts", "a.ts"]);
  });

  it("has no importers for a change of more than ten files, or of a long one", async () => {
    const more = Array.from({ length: 10 }, (_, at) => `more${at}.ts`);
    const files = Object.fromEntries(["users.ts", ...more].map((path) => [path, USERS]));
    const few = ["users.ts", ...more.slice(1)];
    expect(await sent({ ...files, "a.ts": CALLER }, {}, few)).toEqual([...few, "a.ts"]);
    const many = ["users.ts", ...more];
    expect(await sent({ ...files, "a.ts": CALLER }, {}, many)).toEqual(many);
    const long = `${USERS}\n${"// note\n".repeat(8_000)}`;
    expect(await sent({ "users.ts": long, "a.ts": CALLER })).toEqual(["users.ts"]);
  });

  it("has no importers where git searches for too long, which is said", async () => {
    const slow = await sent({ "users.ts": USERS, "a.ts": CALLER }, {}, ["users.ts"], 0);
    expect(slow).toEqual([
      "users.ts",
      "Who calls what changed was not looked up: git searched for it for 0 s.",
    ]);
  });

  it.each(["LITERAL", "GLOB", "NOGLOB", "ICASE"])(
    "is the same where the editor around sets GIT_%s_PATHSPECS",
    async (kind) => {
      vi.stubEnv(`GIT_${kind}_PATHSPECS`, "1");
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await sent({ "users.ts": USERS, "a.ts": CALLER })).toEqual(["users.ts", "a.ts"]);
    },
  );

  it("is the same however git is set up", async () => {
    const settings = {
      "color.ui": "always",
      "color.grep": "always",
      "grep.patternType": "fixed",
      "grep.lineNumber": "true",
      "submodule.recurse": "true",
    };
    expect(await sent({ "users.ts": USERS, "a.ts": CALLER }, settings)).toEqual(["users.ts", "a.ts"]);
  });
});
