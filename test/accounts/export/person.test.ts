import { describe, expect, it } from "vitest";
import type { ExportedDocument, ExportedPage } from "../../../src/accounts/export/pages.ts";
import type { AuditEntry } from "../../../src/audit/model.ts";
import { Reply } from "../../../src/contract/endpoint.ts";
import { collection, projectSpace } from "../../../src/store/store.ts";
import { STORES } from "../../support/store.ts";
import {
  callerFor,
  colleague,
  comeBy,
  problem,
  type Services,
  signInDevice,
  startServices,
  stranger,
  trailOf,
} from "../fixture.ts";

const notes = collection<{ text: string }>("noted_of_people");
const ADA = "Ada@example.com";

/** Starts with Ada, who is in two accounts and uses everything there is, and Bob, who is in one of these. */
async function start(on?: (typeof STORES)[number]) {
  const services = await startServices({ collections: [notes], ...(on && { on }) });
  const { owner, users, accounts, apiKeys, projects, store, signIn } = services;
  const ada = await colleague(services, "admin", { email: ADA });
  const bob = await colleague(services, "member", { email: "bob@example.com" });
  const made = await accounts.create(callerFor(owner), { name: "Second", ownerEmail: ADA, plan: "free" });
  const second = await comeBy(services, made.signInLink, undefined, ada);
  const byAda = { ...callerFor(ada.user), address: "203.0.113.1" };
  const { key, secret } = await apiKeys.create(byAda, { name: "of Ada", scopes: ["read"] });
  await apiKeys.create(callerFor(bob.user), { name: "of Bob", scopes: ["read"] });
  const tokens = await signInDevice(services, undefined, ada.user);
  await users.invite(byAda, { email: "carl@example.com", role: "viewer" });
  await users.update({ ...callerFor(owner), address: "198.51.100.99" }, ada.user.id, { role: "member" });
  await projects.update(callerFor(owner), "shop", { name: "Shop" });
  const shop = projectSpace(owner.accountId, "shop");
  await store.transact(async (tx) => {
    await tx.put(notes, shop, "by address", { text: "ask ada@EXAMPLE.com." });
    await tx.put(notes, shop, "by address, in a line", { text: 'To:\nada@example.com\n"Bye"' });
    await tx.put(notes, shop, "by id", { text: `made by ${ada.user.id}` });
    await tx.put(notes, shop, "longer", {
      text: "grada@example.com, éada@example.com, ada@example.com.au, x-ada@example.com",
    });
    await tx.put(notes, shop, "other", { text: "nothing about people" });
  });
  return { ...services, signIn, ada, bob, second, key, secrets: [secret, ada.secret, tokens.access_token] };
}

async function every(page: (cursor: string | undefined) => Promise<ExportedPage>) {
  const items: ExportedDocument[] = [];
  let cursor: string | undefined;
  do {
    const part = await page(cursor);
    items.push(...part.items);
    cursor = part.nextCursor;
  } while (cursor !== undefined);
  return items;
}

function plain(page: Reply<ExportedPage> | ExportedPage): ExportedPage {
  return page instanceof Reply ? page.body : page;
}

const ofAnybody = (services: Services, person: string) =>
  every((cursor) => services.exports.person(callerFor(services.owner), person, cursor));

function named(items: readonly ExportedDocument[], name: string) {
  return items.filter((item) => item.collection === name);
}

describe("the export of a person by an operator", () => {
  it.each(STORES)("has all that is kept of them in all accounts, and nothing secret, in %s", async (on) => {
    const services = await start(on);
    const { ada, second, key, secrets } = services;
    const items = await ofAnybody(services, "ada@example.com");
    expect(named(items, "people")).toMatchObject([
      { id: ada.person.id, value: { email: ADA, hasPassword: false } },
    ]);
    const accountIds = [ada.account.id, second.account.id].sort();
    for (const name of ["accounts", "users"])
      expect(named(items, name).map(({ accountId }) => accountId)).toEqual(accountIds);
    expect(named(items, "api_keys")).toMatchObject([{ id: key.id, value: { name: "of Ada" } }]);
    expect(named(items, "token_families")).toHaveLength(1);
    expect(named(items, "browser_sessions").length).toBeGreaterThan(0);
    expect(named(items, "noted_of_people").map(({ id, projectId }) => [id, projectId])).toEqual([
      ["by address", "shop"],
      ["by address, in a line", "shop"],
      ["by id", "shop"],
    ]);
    const text = JSON.stringify(items);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/secretHash|passwordHash/);
    expect(new Set(items.map(({ collection, id }) => `${collection} ${id}`)).size).toBe(items.length);
  });

  it("has the audit entries by and about them, without what these hold of others", async () => {
    const services = await start();
    const { ada } = services;
    const items = await ofAnybody(services, ADA);
    const entries = named(items, "audit_entries").map(({ value }) => value as AuditEntry);
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["key.created", "user.invited", "user.updated"]));
    const changed = entries.find(({ action }) => action === "user.updated");
    expect(changed).toMatchObject({ after: { role: "member" }, target: { name: ADA } });
    expect(changed?.actor).toEqual({ accountId: services.owner.accountId, userId: services.owner.id });
    const own = entries.find(({ action }) => action === "key.created");
    expect(own?.actor).toMatchObject({ userId: ada.user.id, address: "203.0.113.1" });
    const text = JSON.stringify(items);
    for (const other of ["bob@", "carl@", "owner@localhost", "of Bob", "198.51.100.99"])
      expect(text).not.toContain(other);
  });

  it.each([
    ["person", ({ ada }: Awaited<ReturnType<typeof start>>) => ada.person.id],
    ["user", ({ second }: Awaited<ReturnType<typeof start>>) => second.user.id],
  ])("finds them by the id of a %s, too", async (_, id) => {
    const services = await start();
    const items = await ofAnybody(services, id(services));
    expect(named(items, "users")).toHaveLength(2);
  });

  it("has the invitation of somebody who has not come, and what the log remembers of whoever has left", async () => {
    const services = await start();
    const invited = await ofAnybody(services, "carl@example.com");
    expect(named(invited, "users")).toMatchObject([{ value: { email: "carl@example.com" } }]);
    expect(named(invited, "people")).toEqual([]);
    await services.users.remove(callerFor(services.owner), services.bob.user.id);
    const left = await ofAnybody(services, "bob@example.com");
    expect(new Set(left.map(({ collection }) => collection))).toEqual(new Set(["audit_entries"]));
    expect(await ofAnybody(services, "nobody@example.com")).toMatchObject([
      { collection: "audit_entries", value: { action: "person.exported" } },
    ]);
  });

  it("is noted once in the log of the operator and of each account of the person", async () => {
    const services = await start();
    const { owner, ada, second } = services;
    const founder = await stranger(services);
    await ofAnybody(services, ADA);
    await ofAnybody(services, ADA);
    const noted = (await trailOf(services)).filter(({ action }) => action === "person.exported");
    expect(noted.map(({ accountId, target }) => [accountId, target.id])).toEqual([
      [owner.accountId, ada.user.id],
      [second.account.id, second.user.id],
    ]);
    expect(noted.every(({ actor }) => actor.userId === owner.id)).toBe(true);
    await ofAnybody(services, founder.email);
    const logs = (await trailOf(services)).slice(-2).map(({ accountId }) => accountId);
    expect(logs).toEqual([owner.accountId, founder.accountId]);
  });
});

