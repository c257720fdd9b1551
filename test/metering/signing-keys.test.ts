import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { createAuditLog } from "../../src/audit/log.ts";
import { auditCollections } from "../../src/audit/model.ts";
import { signingKeys as keyDocuments, rsaSigningKeys } from "../../src/metering/signing-keys/key-ring.ts";
import { createSigningKeys } from "../../src/metering/signing-keys/signing-keys.ts";
import { GLOBAL, ReadOnly, type Store, StoreUnavailable } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = DAY + 5 * 60_000;
const SIGNING = 60_000;

async function openKeys(instances = 1) {
  const clock = fakeClock();
  const store = await openTestStore({
    clock,
    collections: [keyDocuments, rsaSigningKeys, ...auditCollections],
  });
  return { clock, store, instances: Array.from({ length: instances }, () => instance(store, clock)) };
}

function instance(store: Store, clock: FakeClock, more: { needsRsa?: boolean } = {}) {
  return createSigningKeys({ store, audit: testTrail(store, clock), clock, lifetimeMs: LIFETIME, ...more });
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
      ["signing_key.rotated", { kid: first }, { kid: second, alg: "EdDSA" }],
      ["signing_key.created", undefined, { kid: first, alg: "EdDSA" }],
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

describe("signing keys of RSA", () => {
  const algorithms = async (keys: Keys) => (await keys.jwks()).keys.map(({ alg }) => alg);

  it("are made for the first payload that needs one, once for all instances", async () => {
    const { instances } = await openKeys(3);
    const [keys] = instances as [Keys];
    await keys.prepare();
    expect(await algorithms(keys)).toEqual(["EdDSA"]);
    const asked = [...instances, ...instances].map((each) => each.signAs("RS256", { sub: "me" }, "JWT"));
    const signed = await Promise.all(asked);
    expect(new Set(signed.map(kidOf)).size).toBe(1);
    expect(await algorithms(keys)).toEqual(["EdDSA", "RS256"]);
    const { payload, protectedHeader } = await verify(keys, signed[0] as string);
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({ sub: "me" });
    expect(protectedHeader).toEqual({ alg: "RS256", kid: kidOf(signed[0] as string), typ: "JWT" });
  });

  it("are published, without what is secret, before the first payload where it is known that somebody needs one", async () => {
    const { clock, store } = await openKeys(0);
    const keys = instance(store, clock, { needsRsa: true });
    const [, key] = (await keys.jwks()).keys;
    expect(key).toEqual({
      kty: "RSA",
      n: expect.stringMatching(/^[\w-]{342}$/),
      e: "AQAB",
      kid: expect.any(String),
      alg: "RS256",
      use: "sig",
    });
    expect(kidOf(await keys.signAs("RS256", {}, "JWT"))).toBe(key?.kid);
  });

  it("are replaced along with the others, and what they signed is verified until it has expired", async () => {
    const { clock, instances } = await openKeys();
    const [keys] = instances as [Keys];
    const before = await keys.signAs("RS256", {}, "JWT");
    clock.advance(1000);
    const { algorithm } = await keys.rotate();
    expect(algorithm).toBe("EdDSA");
    const after = await keys.signAs("RS256", {}, "JWT");
    expect(kidOf(after)).not.toBe(kidOf(before));
    const listed = (await keys.list()).map(({ algorithm, isCurrent }) => `${algorithm} ${isCurrent}`);
    expect(listed.sort()).toEqual(["EdDSA false", "EdDSA true", "RS256 false", "RS256 true"]);
    for (const jws of [before, after]) await verify(keys, jws);
    clock.advance(LIFETIME + SIGNING);
    await expect(verify(keys, before)).rejects.toThrow("no applicable key");
    await verify(keys, after);
  });

  it("are not made by a replacement where nobody needs one", async () => {
    const [keys] = (await openKeys()).instances as [Keys];
    await keys.rotate();
    expect(new Set(await algorithms(keys))).toEqual(new Set(["EdDSA"]));
  });

  it("stand where a version without them does not look", async () => {
    const { store, instances } = await openKeys();
    const [keys] = instances as [Keys];
    await keys.signAs("RS256", {}, "JWT");
    const seen = await store.transact((tx) => tx.list(keyDocuments, GLOBAL));
    expect(seen.every(({ value }) => value.publicKey.kty === "OKP")).toBe(true);
  });
});
