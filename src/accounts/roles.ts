import type { Scope } from "../contract/caller.ts";

/** What somebody is in an account; each may do what the ones before it may. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF: Record<Role, readonly Scope[]> = {
  viewer: ["read"],
  member: ["read", "write"],
  admin: ["read", "write", "admin"],
  owner: ["read", "write", "admin"],
};

/** What a user may do, and hand on to devices and keys. */
export function scopesOf({ role, operator }: { role: Role; operator?: boolean }): Scope[] {
  return operator ? ["read", "write", "admin", "operator"] : [...SCOPES_OF[role]];
}

/** True where `role` may do all that `other` may. */
export function includes(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}
