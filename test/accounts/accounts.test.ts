import { describe, expect, it } from "vitest";
import { accountsContract } from "../../src/accounts/contract.ts";
import { problem, secretOf, startServices, stranger, VISITOR } from "./fixture.ts";

describe("an operator", () => {
  it("adds an account whose first admin the link signs in", async () => {
    const { accounts, signIn } = await startServices();
    const { account, signInLink } = await accounts.create({
      name: "Acme",
      ownerEmail: "ada@acme.example",
      plan: "free",
    });
    const session = await signIn.consumeLink(secretOf(signInLink), VISITOR);
    const signedIn = await signIn.lookUp(session!.secret);
    expect(signedIn?.account).toEqual(account);
    expect(signedIn?.user).toMatchObject({ email: "ada@acme.example", role: "admin" });
    expect(signedIn?.scopes).toEqual(["read", "write", "admin"]);
  });

  it("adds nothing where the plan is unknown or the address taken", async () => {
    const { accounts } = await startServices();
    const adding = (ownerEmail: string, plan: string) => accounts.create({ name: "Acme", ownerEmail, plan });
    await expect(adding("a@acme.example", "gold")).rejects.toMatchObject(problem("invalid_request"));
    await expect(adding("owner@localhost", "free")).rejects.toMatchObject(problem("conflict"));
    expect((await accounts.list({ limit: 10 })).items).toHaveLength(1);
  });

  it("changes name, plan and limits, and leaves the rest", async () => {
    const { accounts, account } = await startServices();
    await accounts.update(account.id, { limits: { requestsPerMinute: 500 } });
    const changed = await accounts.update(account.id, { plan: "enterprise" });
    expect(changed).toEqual({ ...account, plan: "enterprise", limits: { requestsPerMinute: 500 } });
    expect(await accounts.get(account.id)).toEqual(changed);
    const renamed = await accounts.update(account.id, { name: "Acme" });
    expect(renamed).toEqual({ ...changed, name: "Acme" });
    expect(await accounts.get(account.id)).toEqual(renamed);
  });

  it("replaces limits as a whole and gives the plan's back with none", async () => {
    const { accounts, account } = await startServices();
    await accounts.update(account.id, { limits: { requestsPerMinute: 500, requestsPerDay: 7 } });
    const { limits } = await accounts.update(account.id, { limits: { requestsPerHour: 9 } });
    expect(limits).toEqual({ requestsPerHour: 9 });
    expect(await accounts.update(account.id, { limits: {} })).toEqual(account);
  });

  it.each([
    [{ requestsPerMinute: 100, burst: 99 }, "limits.burst"],
    [{ burst: 119 }, "limits.burst"],
    [{ endpoints: { "usage.track": 5, "usage.tracks": 5 } }, "limits.endpoints.usage.tracks"],
  ])("is refused limits like %j", async (limits, path) => {
    const { accounts, account } = await startServices();
    await expect(accounts.update(account.id, { limits })).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path }] },
    });
    expect(await accounts.get(account.id)).toEqual(account);
  });

  it("is refused a plan that promises more a minute than the account's burst", async () => {
    const { accounts, account } = await startServices();
    await accounts.update(account.id, { limits: { burst: 200 } });
    const changing = accounts.update(account.id, { plan: "enterprise" });
    await expect(changing).rejects.toMatchObject({ extras: { errors: [{ path: "limits.burst" }] } });
  });

  it.each([
    { requestsPerMinute: 100, burst: 100 },
    { burst: 120 },
    { requestsPerMinute: 1_000_000_000 },
    { endpoints: { "usage.track": 5000 } },
  ])("gets limits like %j", async (limits) => {
    const { accounts, account } = await startServices();
    expect((await accounts.update(account.id, { limits })).limits).toEqual(limits);
  });

  it("is told that there is no such account", async () => {
    const { accounts } = await startServices();
    await expect(accounts.get("acc_x")).rejects.toMatchObject(problem("not_found"));
    await expect(accounts.update("acc_x", {})).rejects.toMatchObject(problem("not_found"));
    await expect(accounts.createSignInLink("acc_x")).rejects.toMatchObject(problem("not_found"));
  });

  it("makes a sign-in link for a user of that account alone", async () => {
    const services = await startServices();
    const { accounts, users, signIn, account } = services;
    const { user } = await users.create(account.id, { email: "b@example.com", role: "member" });
    const link = await accounts.createSignInLink(account.id, user.id);
    expect(await signIn.peekLink(secretOf(link))).toMatchObject({ email: "b@example.com" });
    const ada = await stranger(services);
    await expect(accounts.createSignInLink(account.id, ada.id)).rejects.toMatchObject(problem("not_found"));
  });

  it("makes it for the first admin where none is named", async () => {
    const services = await startServices();
    const { accounts, users, signIn } = services;
    const { accountId, id } = await stranger(services);
    const add = (email: string, role: "admin" | "member") => users.create(accountId, { email, role });
    await add("member@elsewhere.example", "member");
    await add("second@elsewhere.example", "admin");
    await add("third@elsewhere.example", "admin");
    await users.delete(accountId, id);
    const link = await accounts.createSignInLink(accountId);
    expect(await signIn.peekLink(secretOf(link))).toMatchObject({ email: "second@elsewhere.example" });
  });
});

describe("the form of limits", () => {
  const { input } = accountsContract.updateAccount;
  const valid = (limits: unknown) => input.safeParse({ accountId: "acc_1", limits }).success;

  it("takes whole numbers from 1 to 1e9", () => {
    for (const figure of [1, 1e9]) expect(valid({ requestsPerMinute: figure })).toBe(true);
    for (const figure of [0, -1, 1.5, 1e9 + 1, "5", null, Number.NaN]) {
      expect(valid({ requestsPerHour: figure })).toBe(false);
      expect(valid({ endpoints: { "usage.track": figure } })).toBe(false);
    }
  });

  it("takes no member that it does not know", () => {
    expect(valid({ requestsPerWeek: 5 })).toBe(false);
  });
});
