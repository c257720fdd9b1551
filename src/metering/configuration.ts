import { hash } from "node:crypto";
import { type AuditTrail, type Change, SERVER } from "../audit/trail.ts";
import { collection, GLOBAL } from "../store/store.ts";
import type { Catalogue } from "./plans.ts";

/** What an operator's file says of one thing, told apart by its digest alone: it may name secrets. */
interface Configured {
  name: string;
  digest: string;
}

/** In GLOBAL, as `plan/pro`, `upstream/github` or `client/acme`: what the last start was configured with. */
export const configured = collection<Configured>("configured");

/**
 * Notes what the operator's files changed since the last start: plans, upstreams and OAuth clients. Of several
 * servers of one store, the first notes it. The very first start notes nothing: all of it is new.
 */
export async function noteConfiguration(audit: AuditTrail, catalogue: Catalogue): Promise<void> {
  const now = new Map(
    [
      ...catalogue.tiers.map((tier) => ["plan", tier.id, tier] as const),
      ...(catalogue.upstreams ?? []).map((upstream) => ["upstream", upstream.name, upstream] as const),
      ...Object.entries(catalogue.clients).map(([id, client]) => ["client", id, client] as const),
    ].map(([kind, name, value]) => [`${kind}/${name}`, { name, digest: digestOf(value) }]),
  );

  await audit.transact(SERVER, async (tx, note) => {
    const before = new Map((await tx.list(configured, GLOBAL)).map(({ id, value }) => [id, value]));
    for (const [id, value] of now) {
      const was = before.get(id);
      if (was?.digest === value.digest) continue;
      await tx.put(configured, GLOBAL, id, value);
      if (before.size > 0) note(changeOf(id, value.name, was ? "changed" : "added"));
    }
    for (const [id, { name }] of before) {
      if (now.has(id)) continue;
      await tx.delete(configured, GLOBAL, id);
      note(changeOf(id, name, "removed"));
    }
  });
}

function changeOf(id: string, name: string, what: "added" | "changed" | "removed"): Change {
  const kind = id.slice(0, id.indexOf("/"));
  return { action: `${kind}.${what}`, target: { kind, id: name }, accountId: null };
}

function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
