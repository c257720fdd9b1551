import { expect, it } from "vitest";
import { callerFor, colleague, HOUR, problem, signInDevice, startServices, stranger } from "../fixture.ts";

it("list() returns devices newest first, by account or user, without rotation details", async () => {
  const services = await startServices();
  const { signedInDevices, account, owner, clock } = services;
  const { user } = await colleague(services, "member");
  await signInDevice(services, "read");
  clock.advance(1000);
  await signInDevice(services, "write", user);
  await signInDevice(services, "read", await stranger(services));
  const listed = await signedInDevices.list(account.id);
  expect(listed.map(({ userId }) => userId)).toEqual([user.id, owner.id]);
  // The fields that detect stolen refresh tokens are not exposed.
  expect(listed[0]).toEqual({
    id: expect.stringMatching(/^fam_/),
    userId: user.id,
    email: "member@example.com",
    clientId: "tool-cli",
    scopes: ["write"],
    address: "198.51.100.7",
    userAgent: "tool/0.1.0",
    createdAt: clock.now(),
    lastUsedAt: clock.now(),
    expiresAt: clock.now() + 30 * 24 * HOUR,
  });
  expect(await signedInDevices.list(account.id, owner.id)).toEqual([listed[1]]);
  expect(await signedInDevices.list(account.id, "usr_other")).toEqual([]);
});

it("revoke() signs out a device for its user or for an admin who revokes any, and no other caller", async () => {
  const services = await startServices();
  const { account, owner, signedInDevices, credentials } = services;
  const [mine, other] = [await signInDevice(services), await signInDevice(services)];
  const [second, first] = await signedInDevices.list(account.id);
  const admin = callerFor((await colleague(services, "admin")).user);
  const elsewhere = callerFor(await stranger(services));
  for (const revoking of [
    signedInDevices.revoke(admin, first!.id),
    signedInDevices.revoke(elsewhere, first!.id),
    signedInDevices.revoke(elsewhere, first!.id, true),
    signedInDevices.revoke(callerFor(owner), "fam_unknown", true),
  ]) {
    await expect(revoking).rejects.toMatchObject(problem("not_found"));
  }
  expect(await signedInDevices.list(account.id)).toHaveLength(2);
  await signedInDevices.revoke(callerFor(owner), first!.id);
  expect(await credentials.authenticate(mine.access_token)).toBeUndefined();
  expect(await credentials.authenticate(other.access_token)).toBeDefined();
  await signedInDevices.revoke(admin, second!.id, true);
  expect(await signedInDevices.list(account.id)).toEqual([]);
});
