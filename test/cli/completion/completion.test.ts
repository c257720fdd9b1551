import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { complete } from "../../../src/cli/completion/completion.ts";
import { COMPLETION_SCRIPTS } from "../../../src/cli/completion/completion-scripts.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { ownerOf, startOwner } from "../support/owner.ts";
import { user } from "../support/tool.ts";

describe("complete()", () => {
  const root = new Command("tool").option("--json", "as JSON").option("--base-url <url>", "the server");
  const keys = root.command("keys").summary("API keys");
  keys
    .command("create <name>")
    .addOption(new Option("--role <role>").choices(["admin", "member"]))
    .option("--input <file>", "a body")
    .option("--quiet", "say less");
  root.command("context <files...>");
  root.command("diagnose [log]");

  const values = (...words: string[]) => complete(root, words).items.map(({ value }) => value);

  it("offers commands and subcommands that begin with the word", () => {
    expect(values("")).toEqual(["keys", "context", "diagnose", "help"]);
    expect(values("k")).toEqual(["keys"]);
    expect(values("keys", "c")).toEqual(["create"]);
    expect(values("--json", "--base-url", "http://x", "keys", "c")).toEqual(["create"]);
  });

  it("offers options, and the choices of an option", () => {
    expect(values("keys", "create", "--")).toEqual(["--role", "--input", "--quiet", "--help"]);
    expect(values("keys", "create", "--role", "")).toEqual(["admin", "member"]);
    expect(values("keys", "create", "--role=a")).toEqual(["--role=admin"]);
    expect(values("keys", "create", "--role", "=", "m")).toEqual(["member"]);
  });

  it("leaves file arguments to the shell, and offers no files for other arguments", () => {
    expect(complete(root, ["context", "a", "b", ""])).toEqual({ items: [], files: true });
    expect(complete(root, ["diagnose", ""])).toEqual({ items: [], files: true });
    expect(complete(root, ["keys", "create", "--input", "x"]).files).toBe(true);
    expect(complete(root, ["keys", "create", "--quiet", ""])).toEqual({ items: [], files: false });
  });
});

it("tool complete reduces foreign text to one short candidate without control characters", async () => {
  const { app, tool } = await startOwner();
  const hidden = String.fromCodePoint(0x1b, 0x202e, 0x2028);
  const content = `Deploys freeze.\n:files\nrm\tall of it${hidden}${" and more".repeat(500)}`;
  const { memory } = (await app.request("POST", "/api/v1/tools/agent-memory/store", { body: { content } }))
    .body;
  const { stdout } = await tool("complete", "--", "memory", "show", "");
  expect(stdout).toMatch(/^mem_\w+\tDeploys freeze\. :files rm all of it and more[ a-z]+\n$/);
  expect(stdout.startsWith(`${memory.id}\t`)).toBe(true);
  expect(stdout.length).toBeLessThan(150);
});

