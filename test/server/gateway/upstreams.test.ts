import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, signIn, startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { calling, LIST, post, startBefore, startUpstream, tools } from "../../support/services/upstream.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { OWNER } from "../../web/support/pages.ts";
import { signedInVisitor } from "../../web/support/visitor.ts";

describe("GET /api/v1/upstreams", () => {
  it("lists the address and state of an upstream, and which gated items the plan includes", async () => {
    const upstream = await startUpstream();
    const rules = {
      title: "The library",
      tools: { "export_*": { gate: "audit_logs" } },
      resources: { "vault://*": { gate: "skills.basic" } },
    };
    const app = await startBefore(upstream.url, rules);
    const { token } = await app.account("free");
    const { items } = (await app.request("GET", "/api/v1/upstreams", { key: token })).body;
    expect(items).toEqual([
      {
        name: "up",
        title: "The library",
        url: `${app.url}/mcp/up`,
        transport: "http",
        state: "up",
        gated: [
          {
            kind: "tools",
            pattern: "export_*",
            gate: "audit_logs",
            requiredPlan: "enterprise",
            requiredPlanName: "Enterprise",
            allowed: false,
          },
          {
            kind: "resources",
            pattern: "vault://*",
            gate: "skills.basic",
            requiredPlan: "free",
            requiredPlanName: "Free",
            allowed: true,
          },
        ],
      },
    ]);
    expect(JSON.stringify(items)).not.toContain(upstream.url);
    await upstream.stop();
    for (let id = 0; id < 5; id++) await post(app, calling("echo", {}, id));
    expect((await app.request("GET", "/api/v1/upstreams")).body.items[0].state).toBe("failing");
  });

  it("says with what an upstream failed last, to operators alone", async () => {
    const clock = fakeClock();
    const upstream = await startUpstream();
    const owner = { email: OWNER.email, password: OWNER.password, apiKey: OWNER_KEY };
    const app = await startBefore(upstream.url, {}, { clock, owner });
    const shown = async (key = OWNER_KEY) =>
      (await app.request("GET", "/api/v1/upstreams/up", { key })).body.lastFailure;
    await post(app, calling("echo"));
    expect(await shown()).toBe(undefined);
    await upstream.stop();
    const at = new Date(clock.now()).toISOString();
    await post(app, calling("echo"));
    const port = new URL(upstream.url).port;
    expect(await shown()).toEqual({
      at,
      because: expect.stringMatching(new RegExp(`^up cannot be reached .*ECONNREFUSED.*:${port}\\)$`)),
    });
    // A pause after several failures follows from these, and does not hide them.
    clock.advance(1000);
    for (let id = 0; id < 5; id++) await post(app, calling("echo", {}, id));
    expect((await shown()).because).toContain("ECONNREFUSED");
    expect(await shown((await app.account("team")).token)).toBe(undefined);
    const person = await signedInVisitor(app.url, OWNER);
    expect((await person.get("/upstreams")).text).toMatch(/It failed .*: up cannot be reached/);
  });

  it("shows a program as failing that does not start, before anybody asks it, and as up once it does", async () => {
    const program = join(temporaryDirectory(), "program.cjs");
    const app = await startBefore(undefined, { command: [process.execPath, program] });
    const shown = async () => {
      const { items } = (await app.request("GET", "/api/v1/upstreams")).body;
      const [, up] =
        /upstream_up\{upstream="up"\} (\d)/.exec((await app.request("GET", "/metrics")).text) ?? [];
      return [items[0].state, up];
    };
    await expect.poll(shown, { timeout: 10_000 }).toEqual(["failing", "0"]);
    await post(app, calling("echo"));
    const { lastFailure } = (await app.request("GET", "/api/v1/upstreams/up")).body;
    expect(lastFailure.because).toMatch(/\(ended with 1\)$/);
    writeFileSync(
      program,
      `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const result = { protocolVersion: "2025-11-25", capabilities: {} };
        const answer = method === "initialize" ? { result } : { error: { code: -32601, message: "unknown" } };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      });`,
    );
    await expect.poll(shown, { timeout: 20_000 }).toEqual(["up", "1"]);
  });

  it("shows the calls of an account by tool and caller, and all tools and accounts to an operator", async () => {
    const clock = fakeClock();
    const listed = [{ name: "echo" }, { name: "export_csv" }, { name: "a/b" }];
    const upstream = await startUpstream(
      tools(listed, (name) => ({ content: [], ...(name === "a/b" && { isError: true }) })),
    );
    const app = await startBefore(upstream.url, { tools: { "export_*": { gate: "audit_logs" } } }, { clock });
    const { token, accountId } = await app.account("free");
    await post(app, LIST);
    const show = async (key?: string) =>
      (await app.request("GET", "/api/v1/upstreams/up", key === undefined ? {} : { key })).body;
    await post(app, calling("echo", {}, 1), { key: token });
    await post(app, calling("export_csv", {}, 2), { key: token });
    await post(app, calling("a/b", {}, 3), { key: token });
    await post(app, calling("made-up", {}, 4), { key: token });
    const key = await app.key(["read"]);
    await post(app, calling("echo", {}, 1), { key });
    const theirs = await show(token);
    expect(theirs.callers.map(({ tool, calls }: { tool: string; calls: number }) => [tool, calls])).toEqual([
      ["(unlisted)", 1],
      ["a/b", 1],
      ["echo", 1],
      ["export_csv", 1],
    ]);
    expect(theirs.callers[0].who).toMatch(/^usr_/);
    expect(theirs.callers[0].name).toMatch(/@/);
    expect([theirs.tools, theirs.accounts]).toEqual([undefined, undefined]);
    const ours = await show();
    expect(ours.callers).toEqual([
      { tool: "echo", who: expect.stringMatching(/^key_/), name: expect.any(String), calls: 1 },
    ]);
    expect(ours.tools).toEqual([
      { tool: "echo", calls: 2, errors: 0, failed: 0, cancelled: 0, refused: 0, p95Ms: 5 },
      { tool: "(unlisted)", calls: 1, errors: 0, failed: 0, cancelled: 0, refused: 0, p95Ms: 5 },
      { tool: "a/b", calls: 1, errors: 1, failed: 0, cancelled: 0, refused: 0, p95Ms: 5 },
      { tool: "export_csv", calls: 1, errors: 0, failed: 0, cancelled: 0, refused: 1, p95Ms: null },
    ]);
    expect(ours.accounts).toEqual([
      { id: accountId, name: "free", calls: 4 },
      { id: expect.any(String), name: "default", calls: 1 },
    ]);
    const bound = await show(await app.key(["operator"], { projectId: "default" }));
    expect(bound).toMatchObject({ callers: ours.callers });
    expect([bound.tools, bound.accounts]).toEqual([undefined, undefined]);
    expect((await app.request("GET", "/api/v1/upstreams/other")).status).toBe(404);
  });

  it("names the callers of a project to admins, and to a member itself alone", async () => {
    const upstream = await startUpstream(tools([{ name: "echo" }]));
    const app = await startBefore(upstream.url, {});
    await post(app, LIST);
    const email = "bob@example.test";
    const { signInLink } = (await app.request("POST", "/api/v1/users", { body: { email, role: "member" } }))
      .body;
    const { account } = (await app.request("GET", "/api/v1/account")).body;
    const bob = await signIn(app, account.id, signInLink);
    const admins = await app.key(["read"]);
    for (const key of [bob, bob, admins, undefined])
      await post(app, calling("echo", {}, 1), key ? { key } : {});
    const shownTo = async (key?: string) =>
      (await app.request("GET", "/api/v1/upstreams/up", key ? { key } : {})).body.callers;
    const named = { tool: "echo", calls: 2, who: expect.stringMatching(/^usr_/), name: email };
    expect(await shownTo()).toHaveLength(3);
    expect(await shownTo()).toContainEqual(named);
    expect(await shownTo(bob)).toEqual([{ tool: "echo", who: "others", calls: 2 }, named]);
  });
});

