import { describe, expect, it } from "vitest";
import { whoActs } from "../../src/accounts/people.ts";
import { colleague, startServices } from "./fixture.ts";

describe("whoActs()", () => {
  it("returns the user's name and whether they are an operator", async () => {
    const services = await startServices();
    const { user } = await colleague(services, "member", { email: "ada@example.com" });
    const who = (accountId?: string, userId?: string) =>
      services.store.transact((tx) => whoActs(tx, { accountId, userId }));
    const { account, owner } = services;
    expect(await who(account.id, owner.id)).toEqual({ name: "owner@localhost", isOperator: true });
    expect(await who(account.id, user.id)).toEqual({ name: "ada@example.com", isOperator: false });
    expect(await who(account.id, "usr_gone")).toBeUndefined();
    expect(await who(undefined, owner.id)).toBeUndefined();
    expect(await who(account.id, undefined)).toBeUndefined();
  });
});
