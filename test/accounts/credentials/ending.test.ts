import { describe, expect, it } from "vitest";
import {
  createEndedKeysSweep,
  deleteEndedKeys,
  endKeys,
  isEndedByMark,
} from "../../../src/accounts/credentials/ending.ts";
import { putCredentials } from "../../../src/accounts/credentials/key-secrets.ts";
import { hashSecret } from "../../../src/accounts/credentials/secrets.ts";
import { type ApiKey, accounts, apiKeys } from "../../../src/accounts/model.ts";
import type { Scope } from "../../../src/contract/caller.ts";
import { accountSpace, GLOBAL } from "../../../src/store/store.ts";
import { callerFor, type Services, startServices } from "../fixture.ts";

type Made = Services & { model: ApiKey };

async function start(): Promise<Made> {
  const services = await startServices();
  const { store, account, owner } = services;
  const { key } = await services.apiKeys.create(callerFor(owner), { name: "own", scopes: ["read"] });
  const model = await store.transact((tx) => tx.get(apiKeys, accountSpace(account.id), key.id));
  return { ...services, model: model as ApiKey };
}

/** Creates keys of a user, named by number. Their ids sort by number, before the owner's key. */
async function make({ store, account, model }: Made, userId: string, numbers: number[], scopes: Scope[]) {
  await store.transact(async (tx) => {
    for (const number of numbers) {
      const id = `key_0${String(number).padStart(25, "0")}`;
      const key = { ...model, id, userId, scopes, name: `k${number}`, secretHash: hashSecret(id) };
      await tx.put(apiKeys, accountSpace(account.id), id, key);
      await putCredentials(tx, account.id, key);
    }
  });
}

async function namesLeft({ store, account }: Services): Promise<string[]> {
  const left = await store.transact((tx) => tx.list(apiKeys, accountSpace(account.id)));
  return left.map(({ value }) => value.name).sort();
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const end = ({ store, account, clock }: Services, userId: string, scopes: Scope[]) =>
  store.transact((tx) => endKeys(tx, account.id, userId, scopes, clock.now()));
const accountOf = ({ store, account }: Services) =>
  store.transact((tx) => tx.get(accounts, GLOBAL, account.id));

describe("the keys of a user whose scopes are reduced", () => {
  it("end if they exceed the remaining scopes, and other users' keys stay", async () => {
    const services = await start();
    await make(services, "usr_ann", [1], ["read"]);
    await make(services, "usr_ann", [2], ["read", "write"]);
    await make(services, "usr_bob", [3], ["read", "write"]);
    await end(services, "usr_ann", ["read"]);
    expect(await namesLeft(services)).toEqual(["k1", "k3", "own"]);
    expect(await accountOf(services)).not.toHaveProperty("endedKeys");
    await end(services, "usr_ann", []);
    expect(await namesLeft(services)).toEqual(["k3", "own"]);
  });

  it("end by a mark on the account if there are many, except those created later", async () => {
    const services = await start();
    await make(services, "usr_ann", range(0, 120), ["read", "write"]);
    await make(services, "usr_bob", range(120, 240), ["read", "write"]);
    await end(services, "usr_ann", ["read"]);
    expect(await namesLeft(services)).toHaveLength(241);
    const marked = (await accountOf(services)) ?? {};
    const key = { id: services.model.id, userId: "usr_ann", scopes: ["write"] as Scope[] };
    expect(isEndedByMark(marked, key)).toBe(true);
    expect(isEndedByMark(marked, { ...key, scopes: ["read"] })).toBe(false);
    expect(isEndedByMark(marked, { ...key, userId: "usr_bob" })).toBe(false);
    expect(isEndedByMark(marked, { ...key, id: `${key.id}1` })).toBe(false);
    expect(isEndedByMark({}, key)).toBe(false);
    // Ended keys are found among any number of keys that stay.
    await deleteEndedKeys(services.store, services.account.id, services.clock.now());
    const left = range(120, 240).map((number) => `k${number}`);
    expect(await namesLeft(services)).toEqual([...left, "own"]);
  });

  it("are deleted along with their mark, and newer marks stay", async () => {
    const services = await start();
    const { store, account, clock } = services;
    await make(services, "usr_ann", range(0, 210), ["read", "write"]);
    await make(services, "usr_bob", [210, 211], ["write"]);
    await end(services, "usr_ann", ["read"]);
    const mark = (await accountOf(services))?.endedKeys?.[0];
    expect(mark).toMatchObject({ userId: "usr_ann", scopes: ["read"], upTo: services.model.id });
    const deleting = deleteEndedKeys(store, account.id, clock.now());
    // A second mark, set while the deletion runs.
    await end(services, "usr_bob", []);
    await deleting;
    expect(await namesLeft(services)).toEqual(["k210", "k211", "own"]);
    expect((await accountOf(services))?.endedKeys).toMatchObject([{ userId: "usr_bob", scopes: [] }]);
    await deleteEndedKeys(store, account.id, clock.now());
    expect(await namesLeft(services)).toEqual(["own"]);
    expect(await accountOf(services)).not.toHaveProperty("endedKeys");
  });

  it("are deleted by one sweep at a time, and a later request starts another", async () => {
    const services = await start();
    const { store, account, clock } = services;
    await make(services, "usr_ann", range(0, 210), ["write"]);
    await end(services, "usr_ann", []);
    let transactions = 0;
    const counted = {
      ...store,
      transact: ((work: never) => {
        transactions++;
        return store.transact(work);
      }) as typeof store.transact,
    };
    const sweep = createEndedKeysSweep(counted, clock);
    sweep({ id: account.id });
    expect(transactions).toBe(0);
    const { endedKeys } = (await accountOf(services)) ?? {};
    for (let time = 0; time < 3; time++) sweep({ id: account.id, endedKeys });
    expect(transactions).toBe(1);
    await expect.poll(() => namesLeft(services)).toEqual(["own"]);
    await expect.poll(() => accountOf(services)).not.toHaveProperty("endedKeys");
    const before = transactions;
    sweep({ id: account.id, endedKeys });
    expect(transactions).toBe(before + 1);
  });
});
