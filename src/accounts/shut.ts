import { Problem } from "../contract/problem.ts";
import { iso } from "../system/clock.ts";
import type { Account } from "./model.ts";

/** Why only the control lane works for an account, and the remedy to suggest. */
export interface Shut {
  why: string;
  remedy: string;
}

/** Returns why an account is shut; undefined if it is neither suspended nor closed by an owner. */
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

/** Throws `Problem` `forbidden` if an account is shut. Called for everything outside the control lane. */
export function requireOpen(account: Pick<Account, "suspendedAt" | "deleteAt">): void {
  const shut = shutOf(account);
  if (shut) throw new Problem("forbidden", `${shut.why}. ${shut.remedy}`);
}
