import { expect, it } from "vitest";
import { MINUTE, problem, signInDevice, startServices } from "../fixture.ts";

it("the devices of an account are listed newest first, those of one user where asked", async () => {
  const services = await startServices();
  const { account, owner, families, clock } = services;
  await signInDevice(services);
  clock.advance(MINUTE);
  await signInDevice(services);
  const listed = await families.list(account.id);
  expect(listed.map(({ createdAt }) => createdAt)).toEqual([clock.now(), clock.now() - MINUTE]);
  expect(await families.list(account.id, owner.id)).toEqual(listed);
  // What it takes to notice a stolen refresh token is nobody's to see.
  expect(Object.keys(listed[0]!)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/generation|firstUses/)]),
  );
  expect(await families.list(account.id, "usr_other")).toEqual([]);
});

it("a device is signed out by its user, or by whoever may for all, and by nobody else", async () => {
  const services = await startServices();
  const { account, owner, families, credentials } = services;
  const [mine, other] = [await signInDevice(services), await signInDevice(services)];
  const [second, first] = await families.list(account.id);
  for (const [accountId, id, userId] of [
    [account.id, first!.id, "usr_other"],
    [account.id, "fam_unknown", owner.id],
    ["acc_other", first!.id, owner.id],
  ] as const) {
    await expect(families.revoke(accountId, id, userId)).rejects.toMatchObject(problem("not_found"));
  }
  expect(await families.list(account.id)).toHaveLength(2);
  await families.revoke(account.id, first!.id, owner.id);
  expect(await credentials.authenticate(mine.access_token)).toBeUndefined();
  expect(await credentials.authenticate(other.access_token)).toBeDefined();
  await families.revoke(account.id, second!.id);
  expect(await families.list(account.id)).toEqual([]);
});
