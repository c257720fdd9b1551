import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_OF_ACCOUNT } from "../../../src/accounts/account-limits.ts";
import { deleteEndedKeys } from "../../../src/accounts/credentials/ending.ts";
import { putCredentials } from "../../../src/accounts/credentials/key-secrets.ts";
import { hashSecret } from "../../../src/accounts/credentials/secrets.ts";
import { type ApiKey, accounts, apiKeys, credentials } from "../../../src/accounts/model.ts";
import { openStore } from "../../../src/store/open.ts";
import { accountSpace, GLOBAL, type Store } from "../../../src/store/store.ts";
import { createLog } from "../../../src/system/log.ts";
import { fakeClock } from "../../support/clock.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { COLLECTIONS, callerFor, type Services, servicesOn } from "../fixture.ts";

const SLICE = 500;
/** Number of keys that leaves room for two more. */
const FILLED = MAX_OF_ACCOUNT - 2;

async function startOn(kind: string): Promise<Services> {
  const clock = fakeClock();
  const where = kind === "PostgreSQL" ? await createDatabase() : temporaryDirectory();
  const store = await openStore(where, { collections: COLLECTIONS, clock, log: createLog("silent") });
  onTestFinished(() => store.close());
  return servicesOn(store, clock);
}

/** Fills the account with keys of a user, with unknown secrets. */
async function fill(store: Store, model: ApiKey, accountId: string) {
  for (let start = 0; start < FILLED; start += SLICE) {
    await store.transact(async (tx) => {
      for (let index = start; index < Math.min(start + SLICE, FILLED); index++) {
        const id = `key_0${String(index).padStart(25, "0")}`;
        const key = { ...model, id, name: `runner ${index}`, secretHash: hashSecret(id) };
        await tx.put(apiKeys, accountSpace(accountId), id, key);
        await putCredentials(tx, accountId, key);
      }
    });
  }
}

/** Prints how long something took, and how long it blocked the event loop. Asserts nothing. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  process.stderr.write(
    `${what}: ${ms.toFixed(0)} ms, ${((user + system) / 1000).toFixed(0)} ms of a core, the loop stood still for ${(delay.max / 1e6).toFixed(0)} ms at most\n`,
  );
  return result;
}

describe.each(["a directory", "PostgreSQL"])("10,000 keys in %s", (kind) => {
  it("can be paged and searched, and end at once when their user is removed", async () => {
    const services = await startOn(kind);
    const { store, apiKeys: keys, account, owner, users, credentials: held } = services;
    const by = callerFor(owner);
    const own = await keys.create(by, { name: "the owner's", scopes: ["read"] });
    const { user } = await users.invite(by, { email: "bob@example.test", role: "admin" });
    const { secretHash, ...model } = (await store.transact((tx) =>
      tx.get(apiKeys, accountSpace(account.id), own.key.id),
    )) as ApiKey;
    await fill(store, { ...model, secretHash, userId: user.id, scopes: ["read", "write"] }, account.id);
    const list = (question: object) => keys.list(account.id, { limit: 50, ...question });
    const found = await timed(`${kind}: search`, () => list({ query: "NER 9876" }));
    expect(found.items.map(({ name, createdBy }) => [name, createdBy])).toEqual([
      ["runner 9876", "bob@example.test"],
    ]);
    const first = await timed(`${kind}: page`, () => list({}));
    const next = await list({ cursor: first.nextCursor });
    expect([first.items[0]?.name, next.items[0]?.name]).toEqual(["runner 0", "runner 50"]);
    const sorted = await timed(`${kind}: sorted by name`, () => list({ sort: "-name" }));
    expect(sorted.items.slice(0, 2).map(({ name }) => name)).toEqual(["the owner's", "runner 9997"]);
    await timed(`${kind}: one more`, () => keys.create(by, { name: "k", scopes: ["read"] }));
    await expect(keys.create(by, { name: "k", scopes: ["read"] })).rejects.toMatchObject({
      error: "conflict",
    });

    const theirs = await store.transact((tx) =>
      tx.get(credentials, GLOBAL, hashSecret(found.items[0]?.id ?? "")),
    );
    expect(theirs?.userId).toBe(user.id);
    await timed(`${kind}: removing whose they are`, () => users.remove(by, user.id));
    expect((await list({})).items.map(({ name }) => name)).toEqual(["the owner's", "k"]);
    await expect(keys.get(account.id, found.items[0]?.id ?? "")).rejects.toMatchObject({
      error: "not_found",
    });
    await expect(keys.rotate(by, found.items[0]?.id ?? "", 0, () => 0)).rejects.toMatchObject({
      error: "not_found",
    });
    expect(await held.authenticate(own.secret)).toBeDefined();
    await timed(`${kind}: deleting them`, () => deleteEndedKeys(store, account.id, services.clock.now()));
    const left = await store.transact(async (tx) => [
      await tx.ids(apiKeys, accountSpace(account.id)),
      await tx.get(credentials, GLOBAL, hashSecret(found.items[0]?.id ?? "")),
      (await tx.get(accounts, GLOBAL, account.id))?.endedKeys,
    ]);
    expect(left).toEqual([expect.arrayContaining([own.key.id]), undefined, undefined]);
    expect(left[0]).toHaveLength(2);
  });
});

it("a key ended by a role change is refused before its deletion, while newer keys of its user work", async () => {
  const services = await startOn("a directory");
  const { store, apiKeys: keys, account, owner, users, credentials: held } = services;
  const by = callerFor(owner);
  const { user } = await users.invite(by, { email: "bob@example.test", role: "admin" });
  const asBob = callerFor(user);
  const admins = await keys.create(asBob, { name: "admin's", scopes: ["admin"] });
  const reader = await keys.create(asBob, { name: "reader's", scopes: ["read"] });
  await fill(store, admins.key, account.id);
  await users.update(by, user.id, { role: "viewer" });
  expect(await held.authenticate(admins.secret)).toBeUndefined();
  expect(await held.authenticate(reader.secret)).toBeDefined();
  await users.update(by, user.id, { role: "admin" });
  expect(await held.authenticate(admins.secret)).toBeUndefined();
  await deleteEndedKeys(store, account.id, services.clock.now());
  const again = await keys.create(asBob, { name: "again", scopes: ["admin"] });
  expect(await held.authenticate(again.secret)).toBeDefined();
  expect((await keys.list(account.id, { limit: 10 })).items.map(({ name }) => name)).toEqual([
    "reader's",
    "again",
  ]);
});
