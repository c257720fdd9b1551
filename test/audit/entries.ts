import type { AuditEntry } from "../../src/audit/model.ts";

/** Of what nobody may read in a log: our secrets by their form, hashes of passwords, and JSON Web Tokens. */
export const SECRET = /t[a-z]{2}_[0-9a-z]{57}|scrypt|eyJ[\w-]+\.[\w-]+\./;

/** What an entry says of its target, where that is not what it was and what it is. */
export type Says = "before" | "after" | "nothing";

/** The sides on which a test expects values. */
export function sidesIn(says: Says | undefined): string[] {
  if (says === "nothing") return [];
  return says === undefined ? ["before", "after"] : [says];
}

/** The sides on which an entry tells at least one value. */
export function sidesOf(entry: Pick<AuditEntry, "before" | "after">): string[] {
  return (["before", "after"] as const).filter((side) => Object.keys(entry[side] ?? {}).length > 0);
}
