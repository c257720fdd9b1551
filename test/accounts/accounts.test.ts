import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accountsContract } from "../../src/accounts/contract.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import {
  callerFor,
  colleague,
  comeBy,
  DAY,
  HOUR,
  problem,
  secretOf,
  startServices,
  stranger,
  trailOf,
  VISITOR,
} from "./fixture.ts";

async function start() {
  const services = await startServices();
  return { ...services, by: callerFor(services.owner) };
}

describe("account management by an operator", () => {
  it("creates an account whose owner signs in with the link", async () => {
    const { accounts, signIn, by } = await start();
    const { account, signInLink } = await accounts.create(by, {
      name: "Acme",
      ownerEmail: "ada@acme.example",
      plan: "free",
    });
    const session = await signIn.consumeLink(secretOf(signInLink), VISITOR);
    const signedIn = await signIn.lookUp(session!.secret);
    expect(signedIn?.account).toEqual(account);
    expect(signedIn?.user).toMatchObject({ email: "ada@acme.example", role: "owner" });
    expect(signedIn?.scopes).toEqual(["read", "write", "admin"]);
  });

  it("creates no account with an unknown plan", async () => {
    const { accounts, by } = await start();
    const adding = accounts.create(by, { name: "Acme", ownerEmail: "a@acme.example", plan: "gold" });
    await expect(adding).rejects.toMatchObject(problem("invalid_request"));
    expect((await accounts.list({ limit: 10 })).items).toHaveLength(1);
  });

  it("lets a person who has an account own a new one as well", async () => {
    const services = await start();
    const { accounts, by, owner, clock } = services;
    const made = await accounts.create(by, { name: "Acme", ownerEmail: "Owner@localhost", plan: "free" });
    clock.advance(7 * DAY - 1);
    const here = await comeBy(services, await accounts.createSignInLink(by, owner.accountId));
    const { account, user, person } = await comeBy(services, made.signInLink, VISITOR, here);
    expect({ account, role: user.role }).toEqual({ account: made.account, role: "owner" });
    expect(person.memberships).toEqual([
      { accountId: account.id, userId: user.id },
      { accountId: owner.accountId, userId: owner.id },
    ]);
  });

  it("changes name, plan and limits, and leaves the rest", async () => {
    const { accounts, account, by } = await start();
    await accounts.update(by, account.id, { limits: { requestsPerMinute: 500 } });
    const changed = await accounts.update(by, account.id, { plan: "enterprise" });
    expect(changed).toEqual({ ...account, plan: "enterprise", limits: { requestsPerMinute: 500 } });
    expect(await accounts.get(account.id)).toEqual(changed);
    const renamed = await accounts.update(by, account.id, { name: "Acme" });
    expect(renamed).toEqual({ ...changed, name: "Acme" });
    expect(await accounts.get(account.id)).toEqual(renamed);
  });

  it("replaces the limits as a whole and returns to the plan's limits with {}", async () => {
    const { accounts, account, by } = await start();
    await accounts.update(by, account.id, { limits: { requestsPerMinute: 500, requestsPerDay: 7 } });
    const { limits } = await accounts.update(by, account.id, { limits: { requestsPerHour: 9 } });
    expect(limits).toEqual({ requestsPerHour: 9 });
    expect(await accounts.update(by, account.id, { limits: {} })).toEqual(account);
  });

  it.each([
    [{ requestsPerMinute: 100, burst: 99 }, "limits.burst", "must be 100 (requestsPerMinute) or more"],
    [{ burst: 119 }, "limits.burst", "must be 120 (requestsPerMinute) or more"],
    [
      { endpoints: { "usage.track": 5, "usage.tracks": 5 } },
      "limits.endpoints.usage.tracks",
      "is no endpoint's name",
    ],
    [
      { usesPerMonth: { mcp_calls: 5, cups_of_tea: 5 } },
      "limits.usesPerMonth.cups_of_tea",
      "is none of mcp_calls, api_calls",
    ],
  ])("refuses the limits %j", async (limits, path, message) => {
    const { accounts, account, by } = await start();
    await expect(accounts.update(by, account.id, { limits })).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path, message }] },
    });
    expect(await accounts.get(account.id)).toEqual(account);
  });

  it("refuses a plan whose requests per minute exceed the burst set for the account", async () => {
    const { accounts, account, by } = await start();
    await accounts.update(by, account.id, { limits: { burst: 200 } });
    const changing = accounts.update(by, account.id, { plan: "enterprise" });
    await expect(changing).rejects.toMatchObject({ extras: { errors: [{ path: "limits.burst" }] } });
  });

  it.each([
    { requestsPerMinute: 100, burst: 100 },
    { burst: 120 },
    { requestsPerMinute: 1_000_000_000 },
    { endpoints: { "usage.track": 5000 } },
  ])("accepts the limits %j", async (limits) => {
    const { accounts, account, by } = await start();
    expect((await accounts.update(by, account.id, { limits })).limits).toEqual(limits);
  });

  it("fails with not_found for an unknown account", async () => {
    const { accounts, by } = await start();
    await expect(accounts.get("acc_x")).rejects.toMatchObject(problem("not_found"));
    await expect(accounts.update(by, "acc_x", {})).rejects.toMatchObject(problem("not_found"));
    await expect(accounts.createSignInLink(by, "acc_x")).rejects.toMatchObject(problem("not_found"));
  });

  it("makes a sign-in link only for a user of that account", async () => {
    const services = await start();
    const { accounts, users, signIn, account, by } = services;
    const { user } = await users.invite(by, { email: "b@example.com", role: "member" });
    const link = await accounts.createSignInLink(by, account.id, user.id);
    expect(await signIn.peekLink(secretOf(link))).toMatchObject({ email: "b@example.com" });
    const ada = await stranger(services);
    await expect(accounts.createSignInLink(by, account.id, ada.id)).rejects.toMatchObject(
      problem("not_found"),
    );
  });

  it("makes the sign-in link for the first owner if no user is named", async () => {
    const services = await start();
    const { accounts, users, signIn, by } = services;
    const ada = await stranger(services);
    for (const [email, role] of [
      ["admin@elsewhere.example", "admin"],
      ["second@elsewhere.example", "owner"],
      ["third@elsewhere.example", "owner"],
    ] as const) {
      await colleague(services, role, { email, by: ada });
    }
    await users.remove(callerFor(ada), ada.id);
    const link = await accounts.createSignInLink(by, ada.accountId);
    expect(await signIn.peekLink(secretOf(link))).toMatchObject({ email: "second@elsewhere.example" });
  });
});

