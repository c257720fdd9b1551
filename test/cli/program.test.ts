import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/command-table.ts";
import { runProgram } from "../../src/cli/program.ts";
import { temporaryDirectory } from "../support/store.ts";
import { testIo } from "./support/io.ts";
import { user } from "./support/tool.ts";

const shown = COMMANDS.filter(({ group }) => group !== undefined);

async function run(...words: string[]) {
  const { io, written } = testIo();
  const code = await runProgram(io, words);
  return { code, ...written };
}

describe("tool", () => {
  it("says how to name a file that begins with a dash", async () => {
    const { io, written } = testIo();
    const workingDirectory = temporaryDirectory();
    writeFileSync(join(workingDirectory, "-a.ts"), "");
    expect(await runProgram({ ...io, workingDirectory }, ["review", "-a.ts"])).toBe(2);
    expect(written.err).toContain("Unknown option '-a.ts'.\n  The file of that name is ./-a.ts");
  });

  it("prints its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
  });

  it("lists every command but the internal ones", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const { name, summary } of shown) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
    expect(out).not.toContain("_sender");
    expect(await run()).toMatchObject({ code: 0, out });
    expect(await run("help")).toMatchObject({ code: 0, out });
  });

  it.each(shown.map(({ name }) => name))("explains %s, with examples for every subcommand", async (name) => {
    const { code, out } = await run("help", name);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: tool ${name}`));
    const subcommands = [...(/Commands:\n((?: .*\n)*)/.exec(out)?.[1] ?? "").matchAll(/^ {2}(\S+)/gm)].map(
      ([, word]) => word,
    );
    for (const words of subcommands.length > 0 ? subcommands.map((word) => [name, word!]) : [[name]]) {
      const text = (await run(...words, "--help")).out;
      expect(text).toMatch(/^Examples:\n {2}\$ .*\btool /m);
      expect(text).toContain("--json");
    }
  });

  it("suggests the nearest command or option for a misspelt one, and exits with 2", async () => {
    expect(await run("trac")).toEqual({
      code: 2,
      out: "",
      err: "✖ Unknown command 'trac'.\n  Did you mean track?\n",
    });
    expect((await run("keys", "creat")).err).toContain("Did you mean create?");
    expect((await run("accountx")).err).toContain("Did you mean one of account, accounts?");
    expect((await run("track", "api_calls", "--cuont", "3")).err).toContain("Did you mean --count?");
  });

  it.each([
    ["impact", "Did you mean graph impact?"],
    ["recall", "Did you mean memory recall?"],
    ["scan", "Did you mean graph scan?"],
    ["revoke", "Did you mean one of keys revoke, devices revoke, clients revoke?"],
    ["rotate", "Did you mean one of keys rotate, webhooks rotate, signing-keys rotate?"],
    ["list", "Run `tool --help` for a list."],
  ])("says in which group a command such as %s is, unless many have one", async (word, next) => {
    for (const rest of [[], ["--help"], ["--json"]]) {
      const { code, out, err } = await run(word, ...rest);
      expect([code, rest.includes("--json") ? JSON.parse(out).next : err]).toEqual([
        2,
        expect.stringContaining(next),
      ]);
    }
  });

  it("points to the list of commands where none is near, and to no bare rule where a value is wrong", async () => {
    expect(await run("frobnicate")).toEqual({
      code: 2,
      out: "",
      err: "✖ Unknown command 'frobnicate'.\n  Run `tool --help` for a list.\n",
    });
    expect((await run("keys", "frobnicate")).err).toContain("Run `tool keys --help` for a list.");
    expect((await run("audit", "list", "--limit", "many")).err).toContain(
      "--limit. It must be a whole number",
    );
  });

  it.each([[["--json"]], [["keys", "--json"]], [["--json", "keys"]]])(
    "reports as one JSON document that %j lacks a command",
    async (words) => {
      const { code, out } = await run(...words);
      const name = words.includes("keys") ? "tool keys" : "tool";
      expect(code).toBe(2);
      expect(JSON.parse(out)).toMatchObject({ error: "usage", message: `${name} needs a command.` });
    },
  );

  it("accepts common options between a command and its subcommand", async () => {
    const { code, out } = await run("config", "--json", "list");
    expect(code).toBe(0);
    expect(() => JSON.parse(out)).not.toThrow();
  });

  it.each([
    [["track", "api_cals"], "<type>", "api_calls"],
    [["learning", "benchmark", "build_durations", "3"], "<type>", "build_duration"],
    [["completion", "bsh"], "<shell>", "bash"],
    [["memory", "store", "x", "--kind", "fct"], "--kind", "fact"],
    [["memory", "store", "x", "--kind", "Fact"], "--kind", "fact"],
    [["learning", "insights", "--type", "qualty_score"], "--type", "quality_score"],
    [["api", "GTE", "/api/v1/account"], "<method>", "GET"],
    [["usage", "--by", "key,usr"], "--by", "user"],
  ])("suggests a valid value for the wrong one in %j", async (words, place, meant) => {
    const { code, err } = await run(...words);
    expect(code).toBe(2);
    expect(err).toContain(`is not valid for ${place}. It must `);
    expect(err).toMatch(new RegExp(`\n  Did you mean ${meant}\\b.*\\?\n$`));
    expect(err).not.toMatch(/command-argument|Allowed choices/i);
  });

  it("suggests the nearest setting for a misspelt name", async () => {
    expect((await run("config", "get", "base-ulr")).err).toBe(
      '✖ "base-ulr" is no setting.\n  Did you mean baseUrl?\n',
    );
    expect((await run("config", "unset", "telemtry")).err).toContain("Did you mean telemetry?");
    expect((await run("config", "get", "colour")).err).toContain("The settings are baseUrl, project");
  });

  it("quotes a wrong value verbatim, even one with the text of an error message", async () => {
    const { err } = await run("completion", "ba' is invalid for argument 'x'.\nsh");
    expect(err).toContain(`"ba' is invalid for argument 'x'.`);
    expect(err).toContain("is not valid for <shell>. It must be one of bash, zsh");
  });

  it.each([
    [["track"], "tool track needs <type>: api_calls, agents_invoked, skills_accessed"],
    [
      ["track", "nonsense"],
      '"nonsense" is not valid for <type>. It must be one of api_calls, agents_invoked',
    ],
    [["track", "api_calls", "--count", "many"], "It must be a whole number from 1 to 100."],
    [["track", "api_calls", "--count", "101"], "It must be a whole number from 1 to 100."],
    [["events", "record", "api.call", "--count", "0"], "It must be a whole number from 1 to 100."],
    [["events", "flush", "--timeout", "2h"], "It must be a time such as 10s or 5m, an hour at most."],
    [["usage", "--days", "0"], "It must be a whole number from 1 to 366."],
    [["whoami", "me"], "Too many arguments"],
    [["whoami", "me"], "Run `tool whoami --help` for what it takes."],
    [["accounts", "link", "acc_1", "ada@example.com"], "Run `tool accounts link --help` for what it takes."],
    [["users", "remove", "ada@example.com", "--yes"], "Run `tool users remove --help` for what it takes."],
    [["login", "--scopes", "admin"], "Did you mean --scope?"],
    [["login", "--start", "--resume"], "cannot be used with"],
    [["config", "set", "colour", "blue"], '"colour" is no setting.'],
    [["projects", "set", "shop"], "Nothing to change."],
    [["--nonsense"], "Unknown option '--nonsense'."],
  ])("refuses %j as wrong usage, and exits with 2", async (words, message) => {
    const { code, out, err } = await run(...words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  it("prints an error as one JSON document with --json", async () => {
    const { code, out, err } = await run("track", "--json");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toEqual({
      error: "usage",
      message: expect.stringContaining("tool track needs <type>: api_calls, agents_invoked, skills_accessed"),
      next: "For example: `tool track agents_invoked`",
      exitCode: 2,
    });
  });

  it("prints the usage of a command group without a subcommand, and exits with 2", async () => {
    const { code, out, err } = await run("keys");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^Usage: tool keys/);
  });

  it("accepts common options before the command", async () => {
    const before = await run("--json", "--base-url", "http://127.0.0.1:9", "config", "get", "baseUrl");
    const after = await run("config", "get", "baseUrl", "--json", "--base-url", "http://127.0.0.1:9");
    expect(before).toEqual(after);
    expect(JSON.parse(before.out)).toMatchObject({ value: "http://127.0.0.1:9", origin: "--base-url" });
  });
});

