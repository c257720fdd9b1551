import { describe, expect, it } from "vitest";
import { OWNER_KEY } from "../support/app.ts";
import { startOwner } from "./support/owner.ts";
import { user } from "./support/tool.ts";

describe("tool keys", () => {
  it("creates a key, shows its secret once, omits it from the list, and revokes the key at once", async () => {
    const { app, tool } = await startOwner();
    const made = (
      await tool("keys", "create", "ci", "--scopes", "read write", "--expires-in-days", "3", "--json")
    ).json;
    expect(made.key).toMatchObject({ name: "ci", scopes: ["read", "write"] });
    expect((await app.request("GET", "/api/v1/account", { key: made.secret })).status).toBe(200);
    const listed = await tool("keys", "list");
    expect(listed.stdout).toMatch(/^ci +key_\w+ +tak_\w+… +read write +all +\S+( \w+)* +in 3 days$/m);
    expect(listed.stdout).not.toContain(made.secret);
    expect((await tool("keys", "revoke", made.key.id)).code).toBe(0);
    expect((await app.request("GET", "/api/v1/account", { key: made.secret })).status).toBe(401);
    expect((await tool("keys", "list", "--json")).json).toEqual({ items: [] });
    expect((await tool("keys", "list")).stdout).toContain("tool keys create");
  });

  it("renames, binds, expires, rotates, shows and finds a key by its name", async () => {
    const { app, tool } = await startOwner();
    const { secret } = (await tool("keys", "create", "ci", "--only-from", "192.0.2.1", "--json")).json;
    const works = async (key: string) => (await app.request("GET", "/api/v1/account", { key })).status;
    expect(await works(secret)).toBe(403);
    expect((await tool("keys", "rename", "ci", "deploy")).code).toBe(0);
    const bound = await tool("keys", "bind", "deploy", "--anywhere", "--tools", "usage.track agent_memory_*");
    expect(bound.stdout).toContain("deploy: read write, usage.track agent_memory_* alone, never expires.");
    expect((await tool("keys", "expire", "deploy", "--in-days", "90")).stdout).toContain(
      "expires in 90 days",
    );
    const rotated = (await tool("keys", "rotate", "deploy", "--overlap", "24h", "--json")).json;
    expect([await works(secret), await works(rotated.secret)]).toEqual([200, 200]);
    const { stdout } = await tool("keys", "show", "deploy");
    expect(stdout).toMatch(/Made +\S+( s ago)? by owner@localhost\n/);
    expect(stdout).toMatch(/Old secret +begins with tak_\w+, ends in (1 day|23 h)\n/);
    expect(stdout).toMatch(/Used +\S+( s ago)? from 127\.0\.0\.1\n/);
    expect((await tool("keys", "list", "--query", "deplo", "--sort", "-name")).stdout).toContain("deploy");
    await tool("keys", "create", "deploy");
    expect((await tool("keys", "revoke", "deploy")).stderr).toContain("Several keys are called deploy");
    expect((await tool("keys", "revoke", "ci")).stderr).toContain("no key ci");
    expect((await tool("keys", "rotate", "deploy", "--overlap", "31d")).code).toBe(2);
    expect((await tool("keys", "bind", rotated.key.id, "--from", "192.0.2.1", "--anywhere")).code).toBe(2);
    expect((await tool("keys", "bind", rotated.key.id)).stderr).toContain("Nothing to change");
  });

  it("lets the operator suspend, resume and revoke a key of another account by its name", async () => {
    const { app, tool } = await startOwner();
    const { accountId, token } = await app.account("team");
    expect((await tool("keys", "list", "--account", accountId)).stdout).toContain(
      `${accountId} has no API keys.`,
    );
    const body = { name: "loud", scopes: ["read"] };
    const { secret } = (await app.request("POST", "/api/v1/keys", { key: token, body })).body;
    const works = async () => (await app.request("GET", "/api/v1/account", { key: secret })).status;
    const of = ["--account", accountId];
    expect((await tool("keys", "suspend", "loud")).stderr).toContain("This account has no key loud");
    expect((await tool("keys", "suspend", "loud", ...of)).stdout).toContain("loud: suspended");
    expect(await works()).toBe(401);
    expect((await tool("keys", "resume", "loud", ...of)).code).toBe(0);
    expect(await works()).toBe(200);
    expect((await tool("keys", "list", ...of)).stdout).toContain("loud");
    expect((await tool("keys", "show", "loud", ...of)).stdout).toContain("by owner-1@example.test");
    expect((await tool("keys", "revoke", "loud", ...of)).stdout).toContain("API key loud revoked");
    expect(await works()).toBe(401);
    const unknown = await tool("keys", "revoke", "loud", ...of);
    expect(unknown.stderr).toContain(`tool keys list --account ${accountId}`);
  });

  it("follows the pages of the list up to --limit", async () => {
    const { app, tool } = await startOwner();
    await Promise.all(Array.from({ length: 205 }, () => app.key(["read"])));
    expect((await tool("keys", "list", "--limit", "1000", "--json")).json.items).toHaveLength(205);
    const some = (await tool("keys", "list", "--limit", "201", "--json")).json;
    expect(some.items).toHaveLength(201);
    expect(some.nextCursor).toEqual(expect.any(String));
  });

  it("names the scope that is missing", async () => {
    const { app, tool } = await startOwner();
    const key = await app.key(["read"]);
    const reader = user({ TOOL_BASE_URL: app.url, TOOL_TOKEN: key });
    const refused = await reader.tool("keys", "create", "ci");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/scope "admin"[\s\S]*Request req_/);
    expect((await tool("keys", "create", "ci", "--scopes", "read,sudo")).code).toBe(2);
  });
});

