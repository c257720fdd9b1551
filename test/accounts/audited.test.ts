import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/accounts/roles.ts";
import {
  approverFor,
  callerFor,
  colleague,
  comeBy,
  DAY,
  HOUR,
  problem,
  signInByLink,
  signInDevice,
  startServices,
  stranger,
  trailOf,
  VISITOR,
} from "./fixture.ts";

const IDE = { address: "203.0.113.77", userAgent: "ide/1" };

/** Starts services whose `last` returns the newest entry of the audit log. */
async function watched() {
  const services = await startServices();
  const { owner } = services;
  return {
    ...services,
    by: callerFor(owner),
    last: async () => {
      const { action, target, accountId, before, after, actor } = (await trailOf(services)).at(-1)!;
      return {
        action,
        target,
        accountId,
        ...(before && { before }),
        ...(after && { after }),
        userId: actor.userId,
      };
    },
  };
}

describe("audit log entries for accounts", () => {
  it("record invitations, joining, changes, leaving and removal of users", async () => {
    const services = await watched();
    const { users, by, account, owner, last, clock } = services;
    const accountId = account.id;
    const entry = { accountId, userId: owner.id };
    const { user } = await users.invite(by, { email: "ann@example.com", role: "member" });
    const target = { kind: "user", id: user.id, name: "ann@example.com" };
    const asked = { email: "ann@example.com", role: "member" };
    expect(await last()).toEqual({ ...entry, action: "user.invited", target, after: asked });
    const first = clock.now() + 7 * DAY;
    clock.advance(HOUR);
    const { signInLink } = await users.renewInvitation(by, user.id);
    expect(await last()).toEqual({
      ...entry,
      action: "user.invitation_renewed",
      target,
      before: { expiresAt: first },
      after: { expiresAt: first + HOUR },
    });
    const ann = await comeBy(services, signInLink);
    expect(await last()).toEqual({
      accountId,
      userId: user.id,
      action: "user.joined",
      target,
      after: { by: "link" },
    });
    await users.update(by, user.id, { role: "viewer" });
    const updated = { ...entry, action: "user.updated", target };
    expect(await last()).toEqual({ ...updated, before: { role: "member" }, after: { role: "viewer" } });
    await users.update(by, user.id, { suspended: true });
    expect(await last()).toEqual({ ...updated, before: { suspended: false }, after: { suspended: true } });
    await users.update(by, user.id, { suspended: false });
    expect(await last()).toEqual({ ...updated, before: { suspended: true }, after: { suspended: false } });
    await users.createSignInLink(by, user.id);
    expect(await last()).toEqual({ ...entry, action: "user.sign_in_link_made", target });
    await users.remove(callerFor(ann.user), user.id);
    const before = { email: "ann@example.com", role: "viewer" };
    expect(await last()).toEqual({ accountId, userId: user.id, action: "user.left", target, before });
    const bob = await users.invite(by, { email: "bob@example.com", role: "admin" });
    await users.remove(by, bob.user.id);
    expect(await last()).toMatchObject({
      action: "user.invitation_withdrawn",
      target: { name: "bob@example.com" },
      before: { email: "bob@example.com", role: "admin" },
    });
    const { user: eve } = await colleague(services, "member", { email: "eve@example.com" });
    await users.remove(by, eve.id);
    expect(await last()).toMatchObject({ action: "user.removed", target: { kind: "user", id: eve.id } });
  });

  it("record creation, changes, closing, keeping and transfer of accounts", async () => {
    const services = await watched();
    const { accounts, users, closing, by, owner, last, clock } = services;
    const made = await accounts.create(by, { name: "Acme", ownerEmail: "ada@acme.example", plan: "free" });
    const accountId = made.account.id;
    const target = { kind: "account", id: accountId, name: "Acme" };
    const entry = { accountId, userId: owner.id, target };
    const after = { name: "Acme", plan: "free", owner: "ada@acme.example" };
    expect(await last()).toEqual({ ...entry, action: "account.created", after });
    await accounts.update(by, accountId, { plan: "team", limits: { requestsPerDay: 9 } });
    expect(await last()).toEqual({
      ...entry,
      action: "account.updated",
      before: { plan: "free" },
      after: { plan: "team", limits: { requestsPerDay: 9 } },
    });
    const ada = await comeBy(services, made.signInLink);
    const ofAda = { kind: "user", id: ada.user.id, name: "ada@acme.example" };
    await accounts.createSignInLink(by, accountId);
    expect(await last()).toEqual({ ...entry, action: "user.sign_in_link_made", target: ofAda });
    await closing.close(callerFor(ada.user), "Acme");
    const deleteAt = clock.now() + 30 * DAY;
    const asAda = { ...entry, userId: ada.user.id };
    expect(await last()).toEqual({ ...asAda, action: "account.closed", after: { deleteAt } });
    await closing.keep(callerFor(ada.user));
    expect(await last()).toEqual({ ...asAda, action: "account.kept", before: { deleteAt } });
    const other = await colleague(services, "member", { email: "bob@acme.example", by: ada.user });
    await users.transfer(callerFor(ada.user), other.user.id);
    expect(await last()).toEqual({
      ...asAda,
      action: "account.transferred",
      target: { kind: "user", id: other.user.id, name: "bob@acme.example" },
      before: { owner: "ada@acme.example" },
      after: { owner: "bob@acme.example" },
    });
  });

  it("record creation, changes and deletion of projects", async () => {
    const { projects, by, account, owner, last, clock } = await watched();
    const entry = { accountId: account.id, userId: owner.id };
    const target = { kind: "project", id: "web", name: "Web" };
    await projects.update(by, "web", { name: "Web" });
    expect(await last()).toMatchObject({
      ...entry,
      action: "project.created",
      target,
      after: { name: "Web" },
    });
    await projects.update(by, "web", { learningOptIn: true, plan: "free" });
    expect(await last()).toEqual({
      ...entry,
      action: "project.updated",
      target,
      before: { learningOptIn: false },
      after: { learningOptIn: true, plan: "free" },
    });
    const archivedAt = clock.now();
    await projects.update(by, "web", { archived: true });
    expect(await last()).toMatchObject({ action: "project.updated", after: { archivedAt } });
    clock.advance(HOUR);
    expect(await projects.beginDeletion(by, "web")).toBe(archivedAt);
    expect(await last()).toMatchObject({
      ...entry,
      action: "project.deleted",
      target,
      before: { name: "Web", learningOptIn: true, archivedAt },
    });
    const before = await last();
    clock.advance(HOUR);
    expect(await projects.beginDeletion(by, "web")).toBe(archivedAt);
    expect(await last()).toEqual(before);
    await projects.update(by, "shop", {});
    expect(await projects.beginDeletion(by, "shop")).toBe(clock.now());
    await expect(projects.update(by, "shop", { name: "x" })).rejects.toMatchObject(problem("not_found"));
  });

  it("record creation and revocation of API keys", async () => {
    const { apiKeys, by, account, owner, last, clock } = await watched();
    const entry = { accountId: account.id, userId: owner.id };
    const expiresAt = clock.now() + DAY;
    const given = {
      name: "ci",
      scopes: ["read"] as const,
      projectId: "web",
      tools: ["a"],
      addresses: ["::1"],
    };
    const { key } = await apiKeys.create(by, { ...given, expiresAt });
    const target = { kind: "key", id: key.id, name: "ci" };
    const after = { ...given, expiresAt };
    expect(await last()).toEqual({ ...entry, action: "key.created", target, after });
    await apiKeys.revoke(by, key.id);
    expect(await last()).toEqual({ ...entry, action: "key.revoked", target, before: after });
  });

  it("record device revocations, sign-ins, refused sign-ins, session ends and passwords", async () => {
    const services = await watched();
    const { signedInDevices, signIn, sessions, by, account, owner, last } = services;
    const entry = { accountId: account.id, userId: owner.id };
    const ofOwner = { kind: "user", id: owner.id, name: "owner@localhost" };
    await signInDevice(services, "read");
    const [device] = await signedInDevices.list(account.id);
    await signedInDevices.revoke(by, device!.id);
    expect(await last()).toEqual({
      ...entry,
      action: "device.revoked",
      target: { kind: "device", id: device!.id, name: "tool-cli" },
      before: { userId: owner.id, scopes: ["read"], deviceAddress: "198.51.100.7" },
    });
    const { secret, signedIn } = await signInByLink(services);
    const began = { ...entry, action: "session.started", target: ofOwner };
    expect(await last()).toEqual({ ...began, after: { by: "link" } });
    await signIn.setPassword(signedIn, { password: "correct horse battery" }, VISITOR);
    expect(await last()).toEqual({ ...entry, action: "person.password_set", target: ofOwner });
    const email = "owner@localhost";
    await signIn.withPassword({ email, password: "correct horse battery" }, VISITOR);
    expect(await last()).toEqual({ ...began, after: { by: "password" } });
    expect(await signIn.withPassword({ email, password: "wrong" }, VISITOR)).toBeUndefined();
    expect((await trailOf(services)).at(-1)).toMatchObject({
      outcome: "refused",
      accountId: account.id,
      action: "session.started",
      target: { kind: "user", id: owner.id, name: email },
    });
    expect(await signIn.withPassword({ email: "who@example.com", password: "x" }, VISITOR)).toBeUndefined();
    const unknown = (await trailOf(services)).at(-1);
    expect(unknown).toMatchObject({
      outcome: "refused",
      target: { kind: "user", id: "unknown", name: "who@example.com" },
    });
    expect(unknown).not.toHaveProperty("accountId");
    await sessions.end(secret, VISITOR);
    expect(await last()).toEqual({
      ...entry,
      action: "session.ended",
      target: { kind: "session", id: signedIn.session.id },
      before: { by: "link", address: VISITOR.address, userAgent: VISITOR.userAgent },
    });
  });

  it("record the approval and denial of devices", async () => {
    const services = await watched();
    const { devices, by, account, owner, last } = services;
    const begin = () => devices.begin({ client_id: "acme-ide", scope: "read admin" }, IDE);
    for (const [decision, action, scopes] of [
      ["approve", "device.approved", ["read", "admin"]],
      ["deny", "device.denied", []],
    ] as const) {
      const { user_code } = await begin();
      await devices.decide(user_code, decision, approverFor(owner));
      expect(await last()).toEqual({
        accountId: account.id,
        userId: by.userId,
        action,
        target: { kind: "client", id: "acme-ide" },
        after: { deviceAddress: IDE.address, scopes },
      });
    }
  });
});

