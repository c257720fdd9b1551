import { describe, expect, it } from "vitest";
import { hashSecret } from "../../../src/accounts/credentials/secrets.ts";
import { credentials, users as storedUsers } from "../../../src/accounts/model.ts";
import { createImpersonation } from "../../../src/accounts/sign-in/sessions/impersonation.ts";
import { accountSpace, GLOBAL } from "../../../src/store/store.ts";
import { iso } from "../../../src/system/clock.ts";
import {
  callerFor,
  colleague,
  HOUR,
  problem,
  type Services,
  signInByLink,
  startServices,
  stranger,
  trailOf,
  VISITOR,
} from "../fixture.ts";

const NOBODY = problem("not_found");

async function impersonating(given?: Services) {
  const services = given ?? (await startServices());
  const { signIn } = services;
  const impersonation = createImpersonation(services);
  const operator = await signInByLink(services);
  const theirs = await stranger(services);
  return {
    ...services,
    ...impersonation,
    operator: operator.signedIn,
    operatorSecret: operator.secret,
    theirs,
    whom: { accountId: theirs.accountId, userId: theirs.id },
    seen: (secret: string) => signIn.lookUp(secret),
    noted: async (action: string) => (await trailOf(services)).filter((entry) => entry.action === action),
  };
}

describe("an operator who impersonates a user", () => {
  it("has the user's scopes under a new secret for an hour, and then their own again", async () => {
    const services = await impersonating();
    const { impersonate, operator, operatorSecret, whom, theirs, clock, seen, owner } = services;
    const { secret, expiresAt } = await impersonate(operator, whom, VISITOR);
    expect(await seen(operatorSecret)).toBeUndefined();
    expect(expiresAt).toBe(operator.session.expiresAt);
    const looking = await seen(secret);
    expect(looking).toMatchObject({
      account: { id: theirs.accountId },
      user: { id: theirs.id },
      person: { id: theirs.personId },
      scopes: ["read", "write", "admin"],
      operator: { user: { id: owner.id }, account: { id: owner.accountId } },
      session: { createdAt: operator.session.createdAt },
    });
    clock.advance(HOUR - 1);
    expect((await seen(secret))?.user.id).toBe(theirs.id);
    clock.advance(1);
    const own = await seen(secret);
    expect(own?.user.id).toBe(owner.id);
    expect(own).not.toHaveProperty("operator");
  });

  it("stops at the end of the operator's own sign-in", async () => {
    const { impersonate, operator, whom, clock, seen, noted } = await impersonating();
    const left = operator.session.expiresAt - clock.now();
    clock.advance(left - 60_000);
    const { secret } = await impersonate(operator, whom, VISITOR);
    const [started] = await noted("user.impersonation_started");
    expect(started?.after).toEqual({ until: iso(operator.session.expiresAt) });
    clock.advance(60_000);
    expect(await seen(secret)).toBeUndefined();
  });

  it("is logged in both accounts, at the start and at the end", async () => {
    const { impersonate, endImpersonation, operator, whom, theirs, clock, seen, noted, owner } =
      await impersonating();
    const until = iso(clock.now() + HOUR);
    const { secret } = await impersonate(operator, whom, VISITOR);
    const both = [theirs.accountId, owner.accountId].sort();
    const target = { kind: "user", id: theirs.id };
    const started = await noted("user.impersonation_started");
    expect(started.map(({ accountId }) => accountId).sort()).toEqual(both);
    for (const entry of started) {
      expect(entry).toMatchObject({ actor: { userId: owner.id }, target, after: { until } });
    }
    const looking = (await seen(secret))!;
    const own = await endImpersonation(looking, VISITOR);
    expect(await seen(secret)).toBeUndefined();
    expect((await seen(own.secret))?.user.id).toBe(owner.id);
    expect(await seen(own.secret)).not.toHaveProperty("operator");
    const ended = await noted("user.impersonation_ended");
    expect(ended.map(({ accountId }) => accountId).sort()).toEqual(both);
    for (const entry of ended) {
      expect(entry).toMatchObject({ actor: { userId: owner.id }, target, before: { until } });
    }
  });

  it("is logged once if both belong to the same account", async () => {
    const services = await impersonating();
    const { impersonate, operator, noted } = services;
    const { user } = await colleague(services, "member");
    await impersonate(operator, { accountId: user.accountId, userId: user.id }, VISITOR);
    expect(await noted("user.impersonation_started")).toHaveLength(1);
  });

  it("stops at sign-out or revocation of the session, which is logged", async () => {
    const services = await impersonating();
    const { impersonate, operator, whom, seen, noted, sessions, owner } = services;
    const { secret } = await impersonate(operator, whom, VISITOR);
    await sessions.end(secret, VISITOR);
    expect(await seen(secret)).toBeUndefined();
    expect(await noted("user.impersonation_ended")).toHaveLength(2);
    const again = await signInByLink(services);
    const looking = await seen((await impersonate(again.signedIn, whom, VISITOR)).secret);
    await sessions.revoke(callerFor(owner), looking!.session.id);
    expect(await noted("user.impersonation_ended")).toHaveLength(4);
  });

  it("can stop after the user was removed", async () => {
    const services = await impersonating();
    const { impersonate, endImpersonation, operator, seen, noted, users, owner } = services;
    const { user } = await colleague(services, "member");
    const { secret } = await impersonate(operator, { accountId: user.accountId, userId: user.id }, VISITOR);
    await users.remove(callerFor(owner), user.id);
    const own = (await seen(secret))!;
    expect(own.user.id).toBe(owner.id);
    await endImpersonation(own, VISITOR);
    expect(await noted("user.impersonation_ended")).toMatchObject([
      { target: { kind: "user", id: user.id } },
    ]);
  });

  it("cannot impersonate twice at once or stop without having started", async () => {
    const { impersonate, endImpersonation, operator, whom, seen } = await impersonating();
    await expect(endImpersonation(operator, VISITOR)).rejects.toMatchObject(problem("conflict"));
    const { secret } = await impersonate(operator, whom, VISITOR);
    const looking = (await seen(secret))!;
    await expect(impersonate(looking.operator!, whom, VISITOR)).rejects.toMatchObject(NOBODY);
    await expect(impersonate(looking, whom, VISITOR)).rejects.toMatchObject(NOBODY);
    // Impersonating has replaced the secret of the operator's session.
    await expect(impersonate(operator, whom, VISITOR)).rejects.toMatchObject(problem("conflict"));
  });

  it("must have the operator role and not be suspended", async () => {
    const services = await impersonating();
    const { impersonate, store, whom, owner, operator } = services;
    const admin = await colleague(services, "admin");
    await expect(impersonate(admin, whom, VISITOR)).rejects.toMatchObject(NOBODY);
    await store.transact((tx) =>
      tx.put(storedUsers, accountSpace(owner.accountId), owner.id, { ...owner, suspendedAt: 1 }),
    );
    await expect(impersonate(operator, whom, VISITOR)).rejects.toMatchObject(NOBODY);
  });

  it("cannot impersonate a removed, suspended or invited user or one of a suspended account", async () => {
    const services = await impersonating();
    const { impersonate, operator, whom, accounts, owner, users, seen } = services;
    const by = callerFor(owner);
    const look = (who: typeof whom) => impersonate(operator, who, VISITOR);
    await expect(look({ ...whom, userId: "usr_gone" })).rejects.toMatchObject(NOBODY);
    await expect(look({ ...whom, accountId: "acc_gone" })).rejects.toMatchObject(NOBODY);
    const invited = await users.invite(by, { email: "a@example.com", role: "member" });
    const accountId = owner.accountId;
    await expect(look({ accountId, userId: invited.user.id })).rejects.toMatchObject(NOBODY);
    const { user } = await colleague(services, "member");
    await users.update(by, user.id, { suspended: true });
    await expect(look({ accountId, userId: user.id })).rejects.toMatchObject(NOBODY);
    await accounts.update(by, whom.accountId, { suspended: true });
    await expect(look(whom)).rejects.toMatchObject(NOBODY);
    await accounts.update(by, whom.accountId, { suspended: false });
    const { secret } = await look(whom);
    expect((await seen(secret))?.user.id).toBe(whom.userId);
    // Checked on every request, not only at the start.
    await accounts.update(by, whom.accountId, { suspended: true });
    expect((await seen(secret))?.user.id).toBe(owner.id);
  });

  it("cannot impersonate a user of a closing account or another operator", async () => {
    const services = await impersonating();
    const { impersonate, operator, whom, theirs, closing, accounts } = services;
    const { name } = await accounts.get(theirs.accountId);
    await closing.close(callerFor(theirs), name);
    await expect(impersonate(operator, whom, VISITOR)).rejects.toMatchObject(NOBODY);
    await closing.keep(callerFor(theirs));
    const { store } = services;
    await store.transact((tx) =>
      tx.put(storedUsers, accountSpace(theirs.accountId), theirs.id, { ...theirs, operator: true }),
    );
    await expect(impersonate(operator, whom, VISITOR)).rejects.toMatchObject(NOBODY);
    await store.transact((tx) => tx.put(storedUsers, accountSpace(theirs.accountId), theirs.id, theirs));
    expect(await impersonate(operator, whom, VISITOR)).toMatchObject({ expiresAt: expect.any(Number) });
  });

  it("cannot use the session's secret for the API", async () => {
    const { impersonate, operator, whom, store, credentials: held } = await impersonating();
    const { secret } = await impersonate(operator, whom, VISITOR);
    expect(await held.authenticate(secret)).toBeUndefined();
    const kept = await store.transact((tx) => tx.get(credentials, GLOBAL, hashSecret(secret)));
    expect(kept).toMatchObject({ kind: "session", scopes: [], userId: operator.user.id });
  });
});
