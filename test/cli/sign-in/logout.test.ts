import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { decide } from "../support/device-flow.ts";
import { everythingIn } from "../support/files.ts";
import { user } from "../support/tool.ts";

describe("tool logout", () => {
  it("revokes the tokens and deletes the stored copies", async () => {
    const app = await startApp();
    const { start, tool, dataDirectory } = user({ TOOL_BASE_URL: app.url });
    const login = start(["login"]);
    const [, userCode] = await login.until("stderr", /Enter {2}(\S+)/);
    await decide(app, userCode!, "approve");
    await login.finished;
    const accessToken = /tat_\w+/.exec(everythingIn(dataDirectory))?.[0] as string;
    expect((await app.request("GET", "/api/v1/account", { key: accessToken })).status).toBe(200);
    expect((await tool("logout", "--json")).json).toMatchObject({ status: "signed_out", revoked: true });
    expect((await app.request("GET", "/api/v1/account", { key: accessToken })).status).toBe(401);
    expect(everythingIn(dataDirectory)).not.toMatch(/tat_|trt_/);
    expect((await tool("whoami")).code).toBe(4);
    expect(await tool("logout")).toMatchObject({ code: 0 });
  });
});