describe("the schema of limits", () => {
  const { input } = accountsContract.updateAccount;
  const valid = (limits: unknown) => input.safeParse({ accountId: "acc_1", limits }).success;

  it("accepts whole numbers from 1 to 1e9 only", () => {
    for (const figure of [1, 1e9]) expect(valid({ requestsPerMinute: figure })).toBe(true);
    for (const figure of [0, -1, 1.5, 1e9 + 1, "5", null, Number.NaN]) {
      expect(valid({ requestsPerHour: figure })).toBe(false);
      expect(valid({ endpoints: { "usage.track": figure } })).toBe(false);
    }
  });

  it("refuses an unknown member", () => {
    expect(valid({ requestsPerWeek: 5 })).toBe(false);
  });
});

describe("suspending an account", () => {
  it("keeps the time of the first suspension and logs account.suspended and account.resumed", async () => {
    const services = await startServices();
    const { accounts, clock } = services;
    const by = callerFor(services.owner, { scopes: ["operator"] });
    const { accountId } = await stranger(services);
    const last = async () => (await trailOf(services)).at(-1);
    const since = clock.now();
    expect(await accounts.update(by, accountId, { suspended: true })).toMatchObject({ suspendedAt: since });
    expect(await last()).toMatchObject({
      action: "account.suspended",
      accountId,
      target: { kind: "account", id: accountId, name: "Elsewhere" },
      after: { suspendedAt: since },
    });
    clock.advance(HOUR);
    expect(await accounts.update(by, accountId, { suspended: true })).toMatchObject({ suspendedAt: since });
    expect(await accounts.update(by, accountId, { name: "There" })).toMatchObject({
      name: "There",
      suspendedAt: since,
    });
    expect(await last()).toMatchObject({ action: "account.updated" });
    expect(await accounts.update(by, accountId, { suspended: false })).not.toHaveProperty("suspendedAt");
    expect(await last()).toMatchObject({ action: "account.resumed" });
    const { length } = await trailOf(services);
    expect(await accounts.update(by, accountId, { suspended: false })).not.toHaveProperty("suspendedAt");
    expect(await trailOf(services)).toHaveLength(length);
    const own = accounts.update(by, by.accountId, { suspended: true });
    await expect(own).rejects.toMatchObject(problem("conflict"));
    expect(await accounts.update(by, by.accountId, { suspended: false })).toMatchObject({ id: by.accountId });
  });
});

it("a burst that a plan has outgrown in the plans file keeps nobody from suspending its account", async () => {
  const [dataDirectory, plansFile] = [temporaryDirectory(), join(temporaryDirectory(), "plans.json")];
  const app = await startApp({ dataDirectory });
  const { accountId } = await app.account("pro");
  const path = `/api/v1/accounts/${accountId}`;
  const limits = { burst: 120 };
  expect((await app.request("PATCH", path, { body: { limits } })).status).toBe(200);
  await app.close();

  const tiers = loadCatalogue().tiers.map(({ limits: ofPlan, ...tier }) => ({
    ...tier,
    limits: { ...ofPlan, ...(tier.id === "pro" && { requestsPerMinute: 500, burst: 500 }) },
  }));
  writeFileSync(plansFile, JSON.stringify({ tiers, agents: [] }));
  const again = await startApp({ dataDirectory, plansFile });
  const change = (body: object) => again.request("PATCH", path, { body });
  expect((await change({ suspended: true })).body).toMatchObject({ account: { limits } });
  expect((await change({ nextPlan: null })).body).toMatchObject({ account: { limits } });
  for (const wrong of [{ limits }, { plan: "pro" }]) {
    expect((await change(wrong)).body.errors).toMatchObject([{ path: "limits.burst" }]);
  }
});
