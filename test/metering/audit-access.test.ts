import { describe, expect, it } from "vitest";
import { accounts } from "../../src/accounts/model.ts";
import type { Scope } from "../../src/contract/caller.ts";
import { createAuditAccess } from "../../src/metering/audit-access.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { callerFor, problem, startServices } from "../accounts/fixture.ts";

/** Returns the access of a caller on a plan of the built-in catalogue: of these, only "enterprise" has the ability. */
async function accessFor(scopes: Scope[], plan: "team" | "enterprise", upgradeUrl?: string) {
  const { store, owner, account } = await startServices();
  await store.transact((tx) => tx.put(accounts, GLOBAL, account.id, { ...account, plan }));
  const access = createAuditAccess({ store, catalogue: { ...loadCatalogue(), upgradeUrl } });
  const caller = callerFor(owner, { scopes });
  return { own: account.id, ask: (asked?: string) => access(caller, asked), caller, access };
}

describe("access to audit logs", () => {
  it("covers any account, the instance or all for an operator on any plan", async () => {
    const { own, ask } = await accessFor(["admin", "operator"], "team");
    expect(await ask()).toEqual({ accountId: own });
    expect(await ask("acc_other")).toEqual({ accountId: "acc_other" });
    expect(await ask("instance")).toEqual({ accountId: undefined });
    expect(await ask("all")).toBe("all");
  });

  it("covers only their own account for admins, if the plan has the gate", async () => {
    const { own, ask } = await accessFor(["admin"], "enterprise");
    expect(await ask()).toEqual({ accountId: own });
    expect(await ask(own)).toEqual({ accountId: own });
    for (const other of ["acc_other", "instance", "all"])
      await expect(ask(other)).rejects.toMatchObject(problem("insufficient_scope"));
  });

  it("is refused without the plan's gate, without the scope, and for a project-bound key", async () => {
    const without = await accessFor(["admin"], "team");
    await expect(without.ask()).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: expect.stringMatching(/"audit_logs".* ask the operator of this server for a larger plan\.$/),
    });
    const told = await accessFor(["admin"], "team", "https://example.com/plans");
    await expect(told.ask()).rejects.toMatchObject({
      detail: expect.stringMatching(/ get a larger plan: https:\/\/example\.com\/plans$/),
    });
    const writer = await accessFor(["write"], "enterprise");
    await expect(writer.ask()).rejects.toMatchObject(problem("insufficient_scope"));
    const { access, caller } = await accessFor(["admin", "operator"], "enterprise");
    const bound = { ...caller, credential: { ...caller.credential, projectId: "web" } };
    await expect(access(bound, "all")).rejects.toMatchObject(problem("forbidden"));
  });
});
