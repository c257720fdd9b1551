import { describe, expect, it } from "vitest";
import { startOwner } from "../cli/support/owner.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { signedInVisitor, visitor } from "../web/support/visitor.ts";

const OWNER = { email: "owner@localhost", password: "correct horse battery staple", apiKey: OWNER_KEY };

describe("GET /api/v1/audit-log", () => {
  it("returns who changed what with which credential, from where, and the values before and after", async () => {
    const app = await startApp();
    const key = await app.key(["admin"]);
    const invited = await app.request("POST", "/api/v1/users", {
      key,
      body: { email: "b@example.com", role: "member" },
    });
    const { user: made } = invited.body;
    await app.request("PATCH", `/api/v1/users/${made.id}`, { key, body: { role: "viewer" } });
    const { body } = await app.request("GET", `/api/v1/audit-log?target=${made.id}`, { key });
    expect(body.items).toMatchObject([
      {
        action: "user.updated",
        target: { kind: "user", id: made.id, name: "b@example.com" },
        actor: { name: "owner@localhost", credential: { kind: "api_key" }, address: "127.0.0.1" },
        outcome: "done",
        before: { role: "member" },
        after: { role: "viewer" },
      },
      { action: "user.invited", actor: { requestId: invited.headers.get("X-Request-Id") } },
    ]);
    const since = encodeURIComponent(body.items[0].at);
    const later = await app.request("GET", `/api/v1/audit-log?since=${since}&action=user.updated`, { key });
    expect(later.body.items).toEqual([body.items[0]]);
    const never = await app.request("GET", `/api/v1/audit-log?since=${since}&until=${since}`, { key });
    expect(never.body).toMatchObject({
      status: 400,
      errors: [{ path: "since", message: "must be before until" }],
    });
  });

  it("lets admins read only their own account's log, and only on a plan with the gate audit_logs", async () => {
    const app = await startApp();
    const enterprise = await app.account("enterprise");
    const team = await app.account("team");
    const read = (key: string, query = "") => app.request("GET", `/api/v1/audit-log${query}`, { key });
    const own = await read(enterprise.token);
    expect(own.status).toBe(200);
    expect(new Set(own.body.items.map((entry: { accountId: string }) => entry.accountId))).toEqual(
      new Set([enterprise.accountId]),
    );
    const gated = await read(team.token);
    expect([gated.status, gated.body.error, gated.body.detail]).toEqual([
      403,
      "forbidden",
      expect.stringContaining("audit_logs"),
    ]);
    for (const whose of [team.accountId, "instance", "all", "acc_unknown"]) {
      const answer = await read(enterprise.token, `?accountId=${whose}`);
      expect([answer.status, answer.body.error]).toEqual([403, "insufficient_scope"]);
    }
    const reader = await app.key(["write"]);
    expect((await read(reader)).status).toBe(403);
    const bound = await app.key(["admin"], { projectId: "web" });
    expect((await read(bound)).body.error).toBe("forbidden");
    // A project's own plan grants no abilities of the account.
    await app.request("PUT", "/api/v1/projects/gift", { key: OWNER_KEY, body: { plan: "enterprise" } });
    const named = { "X-Project-Id": "gift" };
    expect((await app.request("GET", "/api/v1/audit-log", { key: team.token, headers: named })).status).toBe(
      403,
    );
  });

  it("lets an operator read the log of any account, of the instance and of all", async () => {
    const app = await startApp();
    const team = await app.account("team");
    const read = async (whose: string) => {
      const { body } = await app.request("GET", `/api/v1/audit-log?accountId=${whose}`);
      return new Set(body.items.map((entry: { accountId?: string }) => entry.accountId));
    };
    expect(await read(team.accountId)).toEqual(new Set([team.accountId]));
    await app.key(["read"]);
    const all = await read("all");
    expect(all.has(team.accountId)).toBe(true);
    expect(all.size).toBeGreaterThan(1);
    expect((await read("instance")).has(team.accountId)).toBe(false);
  });

  it("exports CSV with quoted formulas, and JSON lines", async () => {
    const app = await startApp();
    await app.request("POST", "/api/v1/keys", { body: { name: '=HYPERLINK("x"),', scopes: ["read"] } });
    for (let index = 0; index < 5; index++) await app.key(["read"]);
    const csv = await app.request("GET", "/api/v1/audit-log?action=key.created", {
      headers: { Accept: "text/csv" },
    });
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "at,action,outcome,target_kind,target_id,target_name,actor_id,actor_name,actor_account,credential_kind,credential_id,address,account,before,after,request_id,id",
    );
    expect(lines).toHaveLength(7);
    expect(lines[6]).toContain(`,"'=HYPERLINK(""x""),",`);
    const json = await app.request("GET", "/api/v1/audit-log?action=key.created", {
      headers: { Accept: "application/jsonl" },
    });
    const listed = await app.request("GET", "/api/v1/audit-log?action=key.created");
    expect(
      json.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(listed.body.items);
  });
});

