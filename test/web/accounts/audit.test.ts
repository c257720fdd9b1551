import { expect, it } from "vitest";
import { SERVER } from "../../../src/audit/trail.ts";
import { startApp } from "../../support/app.ts";
import { browserOn, memberOn } from "../../support/browsing.ts";

const CHANGES = 210;

it("the audit export has every entry that the API lists, filtered as asked", async () => {
  const app = await startApp();
  const { accountId, token } = await app.account("enterprise");
  const browser = await browserOn(app, { accountId });
  const made = await app.request("POST", "/api/v1/keys", {
    key: token,
    body: { name: "ci", scopes: ["read"] },
  });
  const { apiKeys } = app.app.services;
  const { user } = (await app.request("GET", "/api/v1/account", { key: token })).body;
  const credential = { kind: "session", id: "ses_test", scopes: ["read", "write", "admin"] } as const;
  const by = { accountId, userId: user.id, credential, address: "192.0.2.1", requestId: "" };
  // More entries than are read at a time.
  await Promise.all(
    Array.from({ length: CHANGES }, (_, change) =>
      apiKeys.update(by, made.body.key.id, { name: `ci, "the ${change}th"\r\n` }),
    ),
  );

  for (const asked of ["", "action=key.updated", "query=the+1", `target=${made.body.key.id}&outcome=done`]) {
    const [lines, csv] = await Promise.all(
      ["format=jsonl&", ""].map((format) => browser.get(`/audit/export?${format}${asked}`)),
    );
    const entries = await allEntries(asked);
    expect(entries.length).toBeGreaterThan(100);
    expect(
      (lines?.html ?? "")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(entries);
    const [names = [], ...rows] = cellsIn(csv?.html ?? "");
    expect(rows.map((row) => row[names.indexOf("id")])).toEqual(entries.map(({ id }) => id));
    expect(rows.map((row) => row[names.indexOf("after")])).toEqual(
      entries.map(({ after }) => (after ? JSON.stringify(after) : "")),
    );
  }

  async function allEntries(asked: string): Promise<{ id: string; after?: object }[]> {
    const all = [];
    for (let cursor = ""; ; ) {
      const path = `/api/v1/audit-log?limit=100${asked && `&${asked}`}${cursor && `&cursor=${cursor}`}`;
      const { items, nextCursor } = (await app.request("GET", path, { key: token })).body;
      all.push(...items);
      if (nextCursor === undefined) return all;
      cursor = nextCursor;
    }
  }
});

it("the audit page filters by action, target and request, and is for admins", async () => {
  const app = await startApp();
  const operator = await browserOn(app);
  const made = await app.request("POST", "/api/v1/keys", { body: { name: "<i>ci", scopes: ["read"] } });
  await app.request("POST", "/api/v1/keys", { body: { name: "other", scopes: ["read"] } });
  const all = await operator.get("/audit");
  expect(all.text).toMatch(
    /What To By Changed .*key\.created (?:just now|\d+ s ago) other .*key\.created (?:just now|\d+ s ago) <i>ci/,
  );
  expect(all.html).not.toContain("<i>ci");
  const narrowed = await operator.get(`/audit?target=${made.body.key.id}&query=ci`);
  expect(narrowed.text).toContain("Only to <i>ci : show all");
  expect((await operator.get("/audit?actor=usr_nobody")).text).toContain("Only by usr_nobody : show all");
  expect(narrowed.text).not.toContain("other");
  expect(narrowed.html).toContain(`/audit/export?target=${made.body.key.id}&amp;query=ci&amp;format=jsonl`);
  const request = made.headers.get("X-Request-Id") as string;
  expect(all.html).toContain(`href="/audit?query=${request}"`);
  const ofRequest = await operator.get(`/audit?query=${request}`);
  expect(ofRequest.text).toContain("key.created");
  expect(ofRequest.text).not.toContain("other");
  expect((await operator.get("/audit?action=key.revoked")).text).toContain("Nothing.");
  const { browser: member } = await memberOn(app, "member@example.com");
  expect((await member.get("/audit")).text).toContain("admins");
  expect((await member.get("/audit/export")).status).toBe(403);
  expect((await member.get("/")).text).not.toContain("Audit log The");
});

it("the audit page shows changes as text: times, lists, old and new values", async () => {
  const app = await startApp();
  const operator = await browserOn(app);
  const expiresAt = "2027-03-01T12:30:00.000Z";
  const { id } = (
    await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read", "write"], expiresAt } })
  ).body.key;
  await app.request("PATCH", `/api/v1/keys/${id}`, { body: { name: "deploys", expiresAt: null } });
  const { text } = await operator.get("/audit");
  expect(text).toContain("scopes read write");
  expect(text).toContain("name ci → deploys");
  expect(text).toContain("expiresAt 2027-03-01 12:30 UTC → none");
});

it("the audit page tells how far back it searched if it stops before a full page", async () => {
  const app = await startApp();
  const operator = await browserOn(app);
  const { account } = (await app.request("GET", "/api/v1/account")).body;
  const target = { kind: "key", id: "key_1", name: "ci" };
  const noted = (action: string, times: number) =>
    app.app.services.audit.transact({ ...SERVER, accountId: account.id }, async (_, note) => {
      for (let time = 0; time < times; time++) note({ action, target });
    });
  await noted("the.first", 1);
  for (let round = 0; round < 5; round++) await noted("key.used", 200);

  const stopped = await operator.get("/audit?query=the.first");
  expect(stopped.text).toMatch(/Nothing so far\. Looked through 1,000 entries, back to .* Older ones may/);
  const [, next = ""] = /href="([^"]*after=[^"]*)">Search on/.exec(stopped.html) ?? [];
  const found = await operator.get(next.replaceAll("&amp;", "&"));
  expect(found.text).toMatch(/the\.first (?:just now|.{1,12} ago) ci/);
  expect(found.text).not.toContain("Looked through");
  expect((await operator.get("/audit?action=key.used")).text).not.toContain("Looked through");
});

/** Parses CSV (RFC 4180). */
function cellsIn(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

it("the audit export refuses a format that it has not, also one named as a member of all objects", async () => {
  const app = await startApp();
  const { accountId } = await app.account("enterprise");
  const browser = await browserOn(app, { accountId });
  for (const format of ["xml", "__proto__", "constructor"]) {
    expect([format, (await browser.get(`/audit/export?format=${format}`)).status]).toEqual([format, 400]);
  }
});
