import { allows, type Caller } from "../../contract/caller.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import type { Closing } from "../closing/closing.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import { inPerson, wholeAccount } from "../whole-account.ts";
import type { exportContract } from "./contract.ts";
import type { Exports } from "./exports.ts";

export function exportHandlers({
  exports,
  closing,
}: {
  exports: Exports;
  closing: Pick<Closing, "checkOwner">;
}): Handlers<typeof exportContract> {
  return {
    async exportAccount({ accountId, cursor }, caller) {
      const own = wholeAccount(caller);
      if (accountId === undefined || accountId === own) await closing.checkOwner(caller);
      else requireOperator(caller, "Another account's data");
      return exports.account(caller, accountId ?? own, cursor, caller.signal);
    },
    async exportPerson({ person, cursor }, caller) {
      wholeAccount(caller);
      if (person !== undefined) {
        requireOperator(caller, "Another person's data");
        return exports.person(caller, person, cursor, caller.signal);
      }
      inPerson(caller);
      return exports.own(caller, [caller.accountId], cursor, caller.signal);
    },
  };
}

function requireOperator({ credential }: Caller, what: string): void {
  if (allows(credential.scopes, "operator")) return;
  throw insufficientScope("operator", `${what} needs the scope "operator".`);
}
