import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { createAuditLog } from "../../src/audit/log.ts";
import { auditCollections } from "../../src/audit/model.ts";
import {
  createSigningKeys,
  signingKeys as keyDocuments,
} from "../../src/metering/signing-keys/signing-keys.ts";
import { GLOBAL, ReadOnly, type Store, StoreUnavailable } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = DAY + 5 * 60_000;
const SIGNING = 60_000;

async function openKeys(instances = 1) {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: [keyDocuments, ...auditCollections] });
  return { clock, store, instances: Array.from({ length: instances }, () => instance(store, clock)) };
}

function instance(store: Store, clock: FakeClock) {
  return createSigningKeys({ store, audit: testTrail(store, clock), clock, lifetimeMs: LIFETIME });
}

type Keys = ReturnType<typeof instance>;

async function verify(keys: Keys, jws: string) {
  return compactVerify(jws, createLocalJWKSet(await keys.jwks()));
}

function kidOf(jws: string) {
  return decodeProtectedHeader(jws).kid;
}

/** Opens a store that can be made to refuse writes. */
async function openRefusing() {
  const { clock, store } = await openKeys();
  let isWritable = true;
  const refusing: Store = {
    ...store,
    transact: (work, as) =>
      store.transact((tx) => {
        if (!isWritable) Object.assign(tx, { put: () => Promise.reject(new ReadOnly("it is being moved.")) });
        return work(tx);
      }, as),
  };
  const allow = (writes: boolean) => {
    isWritable = writes;
  };
  return { clock, refusing, allow };
}

describe("signing keys", () => {
  it("sign a payload that anyone can verify with the JWK Set", async () => {
    const [keys] = (await openKeys()).instances as [Keys];
    for (const aside of [false, true]) {
      const jws = await keys.sign({ hello: "wörld" }, "test+jwt", aside);
      const { payload, protectedHeader } = await verify(keys, jws);
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({ hello: "wörld" });
      expect(protectedHeader).toEqual({ alg: "EdDSA", kid: kidOf(jws), typ: "test+jwt" });
    }
  });

  it("publish only public Ed25519 keys", async () => {
    const [keys] = (await openKeys()).instances as [Keys];
    expect((await keys.jwks()).keys).toEqual([
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        alg: "EdDSA",
        use: "sig",
      },
    ]);
  });

  it("are the same for all instances that start at once on an empty store", async () => {
    const { instances } = await openKeys(5);
    const signed = await Promise.all(instances.map((keys) => keys.sign({}, "test+jwt")));
    expect(new Set(signed.map(kidOf)).size).toBe(1);
    expect((await (instances[0] as Keys).jwks()).keys).toHaveLength(1);
  });

  it("survive a restart", async () => {
    const { store, clock, instances } = await openKeys();
    const jws = await (instances[0] as Keys).sign({}, "test+jwt");
    const restarted = instance(store, clock);
    await verify(restarted, jws);
    expect(kidOf(await restarted.sign({}, "test+jwt"))).toBe(kidOf(jws));
  });

  it("are replaced by rotate() at once for all instances", async () => {
    const [one, two] = (await openKeys(2)).instances as [Keys, Keys];
    const before = await two.sign({}, "test+jwt");
    const { kid } = await one.rotate();
    expect(kid).not.toBe(kidOf(before));
    for (const keys of [one, two]) expect(kidOf(await keys.sign({}, "test+jwt"))).toBe(kid);
  });

  it("keep signing when their replacement is due but the store is read-only", async () => {
    const { clock, refusing, allow } = await openRefusing();
    const keys = instance(refusing, clock);
    await keys.prepare();
    const first = kidOf(await keys.sign({}, "test+jwt"));
    clock.advance(91 * DAY);
    allow(false);
    const jws = await keys.sign({}, "test+jwt");
    expect(kidOf(jws)).toBe(first);
    await verify(keys, jws);
    allow(true);
    expect(kidOf(await keys.sign({}, "test+jwt"))).not.toBe(first);
  });

  it("do not keep a server from starting if the first one cannot be written", async () => {
    const { clock, refusing, allow } = await openRefusing();
    allow(false);
    const keys = instance(refusing, clock);
    await keys.prepare();
    await expect(keys.sign({}, "test+jwt")).rejects.toThrow(StoreUnavailable);
    allow(true);
    await verify(keys, await keys.sign({}, "test+jwt"));
  });

  it("verify their signatures until what they signed last has expired, and no longer", async () => {
    const { clock, instances } = await openKeys();
    const [keys] = instances as [Keys];
    const jws = await keys.sign({}, "test+jwt");
    await keys.rotate();
    clock.advance(LIFETIME + SIGNING - 1);
    await verify(keys, jws);
    clock.advance(1);
    await expect(verify(keys, jws)).rejects.toThrow("no applicable key");
    expect((await keys.jwks()).keys).toHaveLength(1);
  });

  it("are listed newest first, and their changes are audited with the previous key", async () => {
    const { clock, store, instances } = await openKeys();
    const [keys] = instances as [Keys];
    const first = kidOf(await keys.sign({}, "test+jwt"));
    clock.advance(1000);
    const { kid: second } = await keys.rotate();
    expect((await keys.list()).map(({ kid, isCurrent }) => [kid, isCurrent])).toEqual([
      [second, true],
      [first, false],
    ]);
    const { items } = await createAuditLog({ store }).page("all", {}, { limit: 10 });
    expect(items.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["signing_key.rotated", { kid: first }, { kid: second }],
      ["signing_key.created", undefined, { kid: first }],
    ]);
  });

  it("are listed by their time of creation", async () => {
    const { clock, instances } = await openKeys();
    const [keys] = instances as [Keys];
    const made = [kidOf(await keys.sign({}, "test+jwt"))];
    for (let count = 0; count < 5; count++) {
      clock.advance(1000);
      made.unshift((await keys.rotate()).kid);
    }
    expect((await keys.list()).map(({ kid }) => kid)).toEqual(made);
  });

  it("keep no private key after their replacement", async () => {
    const { store, instances } = await openKeys();
    const [keys] = instances as [Keys];
    await keys.rotate();
    await keys.rotate();
    const kept = await store.transact((tx) => tx.list(keyDocuments, GLOBAL));
    expect(kept).toHaveLength(3);
    expect(kept.filter(({ value }) => value.privateKey).map(({ id }) => id)).toEqual(["current"]);
  });

  it("are replaced once if several instances rotate at the same time", async () => {
    const { instances } = await openKeys(4);
    const before = await (instances[0] as Keys).sign({}, "test+jwt");
    const made = await Promise.all(instances.map((keys) => keys.rotate()));
    const kids = made.map(({ kid }) => kid);
    expect(new Set(kids).size).toBe(1);
    expect(kids[0]).not.toBe(kidOf(before));
  });

  it("are replaced automatically after 90 days", async () => {
    const { clock, instances } = await openKeys(2);
    const before = kidOf(await (instances[0] as Keys).sign({}, "test+jwt"));
    clock.advance(90 * DAY - 1);
    expect(kidOf(await (instances[0] as Keys).sign({}, "test+jwt"))).toBe(before);
    clock.advance(1);
    const after = await Promise.all(instances.map((keys) => keys.sign({}, "test+jwt")));
    expect(new Set(after.map(kidOf)).size).toBe(1);
    expect(kidOf(after[0] as string)).not.toBe(before);
  });
});