describe("the real program", () => {
  it("exits with the documented codes", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    expect((await tool("--version")).code).toBe(0);
    expect((await tool("nonsense")).code).toBe(2);
    expect((await tool("whoami")).code).toBe(4);
    expect((await tool("login")).code).toBe(6);
    expect((await tool("login", "--base-url", "http://control.example.com")).code).toBe(2);
  });

  it("shows a stack trace only with --verbose", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    const plain = await tool("login");
    expect(plain.stderr).not.toMatch(/\n\s+at /);
    expect(plain.stderr).toContain("http://127.0.0.1:9 cannot be reached");
    expect((await tool("login", "--verbose")).stderr).toMatch(/\n\s+at /);
  });

  it("writes colours into a pipe only with FORCE_COLOR", async () => {
    const { tool, start } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    const sequence = "\u001b[";
    expect((await tool("--help")).stdout).not.toContain(sequence);
    expect((await start(["--help"], { FORCE_COLOR: "1" }).finished).stdout).toContain(sequence);
    expect((await start(["--help"], { FORCE_COLOR: "0" }).finished).stdout).not.toContain(sequence);
  });

  it("exits quietly when its output is closed", async () => {
    const { start } = user();
    const { child, finished } = start(["--help"]);
    child.stdout.destroy();
    expect(await finished).toMatchObject({ code: 0, stderr: "" });
  });
});
