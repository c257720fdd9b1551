import { Problem } from "../contract/problem.ts";
import { iso } from "../system/clock.ts";
import type { Account } from "./model.ts";

/** Why an account is answered the control lane alone, and what is to be done about it. */
export interface Shut {
  why: string;
  remedy: string;
}

/** Undefined while the account is open: neither suspended nor closed by its owner. */
export function shutOf({
  suspendedAt,
  deleteAt,
}: Pick<Account, "suspendedAt" | "deleteAt">): Shut | undefined {
  if (suspendedAt !== undefined) {
    return {
      why: "This account is suspended by whoever runs this server",
      remedy: "Ask them why; what it holds can be taken along (tool account export).",
    };
  }
  if (deleteAt === undefined) return undefined;
  return {
    why: `This account is closed and will be deleted after ${iso(deleteAt)}`,
    remedy: "An owner can take its data along (tool account export) or keep it (tool account keep).",
  };
}

/** `Problem` `forbidden` of an account that is shut: what gets it out of that is in the control lane. */
export function requireOpen(account: Pick<Account, "suspendedAt" | "deleteAt">): void {
  const shut = shutOf(account);
  if (shut) throw new Problem("forbidden", `${shut.why}. ${shut.remedy}`);
}
