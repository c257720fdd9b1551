import { describe, expect, it } from "vitest";
import { callerFor, colleague, HOUR, problem, signInDevice, startServices, stranger } from "../fixture.ts";

const PAGE = { limit: 10, sort: "-lastUsedAt" as const };

/** Signs a device in for the owner and, later, one for a member; and one in another account. */
async function signedIn() {
  const services = await startServices();
  const { user: member } = await colleague(services, "member");
  await signInDevice(services, "admin");
  services.clock.advance(1000);
  await signInDevice(services, "write", member);
  await signInDevice(services, "read", await stranger(services));
  const [ofMember, ofOwner] = await services.signedInDevices.list(services.account.id);
  return { ...services, member, ofMember: ofMember!.id, ofOwner: ofOwner!.id };
}

describe("listDevices", () => {
  it("shows everybody's to an admin, and marks the one that asks", async () => {
    const { handlers, owner, member, ofMember, ofOwner, clock } = await signedIn();
    const caller = callerFor(owner, { familyId: ofOwner });
    const { items } = (await handlers.listDevices(PAGE, caller)) as { items: object[] };
    expect(items).toEqual([
      {
        id: ofMember,
        userId: member.id,
        email: "member@example.com",
        clientId: "tool-cli",
        scopes: ["write"],
        address: "198.51.100.7",
        userAgent: "tool/0.1.0",
        createdAt: new Date(clock.now()).toISOString(),
        lastUsedAt: new Date(clock.now()).toISOString(),
        expiresAt: new Date(clock.now() + 30 * 24 * HOUR).toISOString(),
        current: false,
      },
      expect.objectContaining({ id: ofOwner, email: "owner@localhost", current: true }),
    ]);
  });

  it("finds, sorts and pages", async () => {
    const { handlers, owner, member, ofMember, ofOwner } = await signedIn();
    const ids = async (asked: Partial<Parameters<typeof handlers.listDevices>[0]>) => {
      const page = await handlers.listDevices({ ...PAGE, ...asked }, callerFor(owner));
      return page as { items: { id: string }[]; nextCursor?: string };
    };
    expect((await ids({ query: "MEMBER@" })).items).toMatchObject([{ id: ofMember }]);
    expect((await ids({ query: ofOwner })).items).toMatchObject([{ id: ofOwner }]);
    expect((await ids({ query: "nothing" })).items).toEqual([]);
    expect((await ids({ userId: member.id })).items).toMatchObject([{ id: ofMember }]);
    expect((await ids({ sort: "createdAt" })).items).toMatchObject([{ id: ofOwner }, { id: ofMember }]);
    const first = await ids({ sort: "email", limit: 1 });
    expect(first.items).toMatchObject([{ id: ofMember }]);
    const rest = await ids({ sort: "email", limit: 1, cursor: first.nextCursor });
    expect(rest.items).toMatchObject([{ id: ofOwner }]);
    expect(rest).not.toHaveProperty("nextCursor");
  });

  it("shows others their own alone, and nothing to their keys", async () => {
    const { handlers, owner, member, ofMember } = await signedIn();
    const caller = callerFor(member);
    expect(await handlers.listDevices(PAGE, caller)).toMatchObject({ items: [{ id: ofMember }] });
    expect(await handlers.listDevices({ ...PAGE, userId: member.id }, caller)).toMatchObject({
      items: [{ id: ofMember }],
    });
    await expect(handlers.listDevices({ ...PAGE, userId: owner.id }, caller)).rejects.toMatchObject(
      problem("insufficient_scope"),
    );
    // An admin's device or key with less than the scope `admin` is no admin's.
    const reading = callerFor(owner, { scopes: ["read"] });
    await expect(handlers.listDevices({ ...PAGE, userId: member.id }, reading)).rejects.toMatchObject(
      problem("insufficient_scope"),
    );
    const key = { kind: "api_key" as const, scopes: ["write" as const] };
    await expect(handlers.listDevices(PAGE, callerFor(member, key))).rejects.toMatchObject(
      problem("forbidden"),
    );
    const bound = callerFor(owner, { kind: "api_key", projectId: "web" });
    await expect((async () => handlers.listDevices(PAGE, bound))()).rejects.toMatchObject(
      problem("forbidden"),
    );
  });
});

describe("revokeDevice", () => {
  it("signs anybody's device out for an admin, and for others their own", async () => {
    const { handlers, owner, member, ofMember, ofOwner, signedInDevices, account } = await signedIn();
    const key = { kind: "api_key" as const, scopes: ["write" as const] };
    for (const [deviceId, caller, error] of [
      [ofOwner, callerFor(member), "not_found"],
      ["fam_unknown", callerFor(owner), "not_found"],
      [ofMember, callerFor(owner, { scopes: ["write"] }), "not_found"],
      [ofMember, callerFor(member, key), "forbidden"],
      [ofMember, callerFor(owner, { kind: "api_key", projectId: "web" }), "forbidden"],
    ] as const) {
      const revoking = (async () => handlers.revokeDevice({ deviceId }, caller))();
      await expect(revoking).rejects.toMatchObject(problem(error));
    }
    expect(await signedInDevices.list(account.id)).toHaveLength(2);
    expect(await handlers.revokeDevice({ deviceId: ofMember }, callerFor(member))).toEqual({});
    expect(await handlers.revokeDevice({ deviceId: ofOwner }, callerFor(owner))).toEqual({});
    expect(await signedInDevices.list(account.id)).toEqual([]);
  });
});
