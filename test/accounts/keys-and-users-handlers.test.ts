import { describe, expect, it } from "vitest";
import { accountsHandlers } from "../../src/accounts/handlers.ts";
import {
  callerFor,
  colleague,
  comeBy,
  DAY,
  HOUR,
  problem,
  type Services,
  startServices,
  stranger,
  trailOf,
} from "./fixture.ts";

const operatorOf = ({ owner }: Services) => callerFor(owner, { scopes: ["operator"] });
const adminOf = ({ owner }: Services) => callerFor(owner, { scopes: ["admin"] });

describe("key endpoints", () => {
  it("show all details of a key, with times in ISO 8601", async () => {
    const services = await startServices();
    const { handlers, clock } = services;
    const caller = adminOf(services);
    const day = (days: number) => new Date(clock.now() + days * DAY).toISOString();
    const createdAt = day(0);
    const made = await handlers.createKey(
      { name: "ci", scopes: ["read"], expiresAt: day(9), tools: ["a"], addresses: ["::1"], projectId: "web" },
      caller,
    );
    const { key } = made as { key: { id: string; prefix: string } };
    const binding = { tools: ["a"], addresses: ["::1"], projectId: "web" };
    const known = { name: "ci", scopes: ["read"], ...binding, createdAt, createdBy: "owner@localhost" };
    expect(key).toEqual({
      ...known,
      id: key.id,
      prefix: key.prefix,
      userId: caller.userId,
      expiresAt: day(9),
    });
    expect(await handlers.showKey({ keyId: key.id }, caller)).toEqual({ key });
    clock.advance(DAY);
    const rotated = await handlers.rotateKey({ keyId: key.id, overlapSeconds: 3600 }, caller);
    expect(rotated).toMatchObject({
      secret: expect.stringMatching(/^tak_/),
      key: {
        id: key.id,
        rotatedAt: day(0),
        previous: { prefix: key.prefix, endsAt: new Date(clock.now() + HOUR).toISOString() },
      },
    });
    const suspended = await handlers.updateKey({ keyId: key.id, suspended: true, expiresAt: day(5) }, caller);
    expect(suspended).toMatchObject({ key: { suspendedAt: day(0), expiresAt: day(5) } });
    const cleared = await handlers.updateKey({ keyId: key.id, suspended: false, expiresAt: null }, caller);
    expect(cleared).not.toHaveProperty("key.expiresAt");
    expect(cleared).not.toHaveProperty("key.suspendedAt");
    expect(JSON.stringify([made, rotated, cleared])).not.toContain("secretHash");
  });

  it("show the use of a key in 30 days if it is known", async () => {
    const services = await startServices();
    const { apiKeys } = services;
    const caller = adminOf(services);
    const { key } = await apiKeys.create(caller, { name: "ci", scopes: ["read"] });
    const asked: string[][] = [];
    let used: number | undefined = 7;
    const handlers = accountsHandlers({
      ...(services as unknown as Parameters<typeof accountsHandlers>[0]),
      keyUse: async (...of) => {
        asked.push(of);
        return used;
      },
    });
    expect(await handlers.showKey({ keyId: key.id }, caller)).toMatchObject({ usedIn30Days: 7 });
    expect(asked).toEqual([[caller.accountId, key.id]]);
    used = undefined;
    expect(await handlers.showKey({ keyId: key.id }, caller)).not.toHaveProperty("usedIn30Days");
  });

  it("let only an operator name another account, to suspend and revoke its keys", async () => {
    const services = await startServices();
    const { handlers, apiKeys, credentials } = services;
    const theirs = await stranger(services);
    const { key, secret } = await apiKeys.create(callerFor(theirs), { name: "k", scopes: ["read"] });
    const [operator, admin] = [operatorOf(services), adminOf(services)];
    const of = { keyId: key.id, accountId: theirs.accountId };
    const PAGE = { limit: 10, accountId: theirs.accountId };
    for (const ask of [
      () => handlers.listKeys(PAGE, admin),
      () => handlers.showKey(of, admin),
      () => handlers.updateKey({ ...of, suspended: true }, admin),
      () => handlers.deleteKey(of, admin),
    ]) {
      await expect((async () => ask())()).rejects.toMatchObject({
        ...problem("insufficient_scope"),
        extras: { members: { scope: "operator" } },
      });
    }
    expect(await handlers.listKeys({ limit: 10, accountId: admin.accountId }, admin)).toMatchObject({
      items: [],
    });
    expect(await handlers.listKeys(PAGE, operator)).toMatchObject({ items: [{ id: key.id }] });
    expect(await handlers.showKey(of, operator)).toMatchObject({ key: { id: key.id } });
    const more = handlers.updateKey({ ...of, suspended: true, name: "x", expiresAt: null }, operator);
    await expect(more).rejects.toMatchObject({
      ...problem("invalid_request"),
      extras: { errors: [{ path: "name" }, { path: "expiresAt" }] },
    });
    expect(await credentials.authenticate(secret)).toBeDefined();
    expect(await handlers.updateKey({ ...of, suspended: true }, operator)).toHaveProperty("key.suspendedAt");
    expect(await credentials.authenticate(secret)).toBeUndefined();
    expect(await handlers.deleteKey(of, operator)).toEqual({});
    await expect(handlers.showKey(of, operator)).rejects.toMatchObject(problem("not_found"));
    // Operators change keys of their own account freely.
    const own = await apiKeys.create(operator, { name: "own", scopes: ["read"] });
    const asked = { keyId: own.key.id, accountId: operator.accountId, name: "mine" };
    expect(await handlers.updateKey(asked, operator)).toMatchObject({ key: { name: "mine" } });
  });

  it("refuse a key that is bound to a project", async () => {
    const services = await startServices();
    const { handlers, owner } = services;
    const bound = callerFor(owner, { kind: "api_key", projectId: "web" });
    const keyId = "key_1";
    for (const ask of [
      () => handlers.listKeys({ limit: 10 }, bound),
      () => handlers.createKey({ name: "k", scopes: ["read"] }, bound),
      () => handlers.showKey({ keyId }, bound),
      () => handlers.rotateKey({ keyId, overlapSeconds: 0 }, bound),
      () => handlers.deleteKey({ keyId }, bound),
      () => handlers.renewInvitation({ userId: "usr_1" }, bound),
      () => handlers.updateUser({ userId: "usr_1" }, bound),
      () => handlers.deleteUser({ userId: "usr_1" }, bound),
      () => handlers.createResetLink({ userId: "usr_1" }, bound),
      () => handlers.exportAccount({}, bound),
    ]) {
      await expect((async () => ask())()).rejects.toMatchObject({
        ...problem("forbidden"),
        detail: 'This key is bound to the project "web"; this needs one that is not.',
      });
    }
  });
});

