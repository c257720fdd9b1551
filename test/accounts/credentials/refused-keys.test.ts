import { describe, expect, it } from "vitest";
import { createCredentials } from "../../../src/accounts/credentials/credentials.ts";
import { createEndedUse } from "../../../src/accounts/credentials/ended-use.ts";
import { createOutsideUse } from "../../../src/accounts/credentials/outside-use.ts";
import type { Credential } from "../../../src/accounts/model.ts";
import type { Alert } from "../../../src/alerts/alert.ts";
import { callerFor, DAY, HOUR, MINUTE, problem, settled, startServices, trailOf } from "../fixture.ts";

const THERE = { address: "203.0.113.7", requestId: "req_there" };
const HERE = { address: "192.0.2.7", requestId: "req_here" };

async function watched() {
  const services = await startServices();
  const { store, audit, clock, apiKeys, owner } = services;
  const raised: Alert[] = [];
  const alerts = { raise: (alert: Alert) => void raised.push(alert) };
  const onOutside = createOutsideUse({ store, audit, alerts, clock });
  const onEnded = createEndedUse({ alerts, clock });
  const credentials = createCredentials({ store, noteUse: () => {}, onOutside, onEnded });
  const by = callerFor(owner);
  return {
    ...services,
    by,
    raised,
    onOutside,
    onEnded,
    authenticate: credentials.authenticate,
    make: (more: { addresses?: string[]; expiresAt?: number } = {}) =>
      apiKeys.create(by, { name: "ci", scopes: ["read"], ...more }),
    /** Waits until all is written, and returns the new alerts and the audit entries. */
    told: async () => {
      await settled(services);
      const entries = (await trailOf(services)).filter(({ action }) => action === "key.refused");
      return { alerts: raised.splice(0), entries };
    },
  };
}

describe("a key used from an address outside its binding", () => {
  it("is refused, logged for its account and raised as an alert", async () => {
    const { make, authenticate, told, owner, clock } = await watched();
    const { key, secret } = await make({ addresses: ["192.0.2.0/24"] });
    expect(await authenticate(secret, HERE)).toBeDefined();
    await expect(authenticate(secret, THERE)).rejects.toMatchObject({
      ...problem("outside_binding"),
      detail: "This key does not work from the address 203.0.113.7.",
    });
    const { alerts, entries } = await told();
    expect(alerts).toEqual([
      {
        type: "key.refused",
        accountId: owner.accountId,
        subject: `key/${key.id}`,
        once: { key: `key/${key.id}/refused`, until: clock.now() + HOUR },
        data: { keyId: key.id, name: "ci", reason: "outside_addresses", address: THERE.address },
      },
    ]);
    expect(entries).toMatchObject([
      {
        accountId: owner.accountId,
        outcome: "refused",
        actor: { userId: owner.id, credential: { kind: "api_key", id: key.id }, ...THERE },
        target: { kind: "key", id: key.id, name: "ci" },
      },
    ]);
  });

  it('is refused with "unknown" as its address if none is known', async () => {
    const { make, authenticate } = await watched();
    const { secret } = await make({ addresses: ["192.0.2.0/24"] });
    await expect(authenticate(secret)).rejects.toMatchObject({
      detail: "This key does not work from the address unknown.",
    });
  });

  it("is logged once a minute for each key", async () => {
    const { make, authenticate, told, clock } = await watched();
    const [one, other] = [await make({ addresses: ["192.0.2.1"] }), await make({ addresses: ["192.0.2.2"] })];
    const ask = (secret: string) => authenticate(secret, THERE).catch(() => {});
    await ask(one.secret);
    clock.advance(MINUTE - 1);
    await ask(one.secret);
    await ask(other.secret);
    expect((await told()).entries.map(({ target }) => target.id)).toEqual([one.key.id, other.key.id]);
    clock.advance(1);
    await ask(one.secret);
    expect((await told()).entries.map(({ target }) => target.id)).toEqual([
      one.key.id,
      other.key.id,
      one.key.id,
    ]);
  });

  it("is named by its id once it is deleted", async () => {
    const { onOutside, told, owner } = await watched();
    const gone = { kind: "api_key", id: "key_gone", accountId: owner.accountId, userId: owner.id };
    onOutside(gone as Credential, THERE);
    const { alerts, entries } = await told();
    expect(alerts).toMatchObject([{ data: { keyId: "key_gone", name: "key_gone" } }]);
    expect(entries).toMatchObject([{ target: { kind: "key", id: "key_gone" } }]);
  });

  it("raises no alert and fails nothing while the store is unavailable", async () => {
    const { audit, clock, raised } = await watched();
    const away = { transact: () => Promise.reject(new Error("away")) };
    const onOutside = createOutsideUse({
      store: away as never,
      audit,
      alerts: { raise: (alert) => void raised.push(alert) },
      clock,
    });
    onOutside({ id: "key_a" } as Credential, THERE);
    await new Promise(setImmediate);
    expect(raised).toEqual([]);
  });
});

describe("a key used after its end", () => {
  it("raises an alert with the reason, once an hour for each key", async () => {
    const { make, authenticate, told, apiKeys, by, clock, owner } = await watched();
    const revoked = await make();
    const expired = await make({ expiresAt: clock.now() + MINUTE });
    await apiKeys.revoke(by, revoked.key.id);
    clock.advance(MINUTE);
    const use = async () => {
      for (const { secret } of [revoked, expired]) expect(await authenticate(secret, THERE)).toBeUndefined();
      return (await told()).alerts;
    };
    expect(await use()).toMatchObject([
      {
        type: "key.refused",
        accountId: owner.accountId,
        once: { until: clock.now() + HOUR },
        data: { keyId: revoked.key.id, name: "ci", reason: "revoked", address: THERE.address },
      },
      { data: { keyId: expired.key.id, reason: "expired" } },
    ]);
    clock.advance(HOUR - 1);
    expect(await use()).toEqual([]);
    clock.advance(1);
    expect(await use()).toHaveLength(2);
  });

  it("is recognized for 30 days, unlike a guessed secret", async () => {
    const { make, authenticate, told, apiKeys, by, clock } = await watched();
    const [one, other] = [await make(), await make()];
    await apiKeys.revoke(by, one.key.id);
    await apiKeys.revoke(by, other.key.id);
    clock.advance(30 * DAY - 1);
    expect(await authenticate(one.secret, THERE)).toBeUndefined();
    expect((await told()).alerts).toHaveLength(1);
    clock.advance(1);
    expect(await authenticate(other.secret, THERE)).toBeUndefined();
    expect(await authenticate("tak_guess", THERE)).toBeUndefined();
    expect((await told()).alerts).toEqual([]);
  });

  it("is remembered along with 9,999 others, the oldest of which are forgotten", async () => {
    const { onEnded, raised } = await watched();
    const ended = { accountId: "acc_a", name: "k", reason: "revoked" } as const;
    for (let index = 0; index < 10_000; index++) onEnded({ ...ended, keyId: `key_${index}` }, THERE);
    expect(raised).toHaveLength(10_000);
    onEnded({ ...ended, keyId: "key_0" }, THERE);
    expect(raised).toHaveLength(10_000);
    onEnded({ ...ended, keyId: "key_more" }, THERE);
    onEnded({ ...ended, keyId: "key_0" }, THERE);
    expect(raised).toHaveLength(10_002);
  });
});
