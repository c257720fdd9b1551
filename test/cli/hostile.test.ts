import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { runProgram } from "../../src/cli/program.ts";
import { temporaryDirectory } from "../support/store.ts";
import { HOSTILE, hostileServer, type Manner } from "./support/hostile-server.ts";
import { hostileIn } from "./support/hostile-text.ts";
import { testIo } from "./support/io.ts";

const DIFF = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,2 @@\n+eval("${HOSTILE.replaceAll(/[\n"\\]/g, " ")}");\n`;
const WEBHOOK = `whk_${"0".repeat(26)}`;
const TASKS = JSON.stringify({ tasks: [{ id: "a", durationMs: 1 }] });
const METRICS = JSON.stringify({ m: [{ at: "2026-01-15T12:00:00Z", value: 1 }] });

/** Arguments for each command that talks to a server or reads foreign text, by its name. */
const CALLS: Readonly<Record<string, { words?: string[]; stdin?: string }>> = {
  login: { words: ["--no-browser"] },
  logout: {},
  whoami: {},
  "auth status": {},
  "auth switch": {},
  "auth refresh": { words: ["--no-browser"] },
  "auth token": {},
  track: { words: ["api_calls"] },
  "events record": { words: [HOSTILE] },
  "events list": {},
  "events flush": {},
  "events discard": {},
  entitlements: { words: ["--check", HOSTILE] },
  usage: {},
  review: { words: ["-"], stdin: DIFF },
  "memory store": { words: [HOSTILE] },
  "memory recall": { words: [HOSTILE] },
  "memory list": {},
  "memory show": { words: [HOSTILE] },
  "memory correct": { words: [HOSTILE, HOSTILE] },
  "memory stats": {},
  "memory forget": { words: [HOSTILE] },
  context: { words: ["hostile.txt", "--budget", "100"] },
  locate: { words: ["evil", "--in", "hostile.txt"] },
  "graph add": { words: [HOSTILE, "--type", "x"] },
  "graph link": { words: [HOSTILE, "x", "b"] },
  "graph search": { words: [HOSTILE] },
  "graph impact": { words: [HOSTILE] },
  "graph path": { words: [HOSTILE, "b"] },
  "graph show": {},
  "graph import": { words: ["graph.json"] },
  "graph scan": { words: ["."] },
  "anomalies analyze": { words: ["-"], stdin: METRICS },
  "anomalies history": { words: ["--limit", "1"] },
  "anomalies reopen": { words: [HOSTILE] },
  "anomalies dismiss": { words: [HOSTILE] },
  "anomalies apply": { words: [HOSTILE] },
  "anomalies settings": {},
  "models list": {},
  "models select": { words: [HOSTILE] },
  "models outcome": { words: ["a/b", "success", "--kind", "chat"] },
  "scheduler plan": { words: ["-"], stdin: TASKS },
  diagnose: { words: ["-"], stdin: HOSTILE },
  "self-healing record": { words: [HOSTILE, "success"] },
  "self-healing show": { words: [HOSTILE] },
  "self-healing delete": { words: [HOSTILE] },
  "self-healing history": { words: ["--limit", "1"] },
  "observability config": {},
  "observability errors": { words: ["--limit", "1"] },
  "errors list": { words: ["--limit", "1"] },
  "errors show": { words: [HOSTILE] },
  "errors resolve": { words: [HOSTILE] },
  "errors ignore": { words: [HOSTILE] },
  "errors reopen": { words: [HOSTILE] },
  "errors delete": { words: [HOSTILE] },
  "sourcemaps list": { words: ["--limit", "1"] },
  "sourcemaps delete": { words: [HOSTILE] },
  "pair start": { words: ["hostile.txt", "--with", "bob"] },
  "pair list": {},
  "pair show": { words: ["s"] },
  "pair change": { words: ["s", "hostile.txt"] },
  "pair handoff": { words: ["s"] },
  "pair watch": { words: ["s"] },
  "pair end": { words: ["s"] },
  "learning insights": {},
  "learning benchmark": { words: ["build_time", "3"] },
  "learning pattern": { words: ["t", "d", "--category", "build"] },
  doctor: {},
  "keys create": { words: [HOSTILE] },
  "keys list": { words: ["--limit", "1"] },
  "keys show": { words: [HOSTILE] },
  "keys rename": { words: [HOSTILE, "new"] },
  "keys rotate": { words: [HOSTILE, "--overlap", "1h"] },
  "keys suspend": { words: [HOSTILE] },
  "keys resume": { words: [HOSTILE] },
  "keys expire": { words: [HOSTILE, "--never"] },
  "keys bind": { words: [HOSTILE, "--anywhere"] },
  "keys revoke": { words: [HOSTILE] },
  "webhooks create": { words: ["https://hooks.example.com/"] },
  "webhooks list": {},
  "webhooks update": { words: [WEBHOOK, "--on"] },
  "webhooks rotate": { words: [WEBHOOK] },
  "webhooks delete": { words: [WEBHOOK] },
  "webhooks test": { words: [WEBHOOK, "--timeout", "1s"] },
  "webhooks deliveries": { words: [WEBHOOK] },
  "webhooks redeliver": { words: [WEBHOOK, HOSTILE, "--timeout", "1s"] },
  "users invite": { words: ["a@example.com"] },
  "users list": { words: ["--limit", "1"] },
  "users renew": { words: [HOSTILE] },
  "users role": { words: [HOSTILE, "--to", "viewer"] },
  "users suspend": { words: [HOSTILE] },
  "users resume": { words: [HOSTILE] },
  "users link": { words: [HOSTILE] },
  "users remove": { words: [HOSTILE] },
  "account export": {},
  "audit list": { words: ["--limit", "1"] },
  "account transfer": { words: [HOSTILE, "--yes"] },
  "account leave": { words: ["--yes"] },
  "account close": { words: ["--yes"] },
  "account keep": {},
  "projects list": { words: ["--limit", "1"] },
  "projects set": { words: [HOSTILE, "--name", HOSTILE] },
  "projects empty": { words: [HOSTILE, "--yes"] },
  "projects rename": { words: [HOSTILE, HOSTILE] },
  "projects archive": { words: [HOSTILE] },
  "projects restore": { words: [HOSTILE] },
  "projects delete": { words: [HOSTILE, "--yes"] },
  "accounts list": { words: ["--limit", "1"] },
  "accounts create": { words: ["n", "--owner", "a@example.com", "--plan", "free"] },
  "accounts set": { words: ["a", "--name", HOSTILE] },
  "accounts suspend": { words: ["a"] },
  "accounts resume": { words: ["a"] },
  "accounts link": { words: ["a"] },
  "devices list": { words: ["--limit", "1"] },
  "devices revoke": { words: [HOSTILE] },
  "devices show": { words: ["BCDF-GHJK"] },
  "devices approve": { words: ["BCDF-GHJK"] },
  "devices deny": { words: ["BCDF-GHJK"] },
  "clients list": { words: ["--limit", "1"] },
  "clients revoke": { words: [HOSTILE] },
  "signing-keys list": {},
  "signing-keys rotate": {},
  api: { words: ["GET", "/api/v1/account", "-i"] },
  "config get": { words: ["project"] },
  "config set": { words: ["project", "shop"] },
  "config unset": { words: ["project"] },
  "config list": {},
  "config trust": {},
  "mcp config": {},
  "mcp install": { words: ["--client", "cursor", "--yes"] },
  "mcp uninstall": { words: ["--client", "cursor", "--yes"] },
  "mcp upstreams": { words: ["up"] },
  "mcp publish": { words: ["up"] },
  "mcp verify-header": { words: ["Bearer eyJhbGciOiJFZERTQSJ9.e30.AA"] },
};

