import type { RouteOutput } from "../routes.ts";

type Resolved = RouteOutput<"GET /api/v1/entitlements/resolve">;
/** The members of the document that an older server does not send. */
type Later = "gates" | "plans";
/** The resolved document without its signature. */
export type EntitlementDocument = Omit<Resolved, "signature" | Later> & Partial<Pick<Resolved, Later>>;

/** How valid an answer is: new or within its lifetime, in the grace period after it, or past both. */
export type Standing = "current" | "grace" | "expired";
