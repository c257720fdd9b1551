import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { announceLocalServer } from "../../../src/client/sign-in/local-server.ts";
import { fileNameOf } from "../../../src/client/transport/base-url.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { decide } from "../support/device-flow.ts";
import { user } from "../support/tool.ts";

type User = ReturnType<typeof user>;

async function signInWithKey({ piped }: User, app: TestApp, key?: string): Promise<string> {
  return (await piped(key ?? (await app.key(["read"])), "login", "--with-token", "--base-url", app.url))
    .stdout;
}

/** Runs a command that signs in with a code, and approves the code. */
async function approved({ start }: User, app: TestApp, words: string[]) {
  const running = start([...words, "--json"]);
  const [, userCode] = await running.until("stderr", /Enter {2}(\S+)/);
  await decide(app, userCode!, "approve");
  return (await running.finished).json;
}

const hostOf = ({ url }: TestApp) => new URL(url).host;

/** Returns the words of the command in backticks. */
function commandIn(text: string): string[] {
  const [, command = ""] = /`tool ([^`]+)`/.exec(text) ?? [];
  return command.split(" ");
}

describe("the default server after a sign-in", () => {
  it("becomes the server of the latest sign-in, with a command to switch back", async () => {
    const [one, other] = [await startApp(), await startApp()];
    const somebody = user();
    const speaksTo = async () => (await somebody.tool("whoami", "--json")).json.baseUrl;
    const first = await signInWithKey(somebody, one);
    expect(first).toContain(`${one.url} is now your default server.`);
    expect(first).not.toContain("Back to");
    expect(await speaksTo()).toBe(one.url);
    const said = await signInWithKey(somebody, other);
    expect(said).toContain(`${other.url} is now your default server.`);
    expect(await speaksTo()).toBe(other.url);
    const [, back = ""] = /Back to the one before: tool (.*)\n/.exec(said) ?? [];
    expect((await somebody.tool(...back.split(" "))).code).toBe(0);
    expect(await speaksTo()).toBe(one.url);
    expect(await signInWithKey(somebody, one)).not.toContain("default server");
  });

  it("can be switched back by config set to a server without a sign-in", async () => {
    const somebody = user();
    const named = "http://127.0.0.1:9";
    await somebody.tool("config", "set", "baseUrl", named);
    const said = await signInWithKey(somebody, await startApp());
    expect(said).toContain(`Back to the one before: tool config set baseUrl ${named}`);
  });

  it("is overridden by a flag, the environment and a project's file, as auth switch mentions", async () => {
    const [one, other] = [await startApp(), await startApp()];
    const somebody = user();
    for (const app of [one, other]) await signInWithKey(somebody, app);
    const whoami = (words: string[], env = {}, cwd = somebody.home) =>
      somebody.start(["whoami", "--json", ...words], env, cwd).finished.then(({ json }) => json.baseUrl);
    expect(await whoami(["--base-url", one.url])).toBe(one.url);
    expect(await whoami([], { TOOL_BASE_URL: one.url })).toBe(one.url);
    expect(await whoami([])).toBe(other.url);
    const env = { TOOL_BASE_URL: other.url };
    const switched = await somebody.start(["auth", "switch", hostOf(one)], env).finished;
    expect(switched.stdout).toContain(`TOOL_BASE_URL goes before it and names ${other.url}`);
    const project = join(somebody.home, "project");
    const file = join(project, ".tool.json");
    mkdirSync(project);
    writeFileSync(file, JSON.stringify({ baseUrl: other.url }));
    await somebody.toolIn(project)("config", "trust", other.url);
    expect(await whoami([], {}, project)).toBe(other.url);
    expect(await whoami([], { TOOL_BASE_URL: one.url }, project)).toBe(one.url);
    expect(await whoami(["--base-url", one.url], {}, project)).toBe(one.url);
    expect(await whoami([])).toBe(one.url);
    const here = await somebody.toolIn(project)("auth", "switch", hostOf(one));
    expect(here.stdout).toContain(`Here ${file} goes before it and names ${other.url}`);
  });

  it("changes only with login --resume, not while an approval is pending", async () => {
    const app = await startApp();
    const { tool } = user();
    const started = (await tool("login", "--start", "--base-url", app.url, "--json")).json;
    expect((await tool("config", "get", "baseUrl")).stdout).not.toContain(app.url);
    await decide(app, started.userCode, "approve");
    const [, ...resume] = started.next.split(" ");
    expect((await tool(...resume)).stdout).toContain(`${app.url} is now your default server.`);
  });

  it("stays unchanged by a sign-in to a project's server", async () => {
    const app = await startApp();
    const somebody = user();
    const project = join(somebody.home, "project");
    mkdirSync(project);
    writeFileSync(join(project, ".tool.json"), JSON.stringify({ baseUrl: app.url }));
    await somebody.toolIn(project)("config", "trust", app.url);
    const login = somebody.start(["login", "--with-token"], {}, project);
    login.child.stdin.end(await app.key(["read"]));
    expect((await login.finished).code).toBe(0);
    expect((await somebody.tool("config", "get", "baseUrl")).stdout).not.toContain(app.url);
  });
});

describe("tool auth switch", () => {
  it("selects a server by its name, and lists the choices for a missing or ambiguous name", async () => {
    const apps = [await startApp(), await startApp(), await startApp()];
    const somebody = user();
    for (const app of apps) await signInWithKey(somebody, app);
    const which = await somebody.tool("auth", "switch");
    expect(which.code).toBe(2);
    for (const app of apps.slice(0, 2)) expect(which.stderr).toContain(app.url);
    expect((await somebody.tool(...commandIn(which.stderr))).code).toBe(0);
    await somebody.tool("auth", "switch", hostOf(apps[1]!));
    expect((await somebody.tool("whoami", "--json")).json.baseUrl).toBe(apps[1]!.url);
    expect((await somebody.tool("auth", "switch", "nowhere.example")).stderr).toContain(apps[0]!.url);
    const ambiguous = await somebody.tool("auth", "switch", "default");
    expect(ambiguous.code).toBe(2);
    expect((await somebody.tool(...commandIn(ambiguous.stderr))).code).toBe(0);
  });
});

describe("tool auth status", () => {
  it("lists every sign-in with its scopes, and exits with 4 without one at this server", async () => {
    const [one, other] = [await startApp(), await startApp()];
    const somebody = user();
    const before = await somebody.tool("auth", "status", "--json");
    expect([before.code, before.json.items]).toEqual([4, []]);
    await approved(somebody, one, ["login", "--base-url", one.url, "--scope", "read admin"]);
    await signInWithKey(somebody, other);
    const { json } = await somebody.tool("auth", "status", "--json");
    expect(json.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ baseUrl: one.url, scopes: ["read", "admin"], inForce: false }),
        expect.objectContaining({ baseUrl: other.url, scopes: null, inForce: true }),
      ]),
    );
    expect((await somebody.tool("auth", "status")).stdout).toMatch(new RegExp(`✔ +${other.url}`));
    const elsewhere = await somebody.tool("auth", "status", "--base-url", "http://127.0.0.1:1");
    expect([elsewhere.code, elsewhere.stdout]).toEqual([4, expect.stringContaining("not signed in")]);
  });

  it("reads a credential that the previous version stored", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    const directory = join(somebody.dataDirectory, "credentials");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const credential = { accessToken: await app.key(["read"]), refreshToken: "trt_x", scope: "read" };
    const account = { id: "acc_1", name: "Acme" };
    writeFileSync(
      join(directory, `${fileNameOf(app.url)}.json`),
      JSON.stringify({ baseUrl: app.url, account, keptIn: "file", credential: { ...credential, account } }),
    );
    const { json, code } = await somebody.tool("auth", "status", "--json");
    expect([code, json.current, json.items[0].scopes]).toEqual([0, account, ["read"]]);
    expect((await somebody.tool("whoami")).code).toBe(0);
  });
});

describe("the scopes of a sign-in", () => {
  it("are widened by the command that tool keys list and tool users list suggest", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    await approved(somebody, app, ["login"]);
    const command = ["auth", "refresh", "--scope", "admin"];
    for (const group of ["keys", "users"]) {
      const refused = await somebody.tool(group, "list");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('needs the scope "admin"')]);
      expect(commandIn(refused.stderr)).toEqual(command);
    }
    expect(await approved(somebody, app, command)).toMatchObject({ scopes: ["read", "write", "admin"] });
    for (const group of ["keys", "users"]) expect((await somebody.tool(group, "list")).code).toBe(0);
  });

  it("are widened by a suggested command that repeats the --base-url flag", async () => {
    const [app, other] = [await startApp(), await startApp()];
    const somebody = user();
    await approved(somebody, app, ["login", "--base-url", app.url]);
    await signInWithKey(somebody, other);
    const refused = await somebody.tool("keys", "list", "--base-url", app.url);
    await approved(somebody, app, commandIn(refused.stderr));
    expect((await somebody.tool("keys", "list", "--base-url", app.url)).code).toBe(0);
    const out = await somebody.tool("whoami", "--base-url", "http://127.0.0.1:1");
    expect(commandIn(out.stderr)).toEqual(["login", "--base-url", "http://127.0.0.1:1"]);
  });

  it("are requested again by the next login, even after revocation, but not after logout", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    await approved(somebody, app, ["login", "--scope", "read admin"]);
    expect(await approved(somebody, app, ["login"])).toMatchObject({ scopes: ["read", "admin"] });
    const token = (await somebody.tool("auth", "token")).stdout.trim();
    await app.request("POST", "/auth/revoke", { key: null, body: { token, client_id: "tool-cli" } });
    expect((await somebody.tool("whoami")).code).toBe(4);
    expect((await somebody.tool("auth", "status")).stdout).toContain("ended");
    expect(await approved(somebody, app, ["login"])).toMatchObject({ scopes: ["read", "admin"] });
    await somebody.tool("logout");
    expect(await approved(somebody, app, ["login"])).toMatchObject({ scopes: ["read", "write"] });
  });

  it("cannot be widened for a key or TOOL_TOKEN, as the errors say", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    const key = await app.key(["read"]);
    await signInWithKey(somebody, app, key);
    expect((await somebody.tool("keys", "list")).stderr).toContain("login --with-token");
    expect(await somebody.tool("auth", "refresh", "--scope", "admin")).toMatchObject({ code: 2 });
    const fixed = user({ TOOL_BASE_URL: app.url, TOOL_TOKEN: key });
    expect((await fixed.tool("keys", "list")).stderr).toContain("TOOL_TOKEN");
    expect(await fixed.tool("auth", "refresh")).toMatchObject({ code: 2 });
  });
});

describe("tool auth token", () => {
  it("prints only the access token, for scripts", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    expect((await somebody.tool("auth", "token")).code).toBe(4);
    await approved(somebody, app, ["login"]);
    const { stdout, stderr } = await somebody.tool("auth", "token");
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^tat_\w+\n$/), ""]);
    expect((await app.request("GET", "/api/v1/account", { key: stdout.trim() })).status).toBe(200);
    const { json } = await somebody.tool("auth", "token", "--json");
    expect(json).toMatchObject({ token: stdout.trim(), baseUrl: app.url });
    expect(Date.parse(json.expiresAt)).toBeGreaterThan(Date.now());
  });
});

describe("tool login without a terminal", () => {
  it("refers to TOOL_TOKEN under CI, and does not wait", async () => {
    const app = await startApp();
    const { tool } = user({ TOOL_BASE_URL: app.url, CI: "1" });
    const { code, stderr } = await tool("login");
    expect([code, stderr]).toEqual([4, expect.stringContaining("Set TOOL_TOKEN")]);
    expect((await tool("login", "--json")).json).toMatchObject({ error: "signed_out", exitCode: 4 });
  });

  it("signs in by a code even at a local server", async () => {
    const app = await startApp();
    const somebody = user({ TOOL_BASE_URL: app.url });
    announceLocalServer(somebody.dataDirectory, { baseUrl: app.url, secret: app.localSecret ?? "" });
    expect(await approved(somebody, app, ["login"])).toMatchObject({ status: "signed_in" });
  });
});
