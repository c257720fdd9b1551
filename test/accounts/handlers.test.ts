import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { accountsContract } from "../../src/accounts/contract.ts";
import { accountsHandlers } from "../../src/accounts/handlers.ts";
import { scopesOf } from "../../src/accounts/roles.ts";
import { type Endpoint, Reply } from "../../src/contract/endpoint.ts";
import {
  callerFor,
  comeBy,
  PLANS,
  problem,
  type Services,
  settled,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

const PAGE = { limit: 50 };

/** Parses a handler's answer by the endpoint's output schema. */
function checked<E extends Endpoint>({ output }: E, answer: unknown): z.output<E["output"]> {
  return output.parse(answer instanceof Reply ? answer.body : answer) as z.output<E["output"]>;
}

const bound = ({ owner }: Services) => callerFor(owner, { kind: "api_key", projectId: "web" });

describe("the account's endpoints", () => {
  it("show account, plan, user, project and credential of the caller", async () => {
    const { handlers, owner, account, clock } = await startServices();
    const caller = callerFor(owner, { expiresAt: clock.now() });
    const answer = await handlers.showAccount({}, caller);
    expect(checked(accountsContract.showAccount, answer)).toEqual({
      account: { id: account.id, name: "default" },
      plan: "team",
      planName: "Team",
      user: { id: owner.id, email: "owner@localhost", role: "owner" },
      project: {
        id: "default",
        name: "default",
        learningOptIn: false,
        createdAt: "2026-01-15T12:00:00.000Z",
      },
      credential: {
        kind: "access_token",
        id: "tok_1",
        scopes: scopesOf(owner),
        expiresAt: "2026-01-15T12:00:00.000Z",
      },
    });
  });

  it("return no password or hash", async () => {
    const services = await startServices();
    const { handlers, owner, signIn, accounts, account } = services;
    const caller = callerFor(owner);
    const signedIn = await comeBy(services, await accounts.createSignInLink(caller, account.id));
    await signIn.setPassword(signedIn, { password: "correct horse" }, VISITOR);
    await handlers.createUser({ email: "b@example.com", role: "member" }, caller);
    const made = await handlers.createKey({ name: "k", scopes: ["read"] }, caller);
    const answers = JSON.stringify([
      made,
      checked(accountsContract.listUsers, await handlers.listUsers(PAGE, caller)),
      checked(accountsContract.listKeys, await handlers.listKeys(PAGE, caller)),
      await handlers.listUsers(PAGE, caller),
      await handlers.listKeys(PAGE, caller),
      await handlers.showAccount({}, caller),
    ]);
    expect(answers).not.toMatch(/hash|scrypt/i);
  });

  it("create, list and revoke keys", async () => {
    const services = await startServices();
    const { handlers, owner, credentials } = services;
    const caller = callerFor(owner);
    const expiresAt = "2026-02-01T00:00:00+01:00";
    const made = checked(
      accountsContract.createKey,
      await handlers.createKey({ name: "ci", scopes: ["write"], projectId: "web", expiresAt }, caller),
    );
    expect(made.key).toMatchObject({ projectId: "web", expiresAt: "2026-01-31T23:00:00.000Z" });
    expect(checked(accountsContract.listKeys, await handlers.listKeys(PAGE, caller))).toEqual({
      items: [made.key],
    });
    await credentials.authenticate(made.secret);
    await settled(services);
    const [used] = checked(accountsContract.listKeys, await handlers.listKeys(PAGE, caller)).items;
    expect(used).toEqual({ ...made.key, lastUsedAt: "2026-01-15T12:00:00.000Z" });
    await handlers.deleteKey({ keyId: made.key.id }, caller);
    expect(await handlers.listKeys(PAGE, caller)).toEqual({ items: [] });
  });

  it("invite, list and remove users in pages", async () => {
    const { handlers, owner } = await startServices();
    const caller = callerFor(owner);
    const made = checked(
      accountsContract.createUser,
      await handlers.createUser({ email: "b@example.com", role: "member" }, caller),
    );
    expect(made.signInLink).toContain("/sign-in?link=tsl_");
    expect(made.user).toMatchObject({
      email: "b@example.com",
      role: "member",
      status: "invited",
      operator: false,
      invitedUntil: "2026-01-22T12:00:00.000Z",
    });
    const list = async (cursor?: string) =>
      checked(accountsContract.listUsers, await handlers.listUsers({ limit: 1, cursor }, caller));
    const first = await list();
    expect(first.items).toMatchObject([{ email: "owner@localhost", role: "owner", operator: true }]);
    expect(await list(first.nextCursor)).toEqual({ items: [made.user] });
    expect(await handlers.deleteUser({ userId: made.user.id }, caller)).toEqual({});
    expect(await list()).toEqual({ items: first.items });
  });

  it("empty a project of one tool's data or of all", async () => {
    const services = await startServices();
    const { owner } = services;
    const emptied: unknown[] = [];
    const handlers = accountsHandlers({
      ...services,
      plans: PLANS,
      deleteProject: async () => ({ deleted: 0, keysEnded: 0, more: false }),
      emptyProject: async ({ accountId }, ...given) => {
        emptied.push([accountId, ...given]);
        return { deleted: 3, more: false };
      },
    });
    const caller = callerFor(owner);
    expect(await handlers.emptyProject({ projectId: "web", tool: "pair" }, caller)).toMatchObject({
      deleted: 3,
    });
    await handlers.emptyProject({ projectId: "web" }, bound(services));
    expect(emptied).toEqual([
      [owner.accountId, "web", "pair"],
      [owner.accountId, "web", undefined],
    ]);
    const beyond = handlers.emptyProject({ projectId: "other" }, bound(services));
    await expect(beyond).rejects.toMatchObject(problem("forbidden"));
    expect(emptied).toHaveLength(2);
  });

  it("answer 201 for a new project and 200 for an existing one", async () => {
    const { handlers, owner } = await startServices();
    const put = () => handlers.updateProject({ projectId: "web", name: "Web" }, callerFor(owner));
    expect(await put()).toMatchObject({ extras: { status: 201 } });
    expect(await put()).toMatchObject({ extras: { status: 200 } });
  });

  it("show when projects were archived and accounts suspended, and when closed accounts are deleted", async () => {
    const services = await startServices();
    const { handlers, owner, closing, clock } = services;
    const caller = callerFor(owner);
    const theirs = await stranger(services);
    const now = new Date(clock.now()).toISOString();
    const archived = await handlers.updateProject({ projectId: "web" }, caller);
    expect(checked(accountsContract.updateProject, archived).project).not.toHaveProperty("archivedAt");
    const again = await handlers.updateProject({ projectId: "web", archived: true }, caller);
    expect(checked(accountsContract.updateProject, again).project).toHaveProperty("archivedAt", now);
    const { deleteAt } = await closing.close(callerFor(theirs), "Elsewhere");
    await handlers.updateAccount({ accountId: theirs.accountId, suspended: true }, caller);
    const { items } = checked(accountsContract.listAccounts, await handlers.listAccounts(PAGE, caller));
    expect(items[0]).not.toHaveProperty("suspendedAt");
    expect(items[0]).not.toHaveProperty("deletedAfter");
    const deletedAfter = new Date(deleteAt).toISOString();
    expect(items[1]).toMatchObject({ id: theirs.accountId, suspendedAt: now, deletedAfter });
  });

  it("let only an operator change a project's plan", async () => {
    const { handlers, owner } = await startServices();
    const put = (caller: ReturnType<typeof callerFor>) =>
      handlers.updateProject({ projectId: "web", plan: "enterprise" }, caller);
    await expect(put(callerFor(owner, { scopes: ["admin"] }))).rejects.toMatchObject({
      ...problem("insufficient_scope"),
      extras: { members: { scope: "operator" } },
    });
    const made = checked(accountsContract.updateProject, await put(callerFor(owner)));
    expect(made).toMatchObject({ project: { plan: "enterprise" } });
  });

  it("create, change and list accounts", async () => {
    const { handlers, owner } = await startServices();
    const caller = callerFor(owner);
    const { account, signInLink } = checked(
      accountsContract.createAccount,
      await handlers.createAccount({ name: "Acme", ownerEmail: "a@acme.example", plan: "free" }, caller),
    );
    expect(signInLink).toContain("/sign-in?link=tsl_");
    const changed = checked(
      accountsContract.updateAccount,
      await handlers.updateAccount({ accountId: account.id, limits: { burst: 40 } }, caller),
    );
    expect(changed.account).toEqual({ ...account, limits: { burst: 40 } });
    const { items } = checked(accountsContract.listAccounts, await handlers.listAccounts(PAGE, caller));
    expect(items.map(({ name }) => name)).toEqual(["default", "Acme"]);
    await handlers.createSignInLink({ accountId: account.id }, caller);
  });

  it("refuse both userId and email for a sign-in link, and list the plans if one is unknown", async () => {
    const services = await startServices();
    const { handlers, account, owner } = services;
    const caller = callerFor(owner);
    const email = "owner@localhost";
    await expect(
      (async () => handlers.createSignInLink({ accountId: account.id, userId: owner.id, email }, caller))(),
    ).rejects.toMatchObject({
      extras: {
        errors: [{ path: "email", message: "names a user, and so does userId: give one of them" }],
      },
    });
    await expect(
      handlers.updateAccount({ accountId: account.id, plan: "platinum" }, caller),
    ).rejects.toMatchObject({
      extras: { errors: [{ path: "plan", message: "must be one of free, team, enterprise" }] },
    });
  });
});

describe("an API key bound to a project", () => {
  it("sees and changes only its project", async () => {
    const services = await startServices();
    const { handlers, projects, account } = services;
    await projects.getOrCreate(account.id, "other");
    const caller = bound(services);
    await handlers.updateProject({ projectId: "web", learningOptIn: true }, caller);
    const listed = checked(accountsContract.listProjects, await handlers.listProjects(PAGE, caller));
    expect(listed.items.map(({ id }) => id)).toEqual(["web"]);
    const changing = handlers.updateProject({ projectId: "other", name: "Mine" }, caller);
    await expect(changing).rejects.toMatchObject(problem("forbidden"));
  });

  it("manages no users, keys or accounts, despite its scopes", async () => {
    const services = await startServices();
    const { handlers, account, owner } = services;
    const caller = bound(services);
    const accountId = account.id;
    for (const attempt of [
      () => handlers.listUsers(PAGE, caller),
      () => handlers.createUser({ email: "a@example.com", role: "admin" }, caller),
      () => handlers.deleteUser({ userId: owner.id }, caller),
      () => handlers.listKeys(PAGE, caller),
      () => handlers.createKey({ name: "k", scopes: ["read"] }, caller),
      () => handlers.deleteKey({ keyId: "key_1" }, caller),
      () => handlers.listAccounts(PAGE, caller),
      () => handlers.createAccount({ name: "A", ownerEmail: "a@example.com", plan: "free" }, caller),
      () => handlers.updateAccount({ accountId, plan: "free" }, caller),
      () => handlers.createSignInLink({ accountId }, caller),
    ]) {
      await expect(attempt()).rejects.toMatchObject(problem("forbidden"));
    }
  });
});