describe("tool users", () => {
  it("invites a user by a link, then changes, suspends, resumes and removes the user", async () => {
    const { app, tool } = await startOwner();
    const added = (await tool("users", "invite", "ada@example.com", "--role", "admin", "--json")).json;
    expect(added.user).toMatchObject({ email: "ada@example.com", role: "admin", status: "invited" });
    expect(added.signInLink).toContain(`${app.url}/sign-in?link=`);
    expect((await tool("users", "list")).stdout).toMatch(/^ada@example\.com +usr_\w+ +admin +invited/m);
    const renewed = (await tool("users", "renew", "ADA@example.com", "--json")).json;
    expect(renewed.signInLink).not.toBe(added.signInLink);
    await tool("users", "role", "ada@example.com", "--to", "viewer");
    await tool("users", "suspend", "ada@example.com");
    const listed = (await tool("users", "list", "--status", "suspended", "--query", "ADA", "--json")).json;
    expect(listed.items).toMatchObject([{ id: added.user.id, role: "viewer", status: "suspended" }]);
    await tool("users", "resume", added.user.id);
    expect((await tool("users", "list", "--status", "suspended", "--json")).json.items).toEqual([]);
    const nobody = await tool("users", "remove", "bob@example.com");
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining("no user bob@example.com")]);
    expect((await tool("users", "remove", "ada@example.com")).code).toBe(0);
    expect((await tool("users", "list", "--json")).json.items).toHaveLength(1);
    const { stderr } = await tool("audit", "list", "--account", "all", "--actor", "ada@example.com");
    expect(stderr).toContain("tool audit list --query ada@example.com --account all");
    const since = await tool("audit", "list", "--since", "1h");
    expect(since.stdout).toMatch(/user\.invitation_withdrawn +ada@example\.com/);
    expect((await tool("audit", "list", "--until", "1h")).stdout).toContain("No such entry");
    const mistyped = await tool("audit", "list", "--action", "user.invted");
    expect(mistyped.stdout).toContain("No action is known as user.invted. Did you mean user.invited");
    const known = await tool("audit", "list", "--action", "key.revoked");
    expect(known.stdout.trim()).toBe("No such entry. See the latest: tool audit list");
    for (const text of ["5", "Nov 30", "yesterday"]) {
      const refused = await tool("audit", "list", "--since", text);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--since takes a time") });
    }
  });
});

