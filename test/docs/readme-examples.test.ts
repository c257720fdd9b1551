import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { user } from "../cli/support/tool.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** A server that does not exist, since these tools need none. */
const NOWHERE = { TOOL_BASE_URL: "http://127.0.0.1:9" };

/** Expected output of the README's commands on this repository. */
const ANSWERS: Record<string, { says: RegExp; code?: number; instead?: string[] }> = {
  // Reviews no changes, since the working tree may have any.
  "tool review": { says: /./s, instead: ["review", "HEAD", "HEAD"] },
  "tool diagnose -- npm test": {
    says: /Cannot find module '\.\/nothing\.js'/,
    code: 1,
    // `npm test` would run this test again.
    instead: ["diagnose", "--", process.execPath, "--eval", "require('./nothing.js')"],
  },
  "tool graph impact src/api.ts": {
    says: /^\d+ files depend on src\/api\.ts[\s\S]+src\/client\/routes\.ts[\s\S]+npm test/,
  },
  "tool locate where are refresh tokens rotated": { says: /^src\/oauth\/tokens\/refresh-token-grant\.ts\n/ },
  'tool context --budget 4000 --query "how are limits counted"': {
    says: /^==> src\/server\/pipeline\/enforce-limits\.ts:\d+-\d+ <==$/m,
  },
  // Without a terminal to ask on, it changes nothing.
  "tool mcp install --client cursor": { says: /"mcpServers"/, code: 2 },
};

const commands = [...readFileSync(resolve(ROOT, "README.md"), "utf8").matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = ""]) => block)
  .filter((block) => block.includes("tool locate"))
  .flatMap((block) => block.trimEnd().split("\n"))
  .map((line) => line.replace(/\s+#.*$/, "").replace(/^npx /, ""));

describe("the tool commands of the README, without a server", () => {
  it("are exactly those that this file runs", () => {
    expect(commands).toEqual(Object.keys(ANSWERS));
  });

  it.each(commands)("work on this repository: %s", async (command) => {
    const { says, code = 0, instead } = ANSWERS[command] as (typeof ANSWERS)[string];
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    const finished = await user(NOWHERE).start(instead ?? words.slice(1), {}, ROOT).finished;
    expect(finished.stdout + finished.stderr).toMatch(says);
    expect(finished.code).toBe(code);
  });
});