describe("the export of one's own data", () => {
  it("is of the account that one is signed in to, and noted there", async () => {
    const services = await start();
    const { ada, handlers } = services;
    const by = callerFor(ada.user, { scopes: ["read"] });
    const items = await every(async (cursor) => plain(await handlers.exportPerson({ cursor }, by)));
    expect(new Set(items.map(({ accountId }) => accountId))).toEqual(new Set([undefined, ada.account.id]));
    expect(named(items, "noted_of_people")).toHaveLength(3);
    expect(named(items, "audit_entries").length).toBeGreaterThan(3);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "person.exported",
      accountId: ada.account.id,
      actor: { userId: ada.user.id },
    });
  });

  it("is of all their accounts on their page, without the projects of one that has suspended them", async () => {
    const services = await start();
    const { owner, ada, second, users, exports } = services;
    await users.update(callerFor(owner), ada.user.id, { suspended: true });
    const within = [ada.account.id, second.account.id];
    const items = await every((cursor) => exports.own(callerFor(second.user), within, cursor));
    expect(named(items, "users")).toHaveLength(2);
    expect(named(items, "noted_of_people")).toEqual([]);
  });

  it("leads to no account but their own, also by a made-up cursor", async () => {
    const services = await start();
    const founder = await stranger(services);
    const { exports, ada, second } = services;
    for (const elsewhere of [founder.accountId, second.account.id]) {
      const cursor = Buffer.from(JSON.stringify([elsewhere, "shop", 0])).toString("base64url");
      await expect(exports.own(callerFor(ada.user), [ada.account.id], cursor)).rejects.toMatchObject(
        problem("invalid_request"),
      );
    }
  });
});

describe("who may export", () => {
  it("is an operator for other people and accounts, and nobody by an API key for themselves", async () => {
    const services = await start();
    const { ada, bob, second, owner, handlers } = services;
    for (const scopes of [["read"], ["admin"]] as const) {
      const by = callerFor(ada.user, { scopes });
      const refused = problem("insufficient_scope");
      await expect(handlers.exportPerson({ person: bob.user.email }, by)).rejects.toMatchObject(refused);
      await expect(handlers.exportAccount({ accountId: second.account.id }, by)).rejects.toMatchObject(
        refused,
      );
    }
    const key = callerFor(ada.user, { kind: "api_key" });
    await expect(handlers.exportPerson({}, key)).rejects.toMatchObject(problem("forbidden"));
    const bound = callerFor(owner, { kind: "api_key", projectId: "shop" });
    await expect(handlers.exportPerson({ person: ADA }, bound)).rejects.toMatchObject(problem("forbidden"));
  });

  it("lets an operator export another account, which both logs tell", async () => {
    const services = await start();
    const { owner, second, handlers } = services;
    const accountId = second.account.id;
    const items = await every(async (cursor) =>
      plain(await handlers.exportAccount({ accountId, cursor }, callerFor(owner))),
    );
    expect(named(items, "accounts")).toMatchObject([{ id: accountId, value: { name: "Second" } }]);
    const noted = (await trailOf(services)).filter(({ action }) => action === "account.exported");
    expect(noted.map((entry) => [entry.accountId, entry.target.id])).toEqual([
      [owner.accountId, accountId],
      [accountId, accountId],
    ]);
    await expect(handlers.exportAccount({ accountId: "acc_0" }, callerFor(owner))).rejects.toMatchObject(
      problem("not_found"),
    );
  });
});
