import type { AuditEntry } from "../../src/audit/model.ts";

/** Matches text that must not be in a log: credentials by their form, password hashes, and JSON Web Tokens. */
export const SECRET = /t[a-z]{2}_[0-9a-z]{57}|scrypt|eyJ[\w-]+\.[\w-]+\./;

/** The values of its target that an entry has, if not both before and after. */
export type Says = "before" | "after" | "nothing";

/** Returns the sides on which a test expects values. */
export function sidesIn(says: Says | undefined): string[] {
  if (says === "nothing") return [];
  return says === undefined ? ["before", "after"] : [says];
}

/** Returns the sides on which an entry has at least one value. */
export function sidesOf(entry: Pick<AuditEntry, "before" | "after">): string[] {
  return (["before", "after"] as const).filter((side) => Object.keys(entry[side] ?? {}).length > 0);
}
