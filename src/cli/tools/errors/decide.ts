import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { instantOf } from "../../options.ts";
import type { Listed } from "./list.ts";

export async function resolve(
  context: Context,
  fingerprints: string[],
  { nextRelease }: { nextRelease?: boolean },
): Promise<Outcome> {
  const changed = await context.client.call("POST /api/v1/tools/observability/errors/resolve", {
    fingerprints,
    inNextRelease: nextRelease,
  });
  return outcomeOf("Resolved", changed, context);
}

export async function ignore(
  context: Context,
  fingerprints: string[],
  { more, until }: { more?: number; until?: string },
): Promise<Outcome> {
  const changed = await context.client.call("POST /api/v1/tools/observability/errors/ignore", {
    fingerprints,
    more,
    until: until === undefined ? undefined : instantOf("--until", until, context.clock.now(), 1),
  });
  return outcomeOf("Ignored", changed, context);
}

export async function reopen(context: Context, fingerprints: string[]): Promise<Outcome> {
  const changed = await context.client.call("POST /api/v1/tools/observability/errors/reopen", {
    fingerprints,
  });
  return outcomeOf("Open", changed, context);
}

export async function remove({ client, io }: Context, fingerprint: string): Promise<Outcome> {
  const deleted = await client.call("DELETE /api/v1/tools/observability/errors/{fingerprint}", {
    fingerprint,
  });
  return {
    document: deleted,
    lines: [`${io.out.marks.done} Deleted. If it happens again, it is new.`],
  };
}

function outcomeOf(what: string, changed: { items: Listed }, { io }: Context): Outcome {
  return {
    document: changed,
    lines: changed.items.map(
      ({ type, message }) => `${io.out.marks.done} ${what}: ${message === "" ? type : `${type}: ${message}`}`,
    ),
  };
}
