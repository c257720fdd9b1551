import { SignedOut } from "../../client/errors.ts";
import { SCOPES } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { Reported } from "../terminal/present.ts";

/** Adds the command that fixes it to an error about a missing sign-in or scope. Returns other errors unchanged. */
export async function withSignInHint(error: Error, context: Context): Promise<Error> {
  const next = await wayIn(error, context);
  return next === undefined ? error : new Reported({ ...describeFailure(error), next });
}

async function wayIn(error: Error, context: Context): Promise<string | undefined> {
  if (error instanceof SignedOut && (error.reason === "none" || error.reason === "refused")) {
    return `Run \`tool login${serverFlag(context)}\`.`;
  }
  if (!(error instanceof Problem) || error.error !== "insufficient_scope") return undefined;
  // The server's text becomes part of a command, so only known scopes are accepted.
  const scope = SCOPES.find((each) => each === error.extras.members?.scope);
  if (scope === undefined) return undefined;
  const { credentials } = context;
  if (credentials.fixed) return `Set TOOL_TOKEN to a key that has the scope ${scope}.`;
  const stored = await credentials.read().catch(() => undefined);
  if (stored && !stored.refreshToken) {
    return `You are signed in by an API key: give one that has it to \`tool login --with-token${serverFlag(context)}\`.`;
  }
  return `Run \`tool auth refresh --scope ${scope}${serverFlag(context)}\`.`;
}

/** Returns the flag for the server if the next command would not know it. */
export function serverFlag({ settings: { baseUrl } }: Context): string {
  return baseUrl.origin.kind === "flag" ? ` --base-url ${baseUrl.value}` : "";
}
