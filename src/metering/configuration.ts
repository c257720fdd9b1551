import { hash } from "node:crypto";
import { noteRemovals } from "../accounts/devices/removed-clients.ts";
import { type AuditTrail, type Change, SERVER } from "../audit/trail.ts";
import { collection, GLOBAL } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Catalogue } from "./plans.ts";

/** One item of the operator's configuration. Only its digest is stored, because it may contain secrets. */
interface Configured {
  name: string;
  digest: string;
}

/** In GLOBAL, as `plan/pro`, `trial/pro`, `upstream/github` or `client/acme`: the configuration of the last start. */
export const configured = collection<Configured>("configured");

/**
 * Audits what changed in the operator's files since the last start: plans, the trial, upstreams and OAuth clients. Among several
 * servers on one store, the first records it. The very first start records nothing, because everything is new. The
 * sign-ins of a client that is gone end, until it is back.
 */
export async function noteConfiguration(
  { audit, clock }: { audit: AuditTrail; clock: Clock },
  catalogue: Catalogue,
): Promise<void> {
  const now = new Map(
    [
      ...catalogue.tiers.map((tier) => ["plan", tier.id, tier] as const),
      ...(catalogue.trial ? [["trial", catalogue.trial.plan, catalogue.trial] as const] : []),
      ...(catalogue.upstreams ?? []).map((upstream) => ["upstream", upstream.name, upstream] as const),
      ...Object.entries(catalogue.clients).map(([id, client]) => ["client", id, client] as const),
    ].map(([kind, name, value]) => [`${kind}/${name}`, { name, digest: digestOf(value) }]),
  );

  await audit.transact(SERVER, async (tx, note) => {
    const before = new Map((await tx.list(configured, GLOBAL)).map(({ id, value }) => [id, value]));
    const [named, gone] = [clientsIn(now, before), clientsIn(before, now)];
    await noteRemovals(tx, { named, gone, now: clock.now() });
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

/** Returns the ids of the clients in one configuration that the other lacks. */
function clientsIn(one: ReadonlyMap<string, Configured>, other: ReadonlyMap<string, Configured>): string[] {
  const ids = [...one.keys()].filter((id) => id.startsWith("client/") && !other.has(id));
  return ids.map((id) => (one.get(id) as Configured).name);
}

function changeOf(id: string, name: string, what: "added" | "changed" | "removed"): Change {
  const kind = id.slice(0, id.indexOf("/"));
  return { action: `${kind}.${what}`, target: { kind, id: name }, accountId: null };
}

function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