describe("refusals of user management", () => {
  it("name the role that is required and the caller's own", async () => {
    const services = await startServices();
    const { users, owner } = services;
    const all = { owner: (await colleague(services, "owner", { email: "o2@example.com" })).user } as Record<
      string,
      typeof owner
    >;
    for (const role of ROLES) if (role !== "owner") all[role] = (await colleague(services, role)).user;
    const detail = async (work: Promise<unknown>) => {
      const refused = await work.then(
        () => undefined,
        (error: { error: string; detail: string }) => error,
      );
      expect(refused).toMatchObject(problem("forbidden"));
      return refused?.detail;
    };
    const as = (role: string) => callerFor(all[role] as typeof owner);
    const id = (role: string) => all[role]?.id ?? "";
    const invitation = { email: "new@example.com", role: "viewer" } as const;
    expect(await detail(users.invite(as("member"), invitation))).toBe(
      "Only an admin or owner of the account may invite a viewer; you are a member.",
    );
    expect(await detail(users.invite(as("admin"), { ...invitation, role: "owner" }))).toBe(
      "Only an owner of the account may invite an owner; you are an admin.",
    );
    expect(await detail(users.update(as("viewer"), id("admin"), { role: "viewer" }))).toBe(
      "Only an admin or owner of the account may change an admin; you are a viewer.",
    );
    expect(await detail(users.update(as("admin"), id("member"), { role: "owner" }))).toBe(
      "Only an owner of the account may make somebody an owner; you are an admin.",
    );
    expect(await detail(users.remove(as("admin"), id("owner")))).toBe(
      "Only an owner of the account may remove an owner; you are an admin.",
    );
    expect(await detail(users.renewInvitation(as("member"), id("viewer")))).toBe(
      "Only an admin or owner of the account may renew the invitation of a viewer; you are a member.",
    );
    expect(await detail(users.createSignInLink(as("member"), id("viewer")))).toBe(
      "Only an admin or owner of the account may help a viewer; you are a member.",
    );
    expect(await detail(users.transfer(as("admin"), id("member")))).toBe(
      "Only an owner of the account may hand an account over; you are an admin.",
    );
  });

  it("refuse a transfer to the owner, an invited, a suspended or an unknown user", async () => {
    const services = await startServices();
    const { users } = services;
    const theirs = await stranger(services);
    const by = callerFor(theirs);
    const invited = await users.invite(by, { email: "a@elsewhere.example", role: "member" });
    const conflict = (id: string, words: string) =>
      expect(users.transfer(by, id)).rejects.toMatchObject({
        ...problem("conflict"),
        detail: expect.stringContaining(words),
      });
    await conflict(theirs.id, "You own it already");
    await conflict(invited.user.id, "a@elsewhere.example is invited and cannot own the account.");
    await users.update(by, invited.user.id, { suspended: true });
    await conflict(invited.user.id, "is suspended and cannot own");
    await expect(users.transfer(by, "usr_gone")).rejects.toMatchObject(problem("not_found"));
    const reset = users.createSignInLink(by, invited.user.id);
    await expect(reset).rejects.toMatchObject({
      detail: expect.stringContaining("has not accepted the invitation yet"),
    });
  });
});
