import { insufficientScope } from "../accounts/insufficient-scope.ts";
import { accounts } from "../accounts/model.ts";
import { wholeAccount } from "../accounts/whole-account.ts";
import type { AuditAccess } from "../audit/handlers.ts";
import { allows } from "../contract/caller.ts";
import { grants } from "../contract/gate.ts";
import { Problem } from "../contract/problem.ts";
import { GLOBAL, type Store } from "../store/store.ts";
import { largerPlan } from "./limits/bounds.ts";
import { type Catalogue, featuresOf, tierOf } from "./plans.ts";

const GATE = "audit_logs";

/** Decides who reads which audit log: an operator every log, an account's admins their own if the plan has the gate. */
export function createAuditAccess({
  store,
  catalogue,
}: {
  store: Pick<Store, "transact">;
  catalogue: Catalogue;
}): AuditAccess {
  return async (caller, asked) => {
    const { accountId } = caller;
    wholeAccount(caller);
    const isOperator = allows(caller.credential.scopes, "operator");
    if (!isOperator && asked !== undefined && asked !== accountId) {
      throw insufficientScope("operator", 'The log of other accounts needs the scope "operator".');
    }
    if (asked === "all") return "all";
    if (asked === "instance") return { accountId: undefined };
    if (isOperator) return { accountId: asked ?? accountId };
    if (!allows(caller.credential.scopes, "admin")) {
      throw insufficientScope("admin", "The audit log is for an account's admins.");
    }
    const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
    // The account's plan decides. A project's plan must not open the log of other projects.
    const tier = tierOf(catalogue, account?.plan);
    if (grants(featuresOf(catalogue, tier), GATE)) return { accountId };
    throw new Problem(
      "forbidden",
      `The audit log needs a plan with the gate "${GATE}", which ${tier.name} has not. It is kept all the same; the operator of this server reads it. To read it yourself, ${largerPlan(catalogue.upgradeUrl)}`,
    );
  };
}