describe("an operator's question about another account", () => {
  it("is answered by its plan, and by its calls in all its projects", async () => {
    const upstream = await startUpstream(tools([{ name: "echo" }]));
    const app = await startBefore(upstream.url, { tools: { "export_*": { gate: "audit_logs" } } });
    const { token, accountId } = await app.account("free");
    await post(app, LIST);
    const projects = ["shop", "shop", "web"];
    for (const [id, project] of projects.entries()) {
      await post(app, calling("echo", {}, id), { key: token, headers: { "X-Project-Id": project } });
    }
    await post(app, calling("echo", {}, 9));
    const asked = (path: string, key?: string, id = accountId) =>
      app.request("GET", `/api/v1/upstreams${path}?accountId=${id}`, key === undefined ? {} : { key });
    const shown = (await asked("/up")).body;
    expect(shown.callers).toEqual([
      { tool: "echo", who: expect.stringMatching(/^usr_/), name: expect.stringMatching(/@/), calls: 3 },
    ]);
    expect([shown.tools, shown.accounts]).toEqual([undefined, undefined]);
    expect(shown.upstream.gated).toMatchObject([{ gate: "audit_logs", allowed: false }]);
    expect((await asked("")).body.items[0].gated).toMatchObject([{ allowed: false }]);
    expect((await asked("", token)).body).toMatchObject({ error: "insufficient_scope", scope: "operator" });
    expect((await app.request("GET", "/api/v1/upstreams")).body.items[0].gated).toMatchObject([
      { allowed: true },
    ]);
    for (const path of ["", "/up"]) {
      const unknown = await asked(path, undefined, "acc_unknown");
      expect(unknown.body).toMatchObject({
        error: "not_found",
        detail: 'There is no account "acc_unknown".',
      });
      const { account } = (await app.request("GET", "/api/v1/account")).body;
      expect((await asked(path, token, account.id)).body).toMatchObject({ error: "insufficient_scope" });
      const bound = await app.key(["read"], { projectId: "default" });
      expect((await asked(path, bound, account.id)).body).toMatchObject({ error: "forbidden" });
    }
  });
});

