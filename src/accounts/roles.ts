import type { Scope } from "../contract/caller.ts";

/** The roles of users in an account, in ascending order: each includes the ones before it. */
export const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF: Record<Role, readonly Scope[]> = {
  viewer: ["read"],
  member: ["read", "write"],
  admin: ["read", "write", "admin"],
  owner: ["read", "write", "admin"],
};

/** Returns the scopes of a user, which also bound those of their devices and keys. */
export function scopesOf({ role, operator }: { role: Role; operator?: boolean }): Scope[] {
  return operator ? ["read", "write", "admin", "operator"] : [...SCOPES_OF[role]];
}

/** Whether `role` may do everything that `other` may. */
export function includes(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}
