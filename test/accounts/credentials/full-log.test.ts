import { describe, expect, it } from "vitest";
import type { SignedIn } from "../../../src/accounts/sign-in/sign-in.ts";
import { auditDays, auditSpace } from "../../../src/audit/model.ts";
import { iso } from "../../../src/system/clock.ts";
import {
  callerFor,
  colleague,
  MINUTE,
  oauthError,
  problem,
  signInDevice,
  startServices,
  trailOf,
  VISITOR,
} from "../fixture.ts";

const PASSWORD = "correct horse battery";

/** Starts a server with an admin whose stolen credentials have filled the account's log for today. */
async function withFullLog() {
  const services = await startServices();
  const { apiKeys, signIn, store, clock } = services;
  const admin = await colleague(services, "admin");
  await signIn.setPassword(admin, { password: PASSWORD }, VISITOR);
  const { user } = admin;
  const device = await signInDevice(services, "read", user);
  const { key } = await apiKeys.create(callerFor(user), { name: "stolen", scopes: ["admin"] });
  const day = iso(clock.now()).slice(0, 10);
  await store.transact(async (tx) => {
    for (const [kind, count] of Object.entries({ done: 5000, [user.id]: 2000 }))
      await tx.put(auditDays, auditSpace(user.accountId), `${kind}/${day}`, { count });
  });
  return { ...services, admin, device, keyId: key.id, by: callerFor(user) };
}

describe("whoever has filled the audit log with somebody's credentials", () => {
  it("does not keep their owner from signing in, setting a password and ending them", async () => {
    const { admin, by, keyId, device, ...services } = await withFullLog();
    const { signIn, apiKeys, signedInDevices, users } = services;
    await expect(users.invite(by, { email: "eve@example.com", role: "admin" })).rejects.toMatchObject(
      problem("rate_limited"),
    );
    const started = await signIn.withPassword({ email: admin.user.email, password: PASSWORD }, VISITOR);
    const here = (await signIn.lookUp(started?.secret ?? "")) as SignedIn;
    await signIn.setPassword(here, { password: "another horse", currentPassword: PASSWORD }, VISITOR);
    await apiKeys.revoke(by, keyId);
    const [{ id = "" } = {}] = await signedInDevices.list(by.accountId, by.userId);
    await signedInDevices.revoke(by, id);
    expect([
      await signIn.lookUp(admin.secret),
      await services.credentials.authenticate(device.access_token),
    ]).toEqual([undefined, undefined]);
    await signIn.end(started?.secret ?? "", VISITOR);
    expect(await signIn.lookUp(started?.secret ?? "")).toBeUndefined();
    const actions = (await trailOf(services)).map(({ action }) => action);
    expect(actions.slice(-5)).toEqual([
      "session.started",
      "person.password_set",
      "key.revoked",
      "device.revoked",
      "session.ended",
    ]);
  });

  it("still ends a sign-in by using its old token", async () => {
    const { device, token, clock, credentials } = await withFullLog();
    const refresh = (refresh_token: string) =>
      token({ grant_type: "refresh_token", client_id: "tool-cli", refresh_token });
    const second = await refresh(device.refresh_token);
    const third = await refresh(second.refresh_token);
    clock.advance(2 * MINUTE);
    await expect(refresh(device.refresh_token)).rejects.toMatchObject(oauthError("invalid_grant"));
    expect(await credentials.authenticate(third.access_token)).toBeUndefined();
  });

  it("cannot use up the sign-ins that are left with a session alone", async () => {
    const { admin, signIn } = await withFullLog();
    const switching = signIn.switchAccount(admin, admin.account.id, VISITOR);
    await expect(switching).rejects.toMatchObject(problem("rate_limited"));
  });
});
