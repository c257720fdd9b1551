import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Seen, startServer } from "../../client/support/server.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { everythingIn } from "../support/files.ts";
import { hasTerminal, terminal } from "../support/terminal.ts";
import { user } from "../support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");
const SECRET = "tak_a-secret-of-the-person";

/** Creates a repository that names a server, which records its requests. */
async function cloned(environment: Record<string, string> = { TOOL_TOKEN: SECRET }) {
  const server = await startServer(() => ({ status: 401, body: { error: "invalid_token", title: "No" } }));
  const person = user(environment);
  const repository = join(person.home, "clone");
  mkdirSync(join(repository, "src", "deep"), { recursive: true });
  name(repository, server.baseUrl);
  const secretsIn = (seen: Seen[]) => seen.filter((each) => JSON.stringify(each).includes(SECRET));
  return {
    ...person,
    repository,
    server,
    sent: () => secretsIn(server.seen),
    inside: person.toolIn(repository),
  };
}

function name(directory: string, baseUrl: string): void {
  writeFileSync(join(directory, ".tool.json"), JSON.stringify({ baseUrl }));
}

describe("a server that a cloned repository names", () => {
  it("gets no secret from any command before the user trusts the server", async () => {
    const { inside, sent, server, home } = await cloned();
    const commands = [
      ["whoami"],
      ["track", "api_calls"],
      ["entitlements"],
      ["usage", "--json"],
      ["api", "GET", "/health"],
      ["memory", "stats"],
      ["events", "flush"],
      ["keys", "list"],
    ];
    for (const words of commands) {
      const { code, stdout, stderr } = await inside(...words);
      expect(code, words.join(" ")).toBe(4);
      expect(stdout + stderr).toContain(`tool config trust ${server.baseUrl}`);
    }
    const { code, json } = await inside("whoami", "--json");
    expect({ code, error: json.error, next: json.next }).toEqual({
      code: 4,
      error: "untrusted_server",
      next: `If you trust it, run \`tool config trust ${server.baseUrl}\`.`,
    });
    expect(sent()).toEqual([]);
    expect(everythingIn(home)).not.toContain(SECRET);
  });

  it("gets no events in the background before the user trusts the server", async () => {
    const { inside, sent, server } = await cloned();
    for (let round = 0; round < 21; round++) {
      const { code, stdout } = await inside("events", "record", "api.call");
      expect(code).toBe(0);
      expect(stdout).toContain("it waits until you trust the server");
    }
    expect((await inside("events", "list", "--json")).json.events).toBe(21);
    await new Promise((later) => setTimeout(later, 500));
    expect(server.seen).toEqual([]);
    expect(sent()).toEqual([]);
  });

  it("gets neither a stored credential nor one from stdin", async () => {
    const { inside, toolIn, start, repository, home, server, dataDirectory } = await cloned({});
    server.react(({ path }) =>
      path === "/api/v1/account" ? { body: ACCOUNT, headers: { "x-request-id": "r" } } : { status: 404 },
    );
    const given = start(["login", "--with-token"], {}, repository);
    given.child.stdin.end(SECRET);
    expect((await given.finished).code).toBe(4);
    expect(server.seen).toEqual([]);
    const named = start(["login", "--with-token", "--base-url", server.baseUrl], {}, home);
    named.child.stdin.end(SECRET);
    expect((await named.finished).code).toBe(0);
    expect(everythingIn(dataDirectory)).toContain(SECRET);
    // Signing in makes the server the user's own setting. Without it, the project's word needs trust again.
    await toolIn(home)("config", "unset", "baseUrl");
    const before = server.seen.length;
    expect((await inside("whoami")).code).toBe(4);
    expect((await inside("logout")).code).toBe(4);
    expect(server.seen.length).toBe(before);
    // A server that the user names needs no trust.
    expect((await inside("whoami", "--base-url", server.baseUrl)).code).toBe(0);
    expect((await toolIn(home)("config", "trust", "--list")).stdout).toContain(
      "No server that a project names",
    );
  });

  it("is trusted by tool config trust, until its address changes or the trust is revoked", async () => {
    const { inside, toolIn, sent, server, repository, home } = await cloned();
    expect((await inside("config", "trust", "https://another.example")).code).toBe(2);
    const yes = await inside("config", "trust", server.baseUrl);
    expect(yes).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${server.baseUrl} gets your credentials`),
    });
    await toolIn(join(repository, "src", "deep"))("whoami");
    expect(sent()).toHaveLength(1);
    const file = join(home, ".config/toolplane/trust.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([
      { directory: repository, server: server.baseUrl, since: expect.any(String) },
    ]);

    const another = server.baseUrl.replace("127.0.0.1", "localhost");
    name(repository, another);
    expect(await inside("whoami")).toMatchObject({ code: 4, stderr: expect.stringContaining(another) });
    name(repository, server.baseUrl);
    expect((await inside("config", "trust", "--revoke", "--json")).json.revoked).toEqual([server.baseUrl]);
    expect((await inside("whoami")).code).toBe(4);
    expect(sent()).toHaveLength(1);
  });

  it("is not trusted in another directory, but is through a link to the trusted one", async () => {
    const { inside, toolIn, sent, server, repository, home } = await cloned();
    await inside("config", "trust");
    const other = join(home, "other");
    mkdirSync(other);
    // A symbolic link does not inherit the trust of its target.
    symlinkSync(join(repository, ".tool.json"), join(other, ".tool.json"));
    expect((await toolIn(other)("whoami")).code).toBe(4);
    // A repository inside the trusted directory does not inherit its trust.
    const inner = join(repository, "vendor");
    mkdirSync(inner);
    name(inner, server.baseUrl);
    expect((await toolIn(inner)("whoami")).code).toBe(4);
    expect(sent()).toEqual([]);
    symlinkSync(repository, join(home, "link"));
    await toolIn(join(home, "link"))("whoami");
    expect(sent()).toHaveLength(1);
  });

  it("allows a sign-in with a notice, but no other command before the trust", async () => {
    const app = await startApp();
    const person = user();
    const repository = join(person.home, "clone");
    mkdirSync(repository);
    name(repository, app.url);
    const { until, finished, child } = person.start(["login", "--no-browser"], {}, repository);
    child.stdin.end();
    await until("stderr", new RegExp(`names the server ${app.url}. Before it is used: tool config trust`));
    const [, code] = await until("stderr", /Enter {2}(\S+)/);
    await app.request("POST", `/api/v1/device-authorizations/${code}`, { body: { decision: "approve" } });
    expect((await finished).code).toBe(0);
    expect((await person.toolIn(repository)("whoami")).code).toBe(4);
    expect((await person.toolIn(repository)("config", "trust")).code).toBe(0);
    expect((await person.toolIn(repository)("whoami")).code).toBe(0);
  });

  it("is reported by tool doctor, with the command to trust the server", async () => {
    const app = await startApp();
    const person = user({ TOOL_TOKEN: OWNER_KEY });
    name(person.home, app.url);
    const check = async (called: string) =>
      (await person.tool("doctor", "--json")).json.checks.find(
        (each: { name: string }) => each.name === called,
      );
    expect(await check("Credential")).toMatchObject({
      status: "failed",
      next: expect.stringContaining(`tool config trust ${app.url}`),
    });
    expect((await check("Settings")).detail).toContain(`server ${app.url} is not trusted`);
    await person.tool("config", "trust");
    expect(await check("Credential")).toMatchObject({ status: "ok" });
  });

  it("is named in the error of a call over MCP, and gets no secret", async () => {
    const { start, repository, sent, server } = await cloned();
    const { child, until } = start(["mcp"], {}, repository);
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const about = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    say({ id: 1, method: "initialize", params: about });
    await until("stdout", /"id":1/);
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/call", params: { name: "agent_memory_recall", arguments: { q: "x" } } });
    await until("stdout", new RegExp(`tool config trust ${server.baseUrl}`));
    expect(sent()).toEqual([]);
  });

  it("keeps cached entitlements usable with --offline", async () => {
    const app = await startApp();
    const person = user({ TOOL_TOKEN: OWNER_KEY });
    await person.toolIn(person.home)("entitlements", "--base-url", app.url);
    name(person.home, app.url);
    expect((await person.tool("entitlements")).code).toBe(4);
    expect((await person.tool("entitlements", "--offline")).code).toBe(0);
  });
});

describe("the trust question at a terminal", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "tmux is not installed"));

  async function asked(words: string[]) {
    const { env, repository, sent, home, server } = await cloned();
    const command = ["sh", "-c", `cd ${repository} && exec ${process.execPath} ${TOOL} ${words.join(" ")}`];
    const run = () => {
      const shown = terminal(command, { columns: 80, rows: 24, env });
      return { ...shown, text: () => shown.screen().join("\n") };
    };
    const { text, press } = run();
    await expect.poll(text).toContain("Send it there from now on? [y/N]");
    expect(text().replaceAll(/\s+/g, " ")).toContain(`names the server ${server.baseUrl}`);
    expect(sent()).toEqual([]);
    return { text, press, run, sent, trust: join(home, ".config/toolplane/trust.json") };
  }

  it.each(["", "n", "no", "yess", "ok", "1"])(
    "sends nothing, records no trust and asks again after the answer %j",
    async (answer) => {
      const { press, run, text, sent, trust } = await asked(["whoami"]);
      press(answer, "Enter");
      await expect.poll(text).toContain("exit code 4");
      const again = run();
      await expect.poll(again.text).toContain("Send it there from now on? [y/N]");
      expect(sent()).toEqual([]);
      expect(existsSync(trust)).toBe(false);
    },
  );

  it.each(["y", "YES"])(
    "sends the secret, records the trust and never asks again after %s",
    async (answer) => {
      const { press, run, text, sent, trust } = await asked(["whoami"]);
      press(answer, "Enter");
      await expect.poll(text).toContain("exit code 4");
      expect(sent()).toHaveLength(1);
      expect(existsSync(trust)).toBe(true);
      const again = run();
      await expect.poll(again.text).toContain("exit code 4");
      expect(again.text()).not.toContain("Send it there");
      expect(sent()).toHaveLength(2);
    },
  );

  it("is cancelled by Ctrl+C with exit code 130", async () => {
    const { press, text, sent } = await asked(["usage"]);
    press("C-c");
    await expect.poll(text).toContain("exit code 130");
    expect(sent()).toEqual([]);
  });
});

const ACCOUNT = {
  account: { id: "acc_1", name: "a" },
  plan: "free",
  user: { id: "usr_1", email: "a@example.com" },
  project: { id: "default" },
  credential: { kind: "api_key", id: "key_1", scopes: ["read"] },
};