describe("tool account", () => {
  it("exports everything without secrets, and does not close an account without --yes", async () => {
    const { tool } = await startOwner();
    await tool("memory", "store", "The build fails at midnight.");
    const exported = await tool("account", "export");
    const documents = exported.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(documents).toContainEqual(expect.objectContaining({ collection: "users" }));
    expect(exported.stdout).toContain("The build fails at midnight.");
    expect(exported.stdout).not.toContain("secretHash");
    const own = await tool("account", "export", "--me");
    const ofPerson = await tool("account", "export", "--person", "owner@localhost");
    for (const { stdout } of [own, ofPerson]) {
      const collections = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).collection);
      expect(collections).toEqual(expect.arrayContaining(["people", "users", "audit_entries"]));
    }
    const { accountId } = documents.find(({ collection }) => collection === "users").value;
    expect((await tool("account", "export", "--account", accountId)).stdout).toContain("at midnight");
    const elsewhere = await tool("account", "export", "--account", "acc_0");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("no account acc_0")]);
    expect((await tool("account", "export", "--me", "--person", "x")).code).toBe(2);
    const unasked = await tool("account", "close");
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
    const refused = await tool("account", "close", "--yes");
    expect(refused.stderr).toContain("cannot be closed");
    expect((await tool("account", "leave", "--yes")).stderr).toContain("cannot be removed");
    expect((await tool("account", "keep")).stderr).toContain("not closed");
  });
});

describe("the lines of tool account export", () => {
  it("hold every character of a document, also those that a terminal must not get", async () => {
    const { app, tool } = await startOwner();
    const content = "Soft\u00adhyphen, zero\u200bwidth, \u202eoverride, line\u2028separator, \u007f.";
    await app.request("POST", "/api/v1/tools/agent-memory/store", { key: OWNER_KEY, body: { content } });
    const { stdout } = await tool("account", "export");
    const lines = stdout.trimEnd().split("\n");
    const documents = lines.map((line) => JSON.parse(line));
    expect(documents).toContainEqual(
      expect.objectContaining({ collection: "agent_memories", value: expect.objectContaining({ content }) }),
    );
    expect(stdout).not.toContain("\u202e");
  });
});

describe("the lifecycle of a project", () => {
  it("covers renaming, archiving, restoring and deleting", async () => {
    const { tool } = await startOwner();
    await tool("projects", "set", "shop", "--name", "Shop");
    const wrong = await tool("projects", "archive", "shpo");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean shop?") });
    expect((await tool("projects", "rename", "shop", "Web shop")).stdout).toContain("shop (Web shop)");
    expect((await tool("projects", "archive", "shop")).code).toBe(0);
    expect((await tool("projects", "list")).stdout).not.toMatch(/^shop/m);
    expect((await tool("projects", "list", "--state", "archived")).stdout).toMatch(/^shop +Web shop/m);
    expect(await tool("track", "api_calls", "--project", "shop")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("tool projects restore shop"),
    });
    expect((await tool("events", "list", "--json")).json.events).toBe(0);
    expect((await tool("usage", "--project", "shop")).code).toBe(0);
    await tool("projects", "restore", "shop");
    expect((await tool("track", "api_calls", "--project", "shop")).code).toBe(0);
    await tool("keys", "create", "ci", "--only-project", "shop");
    const unasked = await tool("projects", "delete", "shop");
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes") });
    expect((await tool("projects", "delete", "shop", "--yes", "--json")).json).toMatchObject({
      keysEnded: 1,
      more: false,
    });
    expect((await tool("projects", "list", "--state", "all")).stdout).not.toMatch(/^shop/m);
    expect((await tool("keys", "list")).stdout).toContain("No API keys");
  });

  it("deletes several projects at once, and none if one of them is not there", async () => {
    const { tool } = await startOwner();
    const left = async () => {
      const { json } = await tool("projects", "list", "--state", "all", "--json");
      return json.items.map(({ id }: { id: string }) => id);
    };
    for (const id of ["shop", "try-1", "try-2"]) await tool("projects", "set", id, "--learning", "off");
    const all = await left();
    const wrong = await tool("projects", "delete", "try-1", "try-3", "--yes");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("no project try-3")]);
    const unasked = await tool("projects", "delete", "try-1", "try-2");
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("projects try-1, try-2")]);
    expect(await left()).toEqual(all);
    const done = await tool("projects", "delete", "try-1", "try-2", "try-1", "--yes");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("2 projects are deleted")]);
    expect(await left()).toEqual(all.filter((id: string) => !id.startsWith("try-")));
  });
});

