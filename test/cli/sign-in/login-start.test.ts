import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { decide } from "../support/device-flow.ts";
import { everythingIn } from "../support/files.ts";
import { user } from "../support/tool.ts";

describe("tool login --start and --resume", () => {
  it("print the code at once and the outcome later, and never store the device code", async () => {
    const app = await startApp();
    const { tool, start, home } = user({ TOOL_BASE_URL: app.url });
    const started = await tool("login", "--start", "--json");
    expect(started.code).toBe(0);
    expect(started.json).toMatchObject({
      status: "pending",
      baseUrl: app.url,
      verificationUri: `${app.url}/device`,
      next: "tool login --resume",
    });
    // Device codes are 43 characters of base64url.
    expect(everythingIn(home)).not.toMatch(/[\w-]{43}/);
    const resumed = start(["login", "--resume", "--json"]);
    await decide(app, started.json.userCode, "approve");
    const finished = await resumed.finished;
    expect(finished.code).toBe(0);
    expect(finished.json).toMatchObject({ status: "signed_in", user: { email: "owner@localhost" } });
  });

  it("report a denial as tool login does", async () => {
    const app = await startApp();
    const { tool } = user({ TOOL_BASE_URL: app.url });
    const { json } = await tool("login", "--start", "--json");
    await decide(app, json.userCode, "deny");
    const finished = await tool("login", "--resume", "--json");
    expect(finished.code).toBe(1);
    expect(finished.json).toMatchObject({ error: "access_denied" });
  });

  it("fail with exit code 6 when no server answers", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    expect(await tool("login", "--start")).toMatchObject({ code: 6 });
  });

  it("refer to --start when there is nothing to resume", async () => {
    const { tool } = user();
    const { code, stderr } = await tool("login", "--resume");
    expect(code).toBe(2);
    expect(stderr).toContain("tool login --start");
  });
});