describe("user endpoints", () => {
  it("create no sign-in link for a bound key, since the session would not be bound", async () => {
    const services = await startServices();
    const { user } = await colleague(services, "member");
    for (const binding of [{ tools: ["users.*"] }, { addresses: ["192.0.2.0/24"] }]) {
      const bound = callerFor(services.owner, { kind: "api_key", ...binding });
      const making = services.handlers.createResetLink({ userId: user.id }, bound);
      await expect(making).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("show the status, role and invitation expiry of a user", async () => {
    const services = await startServices();
    const { handlers, clock } = services;
    const caller = adminOf(services);
    const createdAt = new Date(clock.now()).toISOString();
    const invitedUntil = new Date(clock.now() + 7 * DAY).toISOString();
    const invited = await handlers.createUser({ email: "a@example.com", role: "member" }, caller);
    expect(invited).toMatchObject({ signInLink: expect.stringContaining("link=") });
    const { user } = invited as { user: { id: string } };
    const shown = { id: user.id, email: "a@example.com", role: "member", operator: false, createdAt };
    expect(user).toEqual({ ...shown, status: "invited", invitedUntil });
    clock.advance(HOUR);
    const renewed = (await handlers.renewInvitation({ userId: user.id }, caller)) as typeof invited & object;
    const until = new Date(clock.now() + 7 * DAY).toISOString();
    expect(renewed).toMatchObject({ user: { status: "invited", invitedUntil: until } });
    await comeBy(services, (renewed as { signInLink: string }).signInLink);
    expect(await handlers.updateUser({ userId: user.id, role: "viewer" }, caller)).toEqual({
      user: { ...shown, role: "viewer", status: "active" },
    });
    const reset = await handlers.createResetLink({ userId: user.id }, caller);
    expect(reset).toMatchObject({ signInLink: expect.stringContaining("link=") });
    expect(await handlers.updateUser({ userId: user.id, suspended: true }, caller)).toMatchObject({
      user: { status: "suspended" },
    });
    const listed = (query?: string, status?: "suspended" | "active") =>
      handlers.listUsers(
        { limit: 10, ...(query !== undefined && { query }), ...(status !== undefined && { status }) },
        caller,
      );
    expect(await listed()).toMatchObject({ items: [{ operator: true, status: "active" }, { id: user.id }] });
    expect(await listed("A@EX")).toMatchObject({ items: [{ id: user.id }] });
    expect(await listed(undefined, "suspended")).toMatchObject({ items: [{ id: user.id }] });
    expect(await handlers.deleteUser({ userId: user.id }, caller)).toEqual({});
    expect(await listed("A@EX")).toMatchObject({ items: [] });
  });

  it("transfer, close, keep and leave an account for a person, but not for an API key", async () => {
    const services = await startServices();
    const { handlers, clock } = services;
    const theirs = await stranger(services);
    const owner = callerFor(theirs);
    const { user: other } = await colleague(services, "member", { email: "m@elsewhere.example", by: theirs });
    const key = callerFor(theirs, { kind: "api_key" });
    for (const ask of [
      () => handlers.leaveAccount({}, key),
      () => handlers.transferAccount({ userId: other.id }, key),
      () => handlers.closeAccount({ name: "Elsewhere" }, key),
      () => handlers.keepAccount({}, key),
    ]) {
      await expect((async () => ask())()).rejects.toMatchObject({
        ...problem("forbidden"),
        detail: expect.stringContaining("tool login"),
      });
    }
    const closed = await handlers.closeAccount({ name: "Elsewhere" }, owner);
    expect(closed).toEqual({ deletedAfter: expect.stringMatching(/^2026-\d\d-\d\dT/) });
    expect(new Date((closed as { deletedAfter: string }).deletedAfter).getTime()).toBeGreaterThan(
      clock.now(),
    );
    expect(await handlers.keepAccount({}, owner)).toEqual({});
    await expect((async () => handlers.keepAccount({}, owner))()).rejects.toMatchObject(problem("conflict"));
    expect(await handlers.transferAccount({ userId: other.id }, owner)).toMatchObject({
      owner: { id: other.id, role: "owner" },
      you: { id: theirs.id, role: "admin" },
    });
    expect(await handlers.leaveAccount({}, owner)).toEqual({});
    expect((await trailOf(services)).at(-1)).toMatchObject({ target: { id: theirs.id } });
    const exported = await handlers.exportAccount({}, callerFor({ ...other, role: "owner" }));
    expect(exported).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id: other.id })]),
    });
    await expect((async () => handlers.exportAccount({}, adminOf(services)))()).resolves.toBeDefined();
  });
});