/** Commands that print no foreign text, or that other tests run as processes. */
const ELSEWHERE = [
  "serve",
  "ready",
  "backup create",
  "backup verify",
  "restore",
  "demo",
  "data copy",
  "data move",
  "data read-only",
  "data writable",
  "completion",
  "complete",
  "mcp",
];

/** Options that make a command print another format. */
const FORMATS: [name: string, more: string[]][] = [
  ["review", ["--format", "json"]],
  ["review", ["--format", "sarif"]],
  ["review", ["--format", "github"]],
  ["graph show", ["--format", "json"]],
  ["graph show", ["--format", "dot"]],
  ["graph scan", ["--dry-run"]],
  ["observability config", ["--format", "json"]],
  ["usage", ["--by", "key,user,project,tool"]],
  ["usage", ["--by", "key", "--csv"]],
  ["entitlements", []],
  ["config trust", ["--list"]],
  ["config trust", ["--revoke"]],
  ["api", ["--verbose"]],
  ["whoami", ["--verbose"]],
];

const MANNERS: Manner[] = ["valid", "wild", "problem", "oauth-error"];

describe("foreign text", () => {
  beforeEach(() => {
    const home = temporaryDirectory();
    for (const name of ["DATA", "CONFIG", "CACHE"]) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
    return () => vi.unstubAllEnvs();
  });

  it("is tested with every command", async () => {
    const names: string[] = [];
    for (const { name, load } of COMMANDS.filter((entry) => !entry.name.startsWith("_"))) {
      const command = new Command(name);
      (await load()).define(command, () => async () => {});
      const subcommands = command.commands.map((child) => `${name} ${child.name()}`);
      names.push(...subcommands, ...(subcommands.length === 0 || name === "mcp" ? [name] : []));
    }
    expect([...Object.keys(CALLS), ...ELSEWHERE].sort()).toEqual(names.sort());
  });

  it.each(MANNERS)(
    "never reaches a terminal raw from a server that is hostile in a %s way",
    async (manner) => {
      const server = await hostileServer();
      server.behave(manner);
      for (const [name, more] of [
        ...Object.keys(CALLS).map((each): [string, string[]] => [each, []]),
        ...FORMATS,
      ]) {
        const { written, code } = await call(server.url, name, more, { terminal: true });
        expect(hostileIn(written.out), `${name} ${more} on stdout`).toEqual([]);
        expect(hostileIn(written.err), `${name} ${more} on stderr`).toEqual([]);
        expect(written.out + written.err, `${name} ${more} says something`).not.toBe("");
        if (manner === "valid") expect(code, `${name} ${more}: ${written.err}`).toBeLessThanOrEqual(4);
      }
    },
    120_000,
  );

  it.each(MANNERS)(
    "is escaped in JSON from a server that is hostile in a %s way",
    async (manner) => {
      const server = await hostileServer();
      server.behave(manner);
      let unchanged = 0;
      for (const name of Object.keys(CALLS)) {
        const { written } = await call(server.url, name, ["--json"], {});
        expect(hostileIn(written.out), name).toEqual([]);
        expect(hostileIn(written.err), name).toEqual([]);
        const values = documentsIn(written.out);
        if (stringsOf(values).includes(HOSTILE)) unchanged++;
      }
      // The parsed values equal what the server sent.
      expect(unchanged).toBeGreaterThan(manner === "oauth-error" ? 0 : 10);
    },
    120_000,
  );

  it("is piped unchanged by graph show --format dot, but sanitized by whoami", async () => {
    const server = await hostileServer();
    const dot = await call(server.url, "graph show", ["--format", "dot"], {});
    expect(dot.written.out).toBe(HOSTILE);
    const { written } = await call(server.url, "whoami", [], {});
    expect(hostileIn(written.out)).toEqual([]);
  });

  it("adds no lines to a table", async () => {
    const server = await hostileServer();
    const { written } = await call(server.url, "keys list", ["--limit", "1"], {});
    expect(
      written.out
        .trimEnd()
        .split("\n")
        .filter((line) => /^lines/.test(line)),
    ).toEqual([]);
  });
});

