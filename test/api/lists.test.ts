import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { MINUTE_MS } from "../../src/system/durations.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { reportError } from "../support/report-error.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { bundleOf, mapOf, upload } from "../support/source-maps.ts";
import { STORES } from "../support/store.ts";

/** A list of the API, with what fills it. */
interface List {
  /** The name of its endpoint. */
  name: string;
  /** Parameters that select or sort, each tried by itself. */
  queries?: readonly string[];
  /** The path parameters, once the list is filled. */
  params?: (app: TestApp) => Promise<string[]>;
  add(app: TestApp, index: number, clock: FakeClock): Promise<unknown>;
  /** Removes an entry; absent where nobody can. */
  remove?: (app: TestApp, id: string) => Promise<unknown>;
  /** Set if its cursors are names that clients choose, so that any name is one. */
  byName?: true;
  // biome-ignore lint/suspicious/noExplicitAny: the items of any list
  idOf: (item: any) => string;
}

const TOOLS = "/api/v1/tools";
/** So many alike entries are added to each, fewer than an account may have webhooks. */
const FEW = 7;

async function done(app: TestApp, method: string, path: string, body?: unknown) {
  const answer = await app.request(method, path, { body });
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

const itemId = ({ id }: { id: string }) => id;
const sessionOf = async (app: TestApp) =>
  (await done(app, "GET", `${TOOLS}/pair/session`)).items.map(
    ({ session }: { session: { id: string } }) => session.id,
  );
const startSession = (app: TestApp) =>
  done(app, "POST", `${TOOLS}/pair/session`, { participants: [{ id: "ann", role: "driver" }] });
const webhookOf = async (app: TestApp) => (await done(app, "GET", "/api/v1/webhooks")).items.map(itemId);
const addWebhook = (app: TestApp) =>
  done(app, "POST", "/api/v1/webhooks", { url: "https://example.com/hook" });
const SPIKE = [...Array.from({ length: 40 }, (_, index) => 10 + (index % 3)), 900];

const LISTS: readonly List[] = [
  {
    name: "accounts.list",
    add: (app, index) =>
      done(app, "POST", "/api/v1/accounts", {
        name: "alike",
        ownerEmail: `owner-${index}@example.test`,
        plan: "team",
      }),
    idOf: itemId,
  },
  {
    name: "clients.list",
    async add(app, _, clock) {
      clock.advance(MINUTE_MS);
      await done(app, "POST", "/auth/register", { redirect_uris: ["http://127.0.0.1/back"] });
    },
    remove: (app, id) => done(app, "DELETE", `/api/v1/clients/${id}`),
    idOf: itemId,
  },
  {
    name: "users.list",
    queries: ["status=invited", "query=person"],
    add: (app, index) =>
      done(app, "POST", "/api/v1/users", { email: `person-${index}@example.test`, role: "member" }),
    remove: (app, id) => done(app, "DELETE", `/api/v1/users/${id}`),
    idOf: itemId,
  },
  {
    name: "keys.list",
    queries: ["name", "createdAt", "lastUsedAt", "expiresAt"]
      .flatMap((order) => [`sort=${order}`, `sort=-${order}`])
      .concat("query=alike"),
    add: (app) => done(app, "POST", "/api/v1/keys", { name: "alike", scopes: ["read"] }),
    remove: (app, id) => done(app, "DELETE", `/api/v1/keys/${id}`),
    idOf: itemId,
  },
  {
    name: "devices.list",
    queries: ["name", "email", "address", "createdAt", "lastUsedAt"]
      .flatMap((order) => [`sort=${order}`, `sort=-${order}`])
      .concat("query=tool-cli"),
    async add(app, _, clock) {
      clock.advance(MINUTE_MS);
      const { user_code, device_code } = await done(app, "POST", "/auth/device/code", {
        client_id: "tool-cli",
      });
      await done(app, "POST", `/api/v1/device-authorizations/${user_code}`, { decision: "approve" });
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      await done(app, "POST", "/auth/device/token", { grant_type, client_id: "tool-cli", device_code });
    },
    remove: (app, id) => done(app, "DELETE", `/api/v1/devices/${id}`),
    idOf: itemId,
  },
  {
    name: "projects.list",
    byName: true,
    queries: ["state=all"],
    add: (app, index) => done(app, "PUT", `/api/v1/projects/project-${index}`, { name: "alike" }),
    remove: (app, id) => done(app, "DELETE", `/api/v1/projects/${id}`),
    idOf: itemId,
  },
  {
    name: "webhooks.list",
    add: addWebhook,
    remove: (app, id) => done(app, "DELETE", `/api/v1/webhooks/${id}`),
    idOf: itemId,
  },
  {
    name: "webhooks.deliveries",
    queries: ["type=webhook.test"],
    params: webhookOf,
    async add(app) {
      const [id] =
        (await webhookOf(app)).length > 0 ? await webhookOf(app) : [(await addWebhook(app)).webhook.id];
      await done(app, "POST", `/api/v1/webhooks/${id}/test`);
    },
    idOf: ({ alertId }) => alertId,
  },
  {
    name: "auditLog.list",
    queries: ["", "action=key.created"],
    add: (app) => done(app, "POST", "/api/v1/keys", { name: "alike", scopes: ["read"] }),
    idOf: itemId,
  },
  {
    name: "usage.show",
    queries: ["groupBy=project", "groupBy=project,tool", "groupBy=project&type=api_calls"],
    async add(app, index) {
      const headers = { "X-Project-Id": `project-${index}` };
      const answer = await app.request("POST", "/api/v1/track", {
        body: { type: "api_calls", count: 1 + (index === FEW ? FEW : index % 2) },
        headers,
      });
      expect(answer.status).toBe(200);
    },
    remove: (app, id) => done(app, "DELETE", `/api/v1/projects/${id}`),
    idOf: ({ project }) => project,
  },
  {
    name: "observability.errors",
    queries: ["lastSeen", "firstSeen", "count"]
      .map((sort) => `sort=${sort}`)
      .concat("state=open", "query=failed"),
    add: (app, index) => reportError(app, { message: `failed ${"abcdefghijk"[index]}` }),
    remove: (app, id) => done(app, "DELETE", `${TOOLS}/observability/errors/${id}`),
    idOf: ({ fingerprint }) => fingerprint,
  },
  {
    name: "observability.sourceMaps",
    async add(app, index) {
      const debugId = `00000000-0000-4000-8000-00000000000${index}`;
      expect((await upload(app, bundleOf({ [debugId]: mapOf("a.ts") }))).body.state).toMatch(/created|ok/);
    },
    remove: (app, id) => done(app, "DELETE", `${TOOLS}/observability/source-maps/${id}`),
    idOf: itemId,
  },
  {
    name: "anomalies.history",
    queries: ["state=open", "include=around"],
    add: (app, index) =>
      done(app, "POST", `${TOOLS}/anomalies/analyze`, { metrics: { [`m${index}`]: SPIKE } }),
    idOf: itemId,
  },
  {
    name: "anomalies.settings",
    byName: true,
    add: (app, index) =>
      done(app, "POST", `${TOOLS}/anomalies/settings`, { metric: `metric ${index}`, low: 1 }),
    idOf: ({ metric }) => metric,
  },
  {
    name: "pair.list",
    queries: ["state=active"],
    add: startSession,
    idOf: ({ session }) => session.id,
  },
  {
    name: "pair.recent",
    queries: ["path=src/a.ts"],
    params: sessionOf,
    async add(app, index) {
      const [id] =
        (await sessionOf(app)).length > 0 ? await sessionOf(app) : [(await startSession(app)).session.id];
      const edits = [{ from: 0, to: 0, insert: "x" }];
      const change = { author: "ann", path: "src/a.ts", baseRevision: index, edits };
      await done(app, "POST", `${TOOLS}/pair/session/${id}/change`, change);
    },
    idOf: ({ sequence }) => String(sequence),
  },
  {
    name: "self-healing.history",
    queries: ["category=disk_full"],
    add: (app) =>
      done(app, "POST", `${TOOLS}/self-healing/diagnose`, {
        log: "cp: write error: No space left on device\n",
        exitCode: 1,
      }),
    remove: (app, id) => done(app, "DELETE", `${TOOLS}/self-healing/${id}`),
    idOf: ({ diagnosisId }) => diagnosisId,
  },
  {
    name: "agent-memory.list",
    queries: ["createdAt", "at", "importance", "uses"].flatMap((order) => [
      `sort=${order}`,
      `sort=-${order}`,
    ]),
    add: (app, index) =>
      done(app, "POST", `${TOOLS}/agent-memory/store`, {
        content: [
          "Cats sleep.",
          "Rain falls.",
          "Trains leave.",
          "Bread rises.",
          "Glass breaks.",
          "Steel rusts.",
          "Wolves howl.",
          "Ships sail.",
          "Clocks tick.",
        ][index],
      }),
    remove: (app, id) => done(app, "DELETE", `${TOOLS}/agent-memory/${id}`),
    idOf: ({ memory }) => memory.id,
  },
];

const ID = "01jd0000000000000000000000";
const placeOf = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString("base64url");
/** A cursor as each list makes it, of those whose cursors have a form of their own. */
const CURSORS: Readonly<Record<string, string>> = {
  "accounts.list": `acc_${ID}`,
  "clients.list": `dcr_${ID}`,
  "users.list": `usr_${ID}`,
  "keys.list": placeOf("", `key_${ID}`),
  "devices.list": placeOf(0, `fam_${ID}`),
  "webhooks.list": `whk_${ID}`,
  "webhooks.deliveries": `alt_${ID}`,
  "auditLog.list": `aud_${ID}`,
  "usage.show": placeOf(-1, 0, "shop\t"),
  "observability.errors": `${"0".repeat(16)}/err_${"0".repeat(24)}/0`,
  "observability.sourceMaps": `${"0".repeat(16)}/${"0".repeat(40)}`,
  "anomalies.history": `ano_${ID}`,
  "pair.list": `pair_${ID}`,
  "pair.recent": "7",
  "self-healing.history": `dia_${ID}`,
  "agent-memory.list": `0 mem_${ID}`,
};

const paged = endpoints.filter(({ input }) => "cursor" in input.shape);
/** Their pages have no limit, and they have tests of their own. */
const EXPORTS = ["account.export", "people.export"];

interface Page {
  ids: string[];
  nextCursor?: string;
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open(list: List, on: (typeof STORES)[number]) {
  const databaseUrl = on === "PostgreSQL" ? await createDatabase() : undefined;
  const clock = fakeClock();
  const app = await startApp({ clock, ...(databaseUrl !== undefined && { databaseUrl }) });
  for (let index = 0; index < FEW; index++) await list.add(app, index, clock);
  const params = (await list.params?.(app)) ?? [];
  const path = paged
    .find(({ name }) => name === list.name)
    ?.path.replace(/\{\w+\}/g, () => params.shift() ?? "");
  const ask = (query: Record<string, string>, filter: string) =>
    app.request("GET", `${path}?${new URLSearchParams(query)}&${filter}`);
  return {
    app,
    clock,
    ask,
    async page(query: Record<string, string>, filter: string): Promise<Page> {
      const { status, body, text } = await ask(query, filter);
      expect(status, `${JSON.stringify(query)} ${text}`).toBe(200);
      const { items = body.groups, nextCursor } = body;
      return { ids: items.map(list.idOf), ...(nextCursor !== undefined && { nextCursor }) };
    },
  };
}

const mostOf = ({ name }: List) => (name === "pair.recent" ? 50 : 200);

/** Expects a list to refuse what is none of its cursors. */
async function expectCursorsRefused(list: List, ask: Opened["ask"]): Promise<void> {
  const [filter = ""] = list.queries ?? [];
  const never = ["\u0000", "x".repeat(5000)];
  const foreign = Object.keys(CURSORS)
    .filter((name) => name !== list.name && !list.byName)
    .map((name) => CURSORS[name] as string);
  const others = [" ", "~", "no such cursor", "../..", "x".repeat(512), "%", "WyIiXQ", "e30", "bnVsbA"];
  for (const cursor of list.byName ? never : [...never, ...others, ...foreign]) {
    const { status, body } = await ask({ cursor }, filter);
    expect([cursor.slice(0, 60), status, body.error]).toEqual([cursor.slice(0, 60), 400, "invalid_request"]);
    expect(body.errors[0].path).toBe("cursor");
  }
  if (list.byName)
    for (const cursor of others) expect((await ask({ cursor }, filter)).status, cursor).toBe(200);
  expect((await ask({ cursor: "" }, filter)).body).toEqual((await ask({}, filter)).body);
}

describe("the lists", () => {
  it("are all tried here", () => {
    expect(
      LISTS.map(({ name }) => name)
        .concat(EXPORTS)
        .sort(),
    ).toEqual(paged.map(({ name }) => name).sort());
  });
});

describe.each(STORES)("each list, in %s,", (on) => {
  it.each(LISTS)(
    "$name, gives each entry once, in order, says exactly whether more follow, and refuses what is no cursor of it",
    async (list) => {
      const { page, ask } = await open(list, on);
      for (const filter of list.queries ?? [""]) {
        const whole = await page({ limit: String(mostOf(list)) }, filter);
        expect(whole.nextCursor, filter).toBe(undefined);
        const count = whole.ids.length;
        expect(count, filter).toBeGreaterThanOrEqual(FEW);
        expect(new Set(whole.ids).size).toBe(count);
        for (const limit of [1, 2, 3, count - 1, count, count + 1]) {
          const pages: string[][] = [];
          for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
            const { ids, nextCursor } = await page(
              { limit: String(limit), ...(cursor && { cursor }) },
              filter,
            );
            pages.push(ids);
            cursor = nextCursor;
          }
          expect(pages.flat(), `${filter} by ${limit}`).toEqual(whole.ids);
          expect(pages.length, `${filter} by ${limit}`).toBe(Math.ceil(count / limit));
        }
      }
      await expectCursorsRefused(list, ask);
    },
  );

  it.each(LISTS)("$name, leaves nothing out and repeats nothing while entries come and go", async (list) => {
    for (const filter of list.queries ?? [""]) {
      const { app, clock, page } = await open(list, on);
      const { ids: before } = await page({ limit: String(mostOf(list)) }, filter);
      const first = await page({ limit: "3" }, filter);
      // The last of them is the one that the cursor names.
      const gone = list.remove ? first.ids.slice(-2) : [];
      for (const id of gone) await list.remove?.(app, id);
      await list.add(app, FEW, clock);
      const seen = [...first.ids];
      for (let cursor = first.nextCursor; cursor !== undefined; ) {
        const next = await page({ limit: "2", cursor }, filter);
        seen.push(...next.ids);
        cursor = next.nextCursor;
      }
      expect(
        seen.filter((id) => before.includes(id)),
        filter,
      ).toEqual(before);
      expect(new Set(seen).size, filter).toBe(seen.length);
    }
  });
});