describe("tool projects", () => {
  it("creates a project, changes its settings and sets a plan for the project alone", async () => {
    const { tool } = await startOwner();
    await tool("projects", "set", "shop", "--name", "Web shop", "--learning", "on");
    const changed = (await tool("projects", "set", "shop", "--plan", "free", "--json")).json;
    expect(changed.project).toMatchObject({
      id: "shop",
      name: "Web shop",
      learningOptIn: true,
      plan: "free",
    });
    expect((await tool("entitlements", "--project", "shop", "--json")).json).toMatchObject({ tier: "free" });
    await tool("projects", "set", "shop", "--plan", "account");
    expect((await tool("projects", "list")).stdout).toMatch(/^shop +Web shop +on +the account's/m);
  });

  it("empties a project of one tool's data or of all data, but only with --yes", async () => {
    const { tool } = await startOwner();
    const memories = async () => (await tool("memory", "stats", "--project", "shop", "--json")).json.memories;
    await tool("memory", "store", "The build fails at midnight.", "--project", "shop", "--create-project");
    expect(await memories()).toBe(1);
    const unasked = await tool("projects", "empty", "shop");
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
    await tool("projects", "empty", "shop", "--tool", "pair", "--yes");
    expect(await memories()).toBe(1);
    const emptied = await tool("projects", "empty", "shop", "--tool", "agent-memory", "--yes");
    expect(emptied.stdout).toMatch(/Project shop: \d documents? deleted\./);
    expect(await memories()).toBe(0);
    expect((await tool("projects", "empty", "shop", "--yes", "--json")).json).toEqual({
      deleted: 0,
      more: false,
    });
    const mistyped = await tool("projects", "empty", "shopp", "--yes");
    expect([mistyped.code, mistyped.stderr]).toEqual([
      2,
      expect.stringMatching(/no project shopp[\s\S]*shop\?/),
    ]);
  });
});

describe("tool accounts", () => {
  it("creates an account, sets its plan and limits, and restores the limits of the plan", async () => {
    const { app, tool } = await startOwner();
    const made = (
      await tool("accounts", "create", "Acme", "--owner", "ada@example.com", "--plan", "free", "--json")
    ).json;
    expect(made.signInLink).toContain(app.url);
    const { id } = made.account;
    const set = async (...words: string[]) =>
      (await tool("accounts", "set", id, ...words, "--json")).json.account;
    expect(await set("--plan", "enterprise", "--per-minute", "5000")).toMatchObject({
      plan: "enterprise",
      limits: { requestsPerMinute: 5000 },
    });
    expect(await set("--plan-limits")).not.toHaveProperty("limits.requestsPerMinute");
    expect((await tool("accounts", "list")).stdout).toMatch(/^Acme +acc_\w+ +Enterprise/m);
    expect((await tool("accounts", "link", id)).stdout).toContain(`${app.url}/sign-in?link=`);
  });

  it("changes the limits that are named, and keeps an account's other limits", async () => {
    const { app, tool } = await startOwner();
    const { accountId } = await app.account("free");
    const others = { requestsPerDay: 900, storageBytes: 5_000_000 };
    await app.request("PATCH", `/api/v1/accounts/${accountId}`, {
      key: OWNER_KEY,
      body: { limits: { ...others, requestsPerMinute: 50, burst: 60 } },
    });
    const set = async (...words: string[]) =>
      (await tool("accounts", "set", accountId, ...words, "--json")).json.account.limits;
    const hourly = { ...others, requestsPerMinute: 50, burst: 60, requestsPerHour: 700 };
    expect(await set("--per-hour", "700")).toEqual(hourly);
    const { burst: _, ...unburst } = hourly;
    expect(await set("--per-minute", "80")).toEqual({ ...unburst, requestsPerMinute: 80 });
    const monthly = (...given: string[]) => set(...given.flatMap((each) => ["--uses-per-month", each]));
    await monthly("mcp_calls=20000", "api_calls=0");
    const both = { ...unburst, requestsPerMinute: 80, usesPerMonth: { mcp_calls: 5, api_calls: 0 } };
    expect(await monthly("mcp_calls=5")).toEqual(both);
    expect(await set("--per-hour", "700")).toEqual(both);
    for (const wrong of ["mcp_calls", "mcp_calls=x", "mcp_calls=-1", "cups=3"]) {
      const { code, stderr } = await tool("accounts", "set", accountId, "--uses-per-month", wrong);
      expect([wrong, code === 0, stderr !== ""]).toEqual([wrong, false, true]);
    }
  });

  it("gives an account a plan that ends, and lets it go on", async () => {
    const { app, tool } = await startOwner();
    const { accountId } = await app.account("pro");
    const set = (...words: string[]) => tool("accounts", "set", accountId, ...words);
    expect((await set("--until", "2126-12-15", "--then", "free")).stdout).toContain(
      "plan Pro until 2126-12-15, then Free",
    );
    expect((await tool("accounts", "list")).stdout).toMatch(/Pro +2126-12-15 +active/);
    const ends = async (until: string) =>
      (await set("--until", until, "--then", "free", "--json")).json.account.nextPlan.at;
    // A day that was paid for is had until its end, as in the console.
    expect(await ends("2126-12-15")).toBe("2126-12-15T23:59:59.999Z");
    expect(await ends("2126-12-15T02:30:00+02:00")).toBe("2126-12-15T00:30:00.000Z");
    expect((await set("--name", "Acme")).stdout).toContain("plan Pro until 2126-12-15 00:30 UTC, then Free");
    expect((await tool("accounts", "list")).stdout).toMatch(/Pro +2126-12-15 00:30 UTC +active/);
    expect((await set("--until", "never", "--json")).json.account).not.toHaveProperty("nextPlan");
    const words = [
      "Acme",
      "--owner",
      "ada@example.com",
      "--plan",
      "team",
      "--until",
      "14d",
      "--then",
      "free",
    ];
    const { nextPlan } = (await tool("accounts", "create", ...words, "--json")).json.account;
    expect(nextPlan).toMatchObject({ plan: "free", planName: "Free" });
    for (const wrong of [
      ["--until", "14d"],
      ["--then", "free"],
      ["--until", "never", "--then", "free"],
      ["--until", "soon", "--then", "free"],
    ]) {
      const { code, stderr } = await set(...wrong);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--until")]);
    }
    await set("--until", "1h", "--then", "enterprise");
    const own = (await tool("whoami", "--json")).json.account.id;
    await tool("accounts", "set", own, "--until", "2126-12-15", "--then", "free");
    for (const command of ["whoami", "entitlements"]) {
      expect((await tool(command)).stdout).toContain("until 2126-12-15, then Free");
    }
  });

  it("says which accounts are suspended or closed, also when one of these is resumed", async () => {
    const { app, tool } = await startOwner();
    const { accountId, token } = await app.account("free");
    const state = async () =>
      new RegExp(`${accountId} +Free +(\\w+)`).exec((await tool("accounts", "list")).stdout)?.[1];
    expect(await state()).toBe("active");
    await tool("accounts", "suspend", accountId);
    expect(await state()).toBe("suspended");
    await tool("accounts", "resume", accountId);
    const { name } = (await app.request("GET", "/api/v1/account", { key: token })).body.account;
    await app.request("POST", "/api/v1/account/close", { key: token, body: { name } });
    expect(await state()).toBe("closed");
    expect((await tool("accounts", "resume", accountId)).stdout).toContain(", closed by an owner");
  });
});

describe("tool devices", () => {
  it("shows a pending sign-in, and approves the device only once", async () => {
    const { tool, start } = await startOwner();
    const device = start(["login"], { TOOL_TOKEN: "" });
    const [, userCode] = await device.until("stderr", /Enter {2}(\S+)/);
    const { stdout } = await tool("devices", "show", userCode!.toLowerCase().replace("-", " "));
    expect(stdout).toMatch(new RegExp(`^${userCode} pending$`, "m"));
    expect(stdout).toMatch(/^From +127\.0\.0\.1, toolplane\//m);
    expect((await tool("devices", "approve", userCode!)).stdout).toContain("is signed in to this account");
    expect((await tool("devices", "deny", userCode!, "--json")).json).toMatchObject({ error: "conflict" });
    expect((await device.finished).code).toBe(0);
  });

  it("lists what is signed in, marks the device that asks, and signs one out at once", async () => {
    const { tool, start } = await startOwner();
    expect((await tool("devices", "list")).stdout).toContain("No device is signed in");
    const device = start(["login"], { TOOL_TOKEN: "" });
    const [, userCode] = await device.until("stderr", /Enter {2}(\S+)/);
    await tool("devices", "approve", userCode!);
    await device.finished;
    const onDevice = (...words: string[]) => start(words, { TOOL_TOKEN: "" }).finished;
    expect((await onDevice("devices", "list")).stdout).toMatch(
      /^tool-cli, toolplane\/.+ fam_\w+ .+127\.0\.0\.1 +now, by this command$/m,
    );
    expect((await tool("devices", "list")).stdout).not.toContain("by this command");
    const { items } = (await tool("devices", "list", "--json")).json;
    expect(items).toMatchObject([{ clientId: "tool-cli", email: "owner@localhost", current: false }]);
    expect((await tool("devices", "revoke", items[0].id)).stdout).toContain("Signed out");
    expect((await onDevice("devices", "list")).code).toBe(4);
    expect((await tool("devices", "revoke", items[0].id)).stderr).toContain("no signed-in device");
    expect((await tool("devices", "list", "--query", "x")).stdout).toContain("tool devices list");
  });
});

describe("tool clients", () => {
  it("lists the applications that registered themselves, and revokes one with what it was issued", async () => {
    const { app, tool } = await startOwner();
    expect((await tool("clients", "list")).stdout).toBe("No application has registered itself.\n");
    const registered = { client_name: "Editor", redirect_uris: ["https://editor.example/back"] };
    const { body } = await app.request("POST", "/auth/register", { key: null, body: registered });
    expect((await tool("clients", "list")).stdout).toMatch(
      new RegExp(`^Editor +${body.client_id} +https://editor\\.example/back +.* +never$`, "m"),
    );
    expect((await tool("clients", "revoke", body.client_id)).stdout).toContain("signed out of it");
    expect((await tool("clients", "list", "--json")).json).toEqual({ items: [] });
    const again = await tool("clients", "revoke", body.client_id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("not registered any more")]);
  });
});

describe("tool signing-keys", () => {
  it("lists what signs, and has another key sign", async () => {
    const { app, tool } = await startOwner();
    const kids = async () => (await app.request("GET", "/.well-known/jwks.json")).body.keys.length;
    expect((await tool("signing-keys", "list")).stdout).toMatch(/^\S+ +\S.* +signs$/m);
    const { kid } = (await tool("signing-keys", "rotate", "--json")).json;
    const { stdout } = await tool("signing-keys", "list");
    expect(stdout).toMatch(new RegExp(`^${kid} .* signs$`, "m"));
    expect(stdout).toMatch(/ only verifies$/m);
    expect(await kids()).toBe(2);
  });
});
