import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newSecret } from "../../src/accounts/credentials/secrets.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { startApp } from "../support/app.ts";
import { CERTIFICATE, KEY } from "../support/services/certificate.ts";
import { startOwner } from "./support/owner.ts";
import { user } from "./support/tool.ts";

interface Check {
  name: string;
  status: "ok" | "attention" | "failed" | "skipped";
  detail: string;
  next?: string;
}

async function examined(person: ReturnType<typeof user>) {
  const { code, json } = await person.tool("doctor", "--json");
  const checks = json.checks as Check[];
  return { code, check: (name: string) => checks.find((check) => check.name === name) as Check, checks };
}

const NOWHERE = "http://127.0.0.1:9";

/** Returns a well-formed key that does not exist. */
function unknownKey(): string {
  return newSecret("api_key", createRandom(systemClock));
}

/** Starts a server that answers requests with an empty object, or with the fault of their path, and returns its address. */
async function answering(
  headers: Record<string, string>,
  faults: Record<string, object> = {},
): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const fault = faults[url];
    response.writeHead(fault ? 503 : 200, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(fault ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("tool doctor", () => {
  it("passes all checks on a healthy setup", async () => {
    const { tool } = await startOwner();
    const { code, json } = await tool("doctor", "--json");
    expect(code).toBe(0);
    expect(json.ok).toBe(true);
    const names = json.checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      "Settings",
      "Directories",
      "Server",
      "Store",
      "Clock",
      "Credential",
      "Secret store",
      "Entitlements",
      "Queue",
    ]);
  });

  it("names a failed check and its fix, and exits with 1", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    await tool("events", "record", "api.call");
    const { code, stdout } = await tool("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✖ Server .*The address comes from: TOOL_BASE_URL\.$/m);
    expect(stdout).toContain("tool serve");
    expect(stdout).toMatch(/^[✔!] Queue +1 event waiting/m);
  });

  it("reports no failure when no server is configured", async () => {
    const { code, checks } = await examined(user({ TOOL_BASE_URL: "" }));
    expect(code).toBe(0);
    expect(checks.filter(({ status }: { status: string }) => status === "failed")).toEqual([]);
  });

  it("says what to do about a certificate that is not trusted, other than starting a server", async () => {
    const server = createHttpsServer({ key: KEY, cert: CERTIFICATE });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { next } = (await examined(user({ TOOL_BASE_URL: url }))).check("Server");
    expect(next).toContain("which authority issued its certificate");
    expect(next).not.toContain("tool serve");
  });

  it("reports an unreachable server, and skips the checks that need one", async () => {
    const { code, check, checks } = await examined(user({ TOOL_BASE_URL: NOWHERE }));
    expect(code).toBe(1);
    expect(check("Server")).toMatchObject({ status: "failed", next: expect.stringContaining("tool serve") });
    expect(check("Server").detail).toContain("TOOL_BASE_URL");
    const skipped = checks.filter(({ status }) => status === "skipped").map(({ name }) => name);
    expect(skipped).toEqual(["Store", "Clock", "Credential", "Entitlements"]);
  });

  it("reports a server whose store takes no writes, as with a full disk", async () => {
    const url = await answering({ "X-Request-Id": "req_1" }, { "/ready": { read: true, write: false } });
    const { check } = await examined(user({ TOOL_BASE_URL: url }));
    expect(check("Store")).toMatchObject({
      status: "failed",
      detail: `${url} reads, writes nothing.`,
      next: expect.stringContaining("a full disk"),
    });
  });

  it("reports a wrong clock and the direction of its error", async () => {
    const hourAhead = new Date(systemClock.now() + 3_600_000).toUTCString();
    const url = await answering({ Date: hourAhead, "X-Request-Id": "req_1" });
    const { check } = await examined(user({ TOOL_BASE_URL: url }));
    expect(check("Clock")).toMatchObject({ status: "failed", next: expect.stringContaining("NTP") });
    expect(check("Clock").detail).toMatch(/^(59 min|1 h) behind the server's$/);
  });

  it("reports another program at the server's address, as tool whoami does", async () => {
    const person = user({ TOOL_BASE_URL: await answering({}), TOOL_TOKEN: unknownKey() });
    const { check } = await examined(person);
    expect(check("Server")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("not as a Toolplane server does"),
    });
    expect(await person.tool("whoami", "--json")).toMatchObject({
      code: 1,
      json: { error: "unexpected_answer", message: expect.stringContaining("is the base URL right?") },
    });
  });

  it("reports a directory that cannot be written, and the consequence", async () => {
    const person = user({ TOOL_BASE_URL: NOWHERE, XDG_CONFIG_HOME: "/dev/null/config" });
    const { check } = await examined(person);
    expect(check("Directories")).toMatchObject({
      status: "failed",
      detail: expect.stringMatching(
        /^\/dev\/null\/config\/toolplane is not writable .*settings cannot be changed/,
      ),
      next: expect.stringContaining("XDG_CONFIG_HOME"),
    });
  });

  it("reports unreadable settings, and names the file", async () => {
    const person = user();
    const file = join(person.home, ".config/toolplane/config.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{ no JSON");
    const { code, check, checks } = await examined(person);
    expect(code).toBe(1);
    expect(check("Settings")).toMatchObject({ status: "failed", detail: `${file} is not valid JSON.` });
    expect(checks.slice(1).every(({ status }) => status === "skipped")).toBe(true);
  });

  it("reports a credential that the server rejects, and how to get another", async () => {
    const { url } = await startApp();
    const person = user({ TOOL_BASE_URL: url, TOOL_TOKEN: unknownKey() });
    const { check } = await examined(person);
    expect(check("Credential")).toMatchObject({
      status: "failed",
      next: expect.stringContaining("TOOL_TOKEN"),
    });
    expect(check("Entitlements").status).toBe("skipped");
  });

  it("reports a queue that cannot be sent, with the reason", async () => {
    const person = user({ TOOL_BASE_URL: NOWHERE, TOOL_TOKEN: unknownKey() });
    await person.tool("events", "record", "api.call");
    await person.tool("events", "flush");
    expect((await examined(person)).check("Queue")).toMatchObject({
      status: "attention",
      detail: expect.stringMatching(/^1 event waiting; last attempt .*nothing listens/),
      next: expect.stringContaining("tool events flush"),
    });
  });
});
