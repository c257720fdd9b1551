import { describe, expect, it } from "vitest";
import { firstStart, type OwnerSettings } from "../../src/accounts/first-start.ts";
import { accounts as storedAccounts, users } from "../../src/accounts/model.ts";
import { createSignInLinks } from "../../src/accounts/sign-in/sign-in-links.ts";
import { accountSpace, GLOBAL } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { cheapPasswords } from "../support/accounts/passwords.ts";
import { fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore } from "../support/store.ts";
import {
  BASE_URL,
  COLLECTIONS,
  callerFor,
  comeBy,
  OWNER_KEY,
  PLANS,
  secretOf,
  servicesOn,
  trailOf,
  VISITOR,
} from "./fixture.ts";

async function emptyInstance() {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: COLLECTIONS });
  let starts = 0;
  return {
    clock,
    store,
    start(owner: Partial<OwnerSettings> = {}, plan = "team") {
      const random = seededRandom(clock, `start ${starts++}`);
      const links = createSignInLinks({ clock, random, baseUrl: () => BASE_URL });
      const settings = { plan, owner: { email: "owner@localhost", ...owner } };
      return firstStart(
        {
          store,
          audit: testTrail(store, clock),
          clock,
          random,
          passwords: cheapPasswords(random),
          links,
          plans: PLANS,
        },
        settings,
      );
    },
  };
}

describe("firstStart()", () => {
  it('creates the account "default" and its owner, an operator', async () => {
    const { start } = await emptyInstance();
    const { account, owner, signInLink } = await start();
    expect(account).toMatchObject({ name: "default", plan: "team" });
    expect(owner).toMatchObject({
      accountId: account.id,
      email: "owner@localhost",
      role: "owner",
      operator: true,
    });
    expect(signInLink).toMatch(/^https:\/\/plane\.example\/sign-in\?link=tsl_/);
  });

  it("takes the plan and the address from the settings", async () => {
    const { start } = await emptyInstance();
    const { account, owner } = await start({ email: "ada@example.com" }, "free");
    expect(account.plan).toBe("free");
    expect(owner.email).toBe("ada@example.com");
  });

  it("creates one account when several servers start on one store", async () => {
    const { start } = await emptyInstance();
    const starts = await Promise.all([start(), start(), start()]);
    expect(new Set(starts.map(({ account }) => account.id)).size).toBe(1);
    expect(starts.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await start()).isNew).toBe(false);
    const later = await start({ email: "other@example.com" }, "free");
    expect(later.owner).toEqual(starts[0]?.owner);
    expect(later.account).toEqual(starts[0]?.account);
  });

  it("returns a new link at each start until a password exists", async () => {
    const { start, store, clock } = await emptyInstance();
    const first = (await start()).signInLink!;
    const second = (await start()).signInLink!;
    expect(second).not.toBe(first);
    const { signIn } = await servicesOn(store, clock);
    const session = await signIn.consumeLink(secretOf(second), VISITOR);
    expect((await start()).signInLink).toBeDefined();
    await signIn.setPassword((await signIn.lookUp(session!.secret))!, { password: "correct horse" }, VISITOR);
    expect((await start()).signInLink).toBeUndefined();
  });

  it("sets the password from the environment at each start", async () => {
    const { start, store, clock } = await emptyInstance();
    expect((await start({ password: "first horse" })).signInLink).toBeUndefined();
    const { signIn } = await servicesOn(store, clock);
    const tryPassword = (password: string) =>
      signIn.withPassword({ email: "owner@localhost", password }, VISITOR);
    const before = await tryPassword("first horse");
    await start({ password: "first horse" });
    expect(await signIn.lookUp(before!.secret)).toBeDefined();
    await start({ password: "second horse" });
    expect(await signIn.lookUp(before!.secret)).toBeUndefined();
    expect(await tryPassword("first horse")).toBeUndefined();
    expect(await tryPassword("second horse")).toBeDefined();
    await start();
    expect(await tryPassword("second horse")).toBeDefined();
  });

  it("notes a password that the environment changes, and ends the owner's sessions in every account", async () => {
    const { start, store, clock } = await emptyInstance();
    await start({ password: "first horse" });
    const services = await servicesOn(store, clock);
    const { signIn, accounts } = services;
    const begun = await signIn.withPassword({ email: "owner@localhost", password: "first horse" }, VISITOR);
    const other = { name: "Other", ownerEmail: "owner@localhost", plan: "free" };
    const { signInLink } = await accounts.create(callerFor(services.owner), other);
    const there = await comeBy(services, signInLink, VISITOR, await signIn.lookUp(begun!.secret));
    expect(there.account.name).toBe("Other");
    await start({ password: "first horse" });
    expect(await signIn.lookUp(there.secret)).toBeDefined();

    await start({ password: "second horse" });
    expect(await signIn.lookUp(there.secret)).toBeUndefined();
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "person.password_set",
      accountId: services.account.id,
      actor: { address: "", requestId: "" },
      target: { id: services.owner.id, name: "owner@localhost" },
      after: { by: "TOOL_OWNER_PASSWORD" },
    });
  });

  it("returns no link if the owner has an API key", async () => {
    const { start } = await emptyInstance();
    expect((await start({ apiKey: OWNER_KEY })).signInLink).toBeUndefined();
  });

  it.each([
    [{ apiKey: "x".repeat(31) }, /TOOL_OWNER_API_KEY must have 32 characters or more/],
    [{ apiKey: "" }, /TOOL_OWNER_API_KEY must have 32/],
    [{ apiKey: `${"x".repeat(32)} y` }, /without spaces/],
    [{ password: "" }, /TOOL_OWNER_PASSWORD is empty/],
    [{ password: "1234567" }, /TOOL_OWNER_PASSWORD must have 8 to 256 characters\.$/],
    [{ email: "nobody" }, /TOOL_OWNER_EMAIL is "nobody"/],
  ])("refuses the owner settings %j", async (owner, message) => {
    const { start } = await emptyInstance();
    await expect(start(owner)).rejects.toThrow(message);
    expect((await start()).owner.email).toBe("owner@localhost");
  });

  it("refuses a store without its owner or the owner's account", async () => {
    for (const lost of ["owner", "account"]) {
      const { start, store } = await emptyInstance();
      const { account, owner } = await start();
      await store.transact((tx) =>
        lost === "owner"
          ? tx.delete(users, accountSpace(account.id), owner.id)
          : tx.delete(storedAccounts, GLOBAL, account.id),
      );
      await expect(start()).rejects.toThrow("has lost the account or the user that owns it");
    }
  });

  it("accepts a key of 32 visible characters", async () => {
    const { start } = await emptyInstance();
    expect((await start({ apiKey: `!~${"x".repeat(30)}` })).account.name).toBe("default");
  });

  it("refuses a plan that is missing from the catalogue", async () => {
    const { start } = await emptyInstance();
    await expect(start({}, "gold")).rejects.toThrow(/free, team, enterprise/);
  });
});
