import { expect, it } from "vitest";
import { MINUTE, signInDevice, startServices } from "../fixture.ts";

it("the devices of an account are listed newest first, those of one user where asked", async () => {
  const services = await startServices();
  const { account, owner, families, clock } = services;
  await signInDevice(services);
  clock.advance(MINUTE);
  await signInDevice(services);
  const listed = await families.list(account.id);
  expect(listed.map(({ createdAt }) => createdAt)).toEqual([clock.now(), clock.now() - MINUTE]);
  expect(await families.list(account.id, owner.id)).toEqual(listed);
  expect(await families.list(account.id, "usr_other")).toEqual([]);
});
