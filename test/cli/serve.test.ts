import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { OWNER_KEY } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { sendTo } from "../support/send.ts";
import { user } from "./support/tool.ts";

const PORT = ["--port", "0"];
const TOOL = resolve(import.meta.dirname, "../../bin/tool.js");
const NOBODY = 65534;
const MAX_FILE_KIB = 64 * 1024;

describe("tool serve in a pipe", () => {
  it("prints its address, a sign-in link and each request as JSON lines", async () => {
    const { start, home } = user();
    const server = start(["serve", ...PORT, "--data", join(home, "data")]);
    const [line] = await server.until("stdout", /^.*\n/);
    const listening = JSON.parse(line!);
    expect(listening).toEqual({
      event: "listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      signInUrl: expect.stringContaining(`${listening.url}/sign-in?link=`),
      store: join(home, "data"),
    });
    expect((await fetch(`${listening.url}/health`)).status).toBe(200);
    const [request] = await server.until("stdout", /^\{"event":"request".*$/m);
    expect(JSON.parse(request!)).toMatchObject({ method: "GET", path: "/health", status: 200 });
    expect(JSON.parse(request!).durationMs).toBeGreaterThan(0);
  });

  it("names a request's account by its id, too, since several may share a name", async () => {
    const { start } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const server = start(["serve", ...PORT]);
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    const answer = await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": OWNER_KEY } });
    const { account } = (await answer.json()) as { account: { id: string; name: string } };
    const [line] = await server.until("stdout", /^.*"request".*$/m);
    expect(JSON.parse(line!)).toMatchObject({ account: account.name, accountId: account.id });
  });

  it("prints no sign-in link when an owner key is set, and no requests at a higher log level", async () => {
    const { start } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const server = start(["serve", ...PORT, "--log-level", "warn"]);
    const [line] = await server.until("stdout", /^.*\n/);
    const { url, ...more } = JSON.parse(line!);
    expect(more).not.toHaveProperty("signInUrl");
    const answer = await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": OWNER_KEY } });
    expect(answer.status).toBe(200);
    server.child.kill("SIGTERM");
    expect((await server.finished).stdout).not.toContain('"request"');
  });

  it.each(["0.0.0.0", "::", "::ffff:0.0.0.0"])(
    "gives an address that a client reaches when it listens on %s",
    async (host) => {
      const { start, tool } = user({ TOOL_OWNER_API_KEY: OWNER_KEY, TOOL_TOKEN: OWNER_KEY });
      const server = start(["serve", ...PORT, "--host", host, "--allow-remote"]);
      const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const { code, stderr } = await tool("entitlements", "--base-url", url!);
      expect([code, stderr]).toEqual([0, ""]);
    },
  );

  it("reads secrets from files, and names a file that cannot be read", async () => {
    const { start, home } = user();
    const file = join(home, "owner-key");
    writeFileSync(file, `${OWNER_KEY}\n`);
    const server = start(["serve", ...PORT], { TOOL_OWNER_API_KEY_FILE: file });
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    const answer = await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": OWNER_KEY } });
    expect(answer.status).toBe(200);
    server.child.kill("SIGTERM");
    const other = user({ TOOL_SMTP_URL_FILE: "/nowhere" });
    const refused = await other.tool("serve", ...PORT);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("TOOL_SMTP_URL_FILE names /nowhere, which cannot be read");
  });

  it.each([
    ["SIGTERM", 0],
    ["SIGINT", 130],
  ] as const)("stops at %s, exits with %i, and keeps acknowledged data", async (signal, code) => {
    const { start, home } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const words = ["serve", ...PORT, "--data", join(home, "data")];
    const headers = { "X-API-Key": OWNER_KEY, "Content-Type": "application/json" };
    const first = start(words);
    const [, url] = await first.until("stdout", /"url":"([^"]+)"/);
    const body = JSON.stringify({ type: "api_calls", count: 7 });
    expect((await fetch(`${url}/api/v1/track`, { method: "POST", headers, body })).status).toBe(200);
    first.child.kill(signal);
    expect((await first.finished).code).toBe(code);
    const second = start(words);
    const [, again] = await second.until("stdout", /"url":"([^"]+)"/);
    const usage = (await (await fetch(`${again}/api/v1/usage`, { headers })).json()) as {
      totals: { api_calls: number };
    };
    expect(usage.totals.api_calls).toBe(7);
  });

  it("keeps serving after its output is closed", async () => {
    const { start } = user();
    const server = start(["serve", ...PORT]);
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    server.child.stdout.destroy();
    for (let round = 0; round < 3; round++) {
      expect((await fetch(`${url}/health`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    server.child.kill("SIGTERM");
    expect((await server.finished).code).toBe(0);
  });

  // A bound of the files' size stands for a disk that fills up, and has room again once they are emptied.
  it("logs again after its files could not grow", async () => {
    const { env, home } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const files = ["out", "err"].map((name) => join(home, name)) as [string, string];
    for (const file of files) writeFileSync(file, "");
    for (const file of files) truncateSync(file, MAX_FILE_KIB * 1024);
    const port = await freePort();
    const words = `serve --port ${port} --data '${join(home, "data")}'`;
    const line = `ulimit -f ${MAX_FILE_KIB}; exec '${process.execPath}' '${TOOL}' ${words} >> out 2>> err`;
    const server = spawn("bash", ["-c", line], { cwd: home, env });
    onTestFinished(() => void server.kill("SIGKILL"));
    const ask = sendTo(`http://127.0.0.1:${port}`);
    await expect.poll(() => ask("GET", "/health").catch(() => undefined)).toBeDefined();
    for (const file of files) truncateSync(file, 0);
    await ask("POST", "/api/v1/keys", { name: "logged", scopes: ["read"] });
    server.kill("SIGTERM");
    expect(await new Promise((done) => server.once("exit", done))).toBe(0);
    const [out, err] = files.map((file) => readFileSync(file, "utf8"));
    expect(out).toMatch(/"event":"request"[\s\S]*"event":"stopping"/);
    expect(err).toMatch(/"action":"key.created".*"name":"logged"/);
  });

  it("names the file that a full disk has no room for, and leaves nothing behind", async () => {
    const { env, home, start } = user();
    const data = join(home, "data");
    mkdirSync(data);
    const onFullDisk = (words: string) =>
      spawnSync("bash", ["-c", `ulimit -f 0; exec '${process.execPath}' '${TOOL}' ${words}`], {
        cwd: home,
        env,
      });
    const refused = onFullDisk(`serve --port 0 --data '${data}'`);
    expect(refused.stderr.toString()).toContain(`${join(data, "lock.1")} cannot be written`);
    expect([refused.status, readdirSync(data)]).toEqual([1, []]);
    const server = start(["serve", ...PORT, "--data", data]);
    await server.until("stdout", /listening/);
    const failed = onFullDisk(`backup '${join(home, "a.backup")}' --data '${data}'`);
    expect(failed.stderr.toString()).toContain(`${join(home, "a.backup")} cannot be written`);
    expect([failed.status, readdirSync(home).filter((name) => name.includes(".backup"))]).toEqual([1, []]);
  });

  it("neither stalls nor hangs at exit when its output is not read", async () => {
    const { start } = user();
    const server = start(["serve", ...PORT]);
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    server.child.stdout.pause();
    const path = `/${"x".repeat(4000)}`;
    for (let round = 0; round < 100; round++) expect((await fetch(url + path)).status).toBeGreaterThan(400);
    server.child.kill("SIGTERM");
    const code = await new Promise((resolve) => server.child.once("exit", resolve));
    expect(code).toBe(0);
    server.child.stdout.resume();
  });

  it.each([
    ["another host without --allow-remote", ["--host", "0.0.0.0"], 1, "--allow-remote"],
    ["an unknown plan", ["--plan", "golden"], 1, '"golden", which the catalogue of plans lacks'],
    ["a port that is none", ["--port", "70000"], 2, "whole number"],
  ])("refuses %s and says why", async (_, words, code, message) => {
    const { tool } = user();
    const finished = await tool("serve", ...PORT, ...words);
    expect(finished).toMatchObject({ code, stdout: "" });
    expect(finished.stderr).toContain(message);
    expect(finished.stderr).not.toMatch(/\n\s+at /);
  });

  it("names --plan if the plans file has no plan team for the first account", async () => {
    const { tool, home } = user();
    const file = join(home, "plans.json");
    const { tiers, ...others } = loadCatalogue();
    const adds = tiers.flatMap(({ adds }) => adds);
    writeFileSync(file, JSON.stringify({ ...others, tiers: [{ ...tiers[0], id: "basic", adds }] }));
    const refused = await tool("serve", ...PORT, "--plans", file);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/"team".*--plan.*: basic\.\n/)]);
  });

  it.each([
    ["export const answer = 42;", "exports no tool"],
    ["await new Promise(() => {});", "awaits something that does not come"],
    ["\nthrow new Error('no key');", "no key (mine.mjs:2)"],
    ["export const tool = {;", "to see where"],
  ])("refuses a module of tools that says %s", async (code, why) => {
    const { tool, home } = user();
    const module = join(home, "mine.mjs");
    writeFileSync(module, code);
    const refused = await tool("serve", ...PORT, "--tools", module);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(refused.stderr).toContain(module);
  });

  it.skipIf(Reflect.get(process.features, "typescript"))(
    "says what runs a module of tools in TypeScript",
    async () => {
      const { tool, home } = user();
      const module = join(home, "mine.ts");
      writeFileSync(module, "export const answer: number = 42;");
      const refused = await tool("serve", ...PORT, "--tools", module);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Node 22.18 or later")]);
      expect(refused.stderr).toContain("npx tsc");
    },
  );

  it("logs where an error was left uncaught that ends it, and the requests before", async () => {
    const { start, home } = user({ TOOL_OWNER_API_KEY: OWNER_KEY });
    const module = join(home, "mine.mjs");
    const zod = `import * as z from ${JSON.stringify(import.meta.resolve("zod"))};`;
    const declared = `{ name: "mine.say", method: "GET", path: "/api/v1/tools/mine", summary: "Say", scope: "read", input: z.object({}), output: z.object({}) }`;
    writeFileSync(
      module,
      `${zod}
async function mail() { throw new Error("no mail server"); }
export const mine = { name: "mine", contract: { say: ${declared} }, create: () => ({ say: async () => { setTimeout(mail, 20); return {}; } }) };`,
    );
    const server = start(["serve", ...PORT, "--data", join(home, "data"), "--tools", module]);
    const [, url] = await server.until("stdout", /"url":"([^"]+)"/);
    expect((await fetch(`${url}/api/v1/tools/mine`, { headers: { "X-API-Key": OWNER_KEY } })).status).toBe(
      200,
    );
    const { code, stdout, stderr } = await server.finished;
    expect([code, stdout]).toEqual([1, expect.stringContaining('"path":"/api/v1/tools/mine"')]);
    const logged = stderr.split("\n").find((line) => line.includes("nothing caught")) ?? "{}";
    expect(JSON.parse(logged)).toMatchObject({
      level: "error",
      err: { stack: expect.stringContaining("mine.mjs:2") },
    });
  });

  it("refuses a module of tools that is not there, and a tool whose create() never ends", async () => {
    const { tool, home } = user();
    const module = join(home, "mine.mjs");
    const missing = await tool("serve", ...PORT, "--tools", module);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("is no file")]);
    const create = "create: () => new Promise(() => {})";
    writeFileSync(module, `export const mine = { name: "mine", contract: {}, ${create} };`);
    const endless = await tool("serve", ...PORT, "--tools", module, "--data", join(home, "data"));
    expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining("tool mine failed")]);
  });

  it("says whom files may belong to that it may not read, as those of a start with sudo", () => {
    const { home } = user();
    const data = join(home, "data");
    mkdirSync(data);
    writeFileSync(join(data, "journal.jsonl"), "", { mode: 0o000 });
    const asRoot = process.getuid?.() === 0;
    if (asRoot) for (const each of [home, data]) chownSync(each, NOBODY, NOBODY);
    const { status, stderr } = spawnSync(process.execPath, [TOOL, "serve", ...PORT, "--data", data], {
      env: { PATH: process.env.PATH, HOME: home },
      encoding: "utf8",
      ...(asRoot && { uid: NOBODY, gid: NOBODY }),
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("may not be read or written by you.\n")]);
    expect(stderr).toContain(`You are user ${asRoot ? NOBODY : process.getuid?.()}. See whom it belongs to:`);
    expect(stderr).toContain("what `sudo tool` wrote, and a directory that Docker made, are root's.");
  });

  it("refuses a data directory in use by another server, and a port in use", async () => {
    const { start, tool, home } = user();
    const server = start(["serve", ...PORT, "--data", join(home, "data")]);
    const [, port] = await server.until("stdout", /"url":"[^"]+:(\d+)"/);
    const locked = await tool("serve", ...PORT, "--data", join(home, "data"));
    expect(locked.code).toBe(1);
    expect(locked.stderr).toContain(`process ${server.child.pid}`);
    const taken = await tool("serve", "--port", port!, "--data", join(home, "other"));
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain("--port");
  });
});