describe("the output layer", () => {
  const source = resolve(import.meta.dirname, "../../src/cli");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const naming = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(source, file), "utf8"))).sort();

  it("is the only code that writes to a terminal", () => {
    expect(naming(/process\.(stdout|stderr)/)).toEqual(["credentials/keyring-process.ts", "terminal/io.ts"]);
    // A backup is binary, for files and pipes. It is not written to a terminal.
    expect(naming(/\boutput\.stream\b|\b(out|err)\.stream\b/)).toEqual([
      "server/backup-file.ts",
      "ui/ink.tsx",
    ]);
    expect(naming(/\b(Text|render)\b[^}]*\} from "ink"/)).toEqual(["ui/ink.tsx"]);
    expect(naming(/\\u001b/)).toEqual(["terminal/output.ts", "ui/terminal-text.ts"]);
  });
});

async function call(url: string, name: string, more: string[], options: { terminal?: boolean }) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "hostile.txt"), HOSTILE);
  writeFileSync(
    join(directory, "graph.json"),
    JSON.stringify({ entities: [{ id: HOSTILE, name: HOSTILE, type: "x" }] }),
  );
  const below = join(directory, "sub\u001b[2J\u202e");
  mkdirSync(below);
  writeFileSync(join(below, "a\u009b.js"), 'import "./b\\u0007.js";');
  writeFileSync(join(below, ".tool.json"), JSON.stringify({ baseUrl: url }));
  // For `config trust`, the server is named by a `.tool.json` in a directory with a hostile name.
  const named = name === "config trust";
  const { words = [], stdin } = CALLS[name] ?? {};
  const { io, written, interrupt } = testIo({
    terminal: options.terminal ?? false,
    // hostile-terminal.test.ts covers Ink, which decides on colours once for the whole process.
    live: false,
    colour: options.terminal ?? false,
    columns: options.terminal ? 100 : undefined,
    environment: {
      ...(!named && { TOOL_BASE_URL: url }),
      ...(name !== "login" && { TOOL_TOKEN: "tak_test" }),
      ...(!name.startsWith("events") && { DO_NOT_TRACK: "1" }),
      USER: "ada",
      // A project's name may contain anything but control characters.
      ...(name.startsWith("config") && { TOOL_PROJECT: "shop\u202e\u{e0041}" }),
    },
    ...(stdin !== undefined && { stdin }),
  });
  const limit = setTimeout(() => interrupt(), 60_000);
  const code = await runProgram({ ...io, workingDirectory: named ? below : directory }, [
    ...name.split(" "),
    ...words,
    ...more,
  ]);
  clearTimeout(limit);
  return { written, code };
}

/** Parses one JSON document, or one on each line. */
function documentsIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]);
}
