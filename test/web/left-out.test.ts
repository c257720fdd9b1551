import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { browserOn } from "../support/browsing.ts";

const SAID = "Left out, since it cannot be shown";

describe("a page with invalid query parameters", () => {
  it.each([
    ["/usage?from=zz", "from “zz”."],
    ["/usage?from=2026-02-31&to=2026-03-02", "from “2026-02-31”, to “2026-03-02”."],
    ["/usage?from=2026-03-02&to=2026-03-01", "from “2026-03-02”, to “2026-03-01”."],
    ["/usage?period=9y&each=minute", "period “9y”, each “minute”."],
    ["/usage?type=nothing&by=colour", "by “colour”, type “nothing”."],
    ["/people?status=gone", "status “gone”."],
    ["/projects?state=gone", "state “gone”."],
    ["/server/accounts?plan=gold&state=gone", "plan “gold”, state “gone”."],
    ["/anomalies?severity=dire&state=gone", "severity “dire”, state “gone”."],
    ["/errors?state=gone&sort=colour", "state “gone”, sort “colour”."],
    ["/people?sort=-colour", "sort “-colour”."],
    ["/server/accounts?sort=colour", "sort “colour”."],
    ["/audit?since=soon", "since “soon”."],
    ["/audit?until=2026-02-30&outcome=maybe", "outcome “maybe”, until “2026-02-30”."],
  ])("%s names the ignored ones", async (path, said) => {
    const { text } = await (await browserOn(await startApp())).get(path);
    expect(text).toContain(`${SAID}: ${said}`);
  });

  it.each([
    "/usage",
    "/usage?period=7d&each=hour&by=key&type=api_calls&month=2026-99",
    "/audit?outcome=done",
    "/server/accounts?plan=team&state=active",
    "/anomalies?severity=high&state=all",
    "/errors?state=ignored&sort=count",
    "/people?sort=-role",
    "/server/accounts?sort=refused",
  ])("%s ignores none", async (path) =>
    expect((await (await browserOn(await startApp())).get(path)).text).not.toContain(SAID),
  );

  it("names an ignored order of keys and projects, once there are some", async () => {
    const app = await startApp();
    await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read"] } });
    await app.request("PUT", "/api/v1/projects/shop", { body: {} });
    const browser = await browserOn(app);
    for (const path of ["/keys", "/projects"]) {
      expect((await browser.get(`${path}?sort=colour`)).text).toContain(`${SAID}: sort “colour”.`);
      expect((await browser.get(`${path}?sort=-createdAt`)).text).not.toContain(SAID);
    }
  });

  it("names an ignored state of pair sessions while one is active", async () => {
    const app = await startApp();
    const participants = [{ id: "a", role: "driver" }];
    await app.request("POST", "/api/v1/tools/pair/session", { body: { participants } });
    const { text } = await (await browserOn(app)).get("/pair?state=gone");
    expect(text).toContain(`${SAID}: state “gone”.`);
  });
});
