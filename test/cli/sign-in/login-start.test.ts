import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { decide } from "../support/device-flow.ts";
import { everythingIn } from "../support/files.ts";
import { user } from "../support/tool.ts";

describe("tool login --start and --resume", () => {
  it("gives the code at once and the outcome later, the device code in memory alone", async () => {
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

  it("reports a denial as login itself does", async () => {
    const app = await startApp();
    const { tool } = user({ TOOL_BASE_URL: app.url });
    const { json } = await tool("login", "--start", "--json");
    await decide(app, json.userCode, "deny");
    const finished = await tool("login", "--resume", "--json");
    expect(finished.code).toBe(1);
    expect(finished.json).toMatchObject({ error: "access_denied" });
  });

  it("fails to start where no server answers", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    expect(await tool("login", "--start")).toMatchObject({ code: 6 });
  });

  it("has nothing to resume where nothing was started", async () => {
    const { tool } = user();
    const { code, stderr } = await tool("login", "--resume");
    expect(code).toBe(2);
    expect(stderr).toContain("tool login --start");
  });
});