describe("the page /audit", () => {
  it("can be searched and filtered, and exports the result", async () => {
    const app = await startApp({ owner: OWNER });
    await app.key(["read"]);
    const browser = await signedInVisitor(app.url, OWNER);
    const page = await browser.get("/audit");
    expect(page.text).toMatch(
      /key\.created (?:just now|\d+ s ago) test owner@localhost from 127\.0\.0\.1 request …/,
    );
    const narrow =
      /href="(\/audit\?[^"]*target=key_[^"]+)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await browser.get(narrow)).text).not.toContain("session.started");
    const searched = await browser.get("/audit?query=SESSION.&outcome=done&since=nonsense");
    expect(searched.text).toContain("session.started");
    expect(searched.text).not.toContain("key.created test");
    const file = /href="(\/audit\/export[^"]*)"/.exec(searched.html)?.[1]?.replaceAll("&amp;", "&");
    const csv = await browser.get(file ?? "");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.html.split("\r\n")[1]).toContain("session.started,done,user");
    const refused = await browser.get("/audit?query=nothing-like-it");
    expect(refused.text).toContain("Nothing.");
  });

  it("explains a missing scope or gate, and refuses the export", async () => {
    const app = await startApp();
    const { token } = await app.account("team");
    const invited = await app.request("POST", "/api/v1/users", {
      key: token,
      body: { email: "b@team.example", role: "admin" },
    });
    const browser = visitor(app.url);
    const link = new URL(invited.body.signInLink);
    await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
    expect((await browser.get("/audit?of=all")).text).toContain('needs the scope "operator"');
    expect((await browser.get("/audit")).text).toContain('needs a plan with the gate "audit_logs"');
    const file = await browser.get("/audit/export?format=csv");
    expect([file.status, file.html.includes("user.invited")]).toEqual([403, false]);
  });
});

describe("tool audit list", () => {
  it("lists entries by action, actor and time", async () => {
    const { tool } = await startOwner();
    expect((await tool("audit", "list")).stdout).toContain("Nothing was changed yet.");
    await tool("users", "invite", "ada@example.com");
    await tool("keys", "create", "ci", "--expires-in-days", "90");
    const all = await tool("audit", "list");
    expect(all.stdout).toMatch(/expiresAt 20\d\d-\d\d-\d\d \d\d:\d\d UTC/);
    expect(all.stdout).toMatch(/key\.created +ci +owner@localhost/);
    expect(all.stdout).toMatch(/user\.invited +ada@example\.com/);
    const some = await tool(
      "audit",
      "list",
      "--action",
      "key.created",
      "--actor",
      "owner@localhost",
      "--json",
    );
    expect(some.json.items).toMatchObject([{ action: "key.created", target: { name: "ci" } }]);
    expect((await tool("audit", "list", "--since", "2999-01-01")).stdout).toContain("No such entry.");
    expect((await tool("audit", "list", "--since", "soon")).code).toBe(2);
    expect((await tool("audit", "list", "--until", "2026-02-30T09:00Z")).code).toBe(2);
  });

  it("tells what was taken away from what was set", async () => {
    const { tool } = await startOwner();
    const made = await tool(
      "accounts",
      "create",
      "Acme",
      "--owner",
      "ada@example.com",
      "--plan",
      "pro",
      "--json",
    );
    const { id } = made.json.account;
    await tool("accounts", "suspend", id);
    await tool("accounts", "resume", id);
    const { stdout } = await tool("audit", "list", "--account", id);
    const time = /suspendedAt 20\d\d-\d\d-\d\d \d\d:\d\d UTC/.source;
    expect(stdout).toMatch(new RegExp(`account\\.suspended .*${time} {2}`));
    expect(stdout).toMatch(new RegExp(`account\\.resumed .*${time} (→|->) none {2}`));
  });
});
