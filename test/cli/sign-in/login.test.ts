import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { decide } from "../support/device-flow.ts";
import { user } from "../support/tool.ts";

describe("tool login", () => {
  it("prints code and address line by line in a pipe, then the user after approval", async () => {
    const app = await startApp();
    const { start, tool } = user({ TOOL_BASE_URL: app.url });
    const login = start(["login"]);
    const [, userCode] = await login.until("stderr", /Enter {2}([A-Z]{4}-[A-Z]{4})\n/);
    await login.until("stderr", new RegExp(`Open {3}${app.url}/device\n`));
    await decide(app, userCode!, "approve");
    const { code, stdout, stderr } = await login.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("✔ Signed in as owner@localhost (account default, plan Enterprise)");
    expect(stdout).toContain("Scopes read write");
    for (const unwanted of ["\u001b", "tat_", "trt_"]) expect(stdout + stderr).not.toContain(unwanted);
    expect((await tool("whoami", "--json")).json).toMatchObject({
      user: { email: "owner@localhost" },
      credential: { kind: "access_token", scopes: ["read", "write"], renews: true },
    });
  });

  it("exits with 1 and stores nothing after a denial", async () => {
    const app = await startApp();
    const { start, tool } = user({ TOOL_BASE_URL: app.url });
    const login = start(["login", "--json"]);
    const [, userCode] = await login.until("stderr", /Enter {2}(\S+)/);
    await decide(app, userCode!, "deny");
    const finished = await login.finished;
    expect(finished.code).toBe(1);
    expect(finished.json).toMatchObject({ error: "access_denied", exitCode: 1 });
    expect((await tool("whoami")).code).toBe(4);
  });

  it("requests the scopes of --scope", async () => {
    const app = await startApp();
    const { start } = user({ TOOL_BASE_URL: app.url });
    const login = start(["login", "--scope", "read admin", "--json"]);
    const [, userCode] = await login.until("stderr", /Enter {2}(\S+)/);
    await decide(app, userCode!, "approve");
    expect((await login.finished).json).toMatchObject({ status: "signed_in", scopes: ["read", "admin"] });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("on %s exits with %i and stores nothing", async (signal, code) => {
    const app = await startApp();
    const { start, tool } = user({ TOOL_BASE_URL: app.url });
    const login = start(["login"]);
    await login.until("stderr", /Waiting for approval/);
    login.child.kill(signal);
    expect((await login.finished).code).toBe(code);
    expect((await tool("whoami")).code).toBe(4);
  });

  it("refuses to sign in while TOOL_TOKEN is set", async () => {
    const { tool } = user({ TOOL_TOKEN: OWNER_KEY });
    const { code, stderr } = await tool("login");
    expect(code).toBe(2);
    expect(stderr).toContain("TOOL_TOKEN is set");
  });

  it("does not sign in to any other server", async () => {
    const [one, other] = [await startApp(), await startApp()];
    const { tool, piped } = user({ TOOL_BASE_URL: one.url });
    expect((await piped(OWNER_KEY, "login", "--with-token")).code).toBe(0);
    expect((await tool("whoami")).code).toBe(0);
    expect((await tool("whoami", "--base-url", other.url)).code).toBe(4);
  });
});

describe("tool login --with-token", () => {
  it("checks and stores a key without printing the key", async () => {
    const app = await startApp();
    const { tool, piped } = user({ TOOL_BASE_URL: app.url });
    const key = await app.key(["read"]);
    const finished = await piped(`${key}\n`, "login", "--with-token", "--json");
    expect(finished.json).toMatchObject({ status: "signed_in", scopes: ["read"], renews: false });
    expect(finished.stdout + finished.stderr).not.toContain(key);
    expect((await tool("whoami")).code).toBe(0);
  });

  it("keeps the previous sign-in when the token is refused", async () => {
    const app = await startApp();
    const { tool, piped } = user({ TOOL_BASE_URL: app.url });
    for (const [token, code] of [
      [OWNER_KEY, 0],
      ["nonsense", 4],
    ] as const) {
      expect((await piped(token, "login", "--with-token")).code).toBe(code);
    }
    expect((await tool("whoami")).code).toBe(0);
  });

  it("exits with 2 without a token on stdin", async () => {
    const { tool } = user();
    expect(await tool("login", "--with-token")).toMatchObject({ code: 2 });
  });
});