it("tool complete uses the preceding argument even when options follow that argument", async () => {
  const { app, tool } = await startOwner({ privateWebhooks: true });
  const make = async (path: string, body: object) => (await app.request("POST", path, { body })).body;
  const { webhook } = await make("/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
  const { delivery } = await make(`/api/v1/webhooks/${webhook.id}/test`, {});
  const words = ["webhooks", "redeliver", webhook.id, "--base-url", app.url];
  // Completion gives up after a while rather than hold a shell: a busy machine may need another try.
  await expect
    .poll(async () => (await tool("complete", "--", ...words, "")).stdout)
    .toContain(`${delivery.alertId}\t`);
  expect((await tool(...words)).stderr).toContain(`: ${delivery.alertId}.`);
});

describe.for(["bash", "zsh", "fish"] as const)("the completion script for %s", (shell) => {
  const missing = spawnSync(shell, ["--version"]).status !== 0;

  it("is printed by tool completion", async () => {
    const { tool } = user();
    expect(await tool("completion", shell)).toMatchObject({ code: 0, stdout: COMPLETION_SCRIPTS[shell] });
  });

  it("completes commands and files in the shell itself", ({ skip }) => {
    skip(missing, `${shell} is not installed`);
    const { home, env } = user();
    mkdirSync(join(home, "bin"));
    symlinkSync(resolve(import.meta.dirname, "../../../bin/tool.js"), join(home, "bin/tool"));
    writeFileSync(join(home, "script"), COMPLETION_SCRIPTS[shell]);
    writeFileSync(join(home, "body.json"), "{}");
    const run = (text: string) =>
      spawnSync(shell, ["-c", text], {
        cwd: home,
        encoding: "utf8",
        env: { ...env, PATH: `${join(home, "bin")}:${env.PATH}`, TERM: "xterm" },
      }).stdout;
    const { subcommand, file } = ASKED[shell](run);
    expect(subcommand).toMatch(/\bcreate\b/);
    expect(subcommand).not.toMatch(/\blist\b/);
    expect(file).toMatch(/body\.json/);
  });
});

describe("the completion script for bash", () => {
  it.for([
    ["server http://127.0", "(server http : //127.0)", "server http://127.0", "//127.0.0.1:42"],
    ["server http:", "(server http :)", "server http:", "//127.0.0.1:42"],
    ["server http://127.0.0.1:4", "(server http : //127.0.0.1 : 4)", "server http://127.0.0.1:4", "42"],
    ["a : h", "(a : h)", "a : h", "http://127.0.0.1:42"],
    ["server http", "(server http)", "server http", "http://127.0.0.1:42"],
  ] as const)(
    "joins the words that bash splits at colons: tool %s",
    ([line, words, asked, offered], { skip }) => {
      skip(spawnSync("bash", ["--version"]).status !== 0, "bash is not installed");
      const { stdout } = spawnSync(
        "bash",
        [
          "-c",
          `${COMPLETION_SCRIPTS.bash}
tool() { shift 2; printf '%s|' "$@" > asked; printf 'http://127.0.0.1:42\\tLocal\\n'; }
COMP_LINE="tool ${line}"; COMP_WORDS=(tool ${words.slice(1, -1)}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_tool; cat asked; printf '%s' "\${COMPREPLY[@]}"`,
        ],
        { encoding: "utf8", cwd: temporaryDirectory() },
      );
      expect(stdout).toBe(`${asked.split(" ").join("|")}|${offered}`);
    },
  );
});

/** By shell, how to get its completions of `tool keys cr` and `tool api POST /x --input bo`. */
const ASKED = {
  bash: (run: (text: string) => string) => {
    const ask = (words: string) =>
      run(`source ./script; source ./script; COMP_WORDS=(tool ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
compopt() { return 1; }; _tool; printf '%s\\n' "\${COMPREPLY[@]}"`);
    return { subcommand: ask("keys cr"), file: ask("api POST /x --input bo") };
  },
  zsh: (run: (text: string) => string) => {
    const ask = (words: string) =>
      run(`compdef() { : }; _describe() { print -l \${(P)4} }; _files() { print -l bo* }; source ./script
words=(tool ${words}); CURRENT=\${#words}; _tool`);
    return { subcommand: ask("keys cr"), file: ask("api POST /x --input bo") };
  },
  fish: (run: (text: string) => string) => {
    const ask = (line: string) => run(`source ./script; complete -C "tool ${line}"`);
    return { subcommand: ask("keys cr"), file: ask("api POST /x --input bo") };
  },
};

describe("completion of values that the server or the settings know", () => {
  it("offers keys by name, projects, users and the choices of an option", async () => {
    const { app, tool } = await startOwner();
    for (const name of ["deploy", "the other"]) {
      await app.request("POST", "/api/v1/keys", { body: { name, scopes: ["read"] } });
    }
    await app.request("PUT", "/api/v1/projects/shop", { body: { name: "Web shop" } });
    const values = async (...words: string[]) =>
      (await tool("complete", "--json", "--", ...words)).json.items.map(
        ({ value }: { value: string }) => value,
      );
    expect(await values("keys", "show", "")).toEqual(["deploy", "the other"]);
    expect(await values("keys", "revoke", "d")).toEqual(["deploy"]);
    expect(await values("projects", "archive", "s")).toEqual(["shop"]);
    expect(await values("track", "api_calls", "--project=s")).toEqual(["--project=shop"]);
    expect(await values("users", "role", "o")).toEqual(["owner@localhost"]);
    expect(await values("users", "role", "x", "--to", "a")).toEqual(["admin"]);
    expect(await values("usage", "--by", "")).toEqual(["account", "project", "key", "user", "tool"]);
    expect(await values("usage", "--by", "key,t")).toEqual(["key,tool"]);
  });

  it("offers the servers and accounts that are signed in, and the values of a setting", async () => {
    const app = await startApp();
    const somebody = user();
    expect((await somebody.piped(OWNER_KEY, "login", "--with-token", "--base-url", app.url)).code).toBe(0);
    const values = async (...words: string[]) =>
      (await somebody.tool("complete", "--json", "--", ...words)).json.items.map(
        ({ value }: { value: string }) => value,
      );
    await app.request("PUT", "/api/v1/projects/shop", { body: {} });
    expect(await values("auth", "switch", "")).toEqual(["default", new URL(app.url).host]);
    expect(await values("whoami", "--base-url", "")).toEqual([app.url]);
    expect(await values("config", "set", "tel")).toEqual(["telemetry"]);
    expect(await values("config", "set", "telemetry", "")).toEqual(["on", "off"]);
    expect(await values("config", "set", "baseUrl", "http")).toEqual([app.url]);
    expect(await values("config", "set", "project", "")).toEqual(["shop"]);
  });

  it.each([
    ["nobody listens", "http://127.0.0.1:9"],
    ["the address is none", "nonsense"],
  ])("offers nothing and prints no error when %s", async (_, TOOL_BASE_URL) => {
    const { tool } = ownerOf({ url: TOOL_BASE_URL });
    expect(await tool("complete", "--", "keys", "show", "d")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});

describe("the completion script for PowerShell", () => {
  const { powershell } = COMPLETION_SCRIPTS;

  it("calls tool complete, and leaves files to the shell", () => {
    expect(powershell).toContain("Register-ArgumentCompleter -Native -CommandName tool");
    expect(powershell).toContain("& tool complete '--' @words");
    expect(powershell).toContain("-ne ':files'");
    // What needs quotes, as PowerShell writes a quote within a string.
    expect(powershell).toContain(String.raw`-match '[\s''"]'`);
  });

  it("completes in the shell itself", ({ skip }) => {
    skip(spawnSync("pwsh", ["-v"]).error !== undefined, "pwsh is not installed: the script was only read");
    const { env } = user();
    const line = "tool keys cr";
    const asked = `function tool { "create\tMake one" }; ${powershell}; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    expect(
      spawnSync("pwsh", ["-NoProfile", "-Command", asked], { env, encoding: "utf8" }).stdout.trim(),
    ).toBe("create");
  });
});