describe("the console page of upstreams", () => {
  it("shows an operator what the API answers, and is 404 without upstreams", async () => {
    const owner = { email: OWNER.email, password: OWNER.password, apiKey: OWNER_KEY };
    const upstream = await startUpstream();
    const app = await startBefore(
      upstream.url,
      { title: "The library", description: "Books <and> more" },
      { owner },
    );
    await post(app, LIST);
    await post(app, calling("echo"));
    const person = await signedInVisitor(app.url, OWNER);
    expect((await person.get("/")).text).toContain("1 call this month");
    const page = await person.get("/upstreams");
    expect([page.status, page.html.includes("<script>")]).toEqual([200, false]);
    for (const shown of ["The library", `${app.url}/mcp/up`, "Books <and> more", "Refused by plan", "echo"]) {
      expect(page.text).toContain(shown);
    }
    const bare = await startApp({ owner });
    const visit = await signedInVisitor(bare.url, OWNER);
    expect((await visit.get("/upstreams")).status).toBe(404);
  });
});

describe("the protected resource metadata of an upstream", () => {
  it("names the upstream as its own resource and this server as authorization server (RFC 9728)", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, { title: "The library" });
    const { body } = await app.request("GET", "/.well-known/oauth-protected-resource/mcp/up", { key: null });
    expect(body).toMatchObject({
      resource: `${app.url}/mcp/up`,
      authorization_servers: [app.url],
      resource_name: "The library",
    });
    const other = await app.request("GET", "/.well-known/oauth-protected-resource/mcp/other", { key: null });
    expect(other.status).toBe(404);
  });
});
