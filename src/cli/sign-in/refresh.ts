import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { words } from "../options.ts";
import { refuseInVain, scopesHad, signInAnew } from "./sign-in-anew.ts";

export interface RefreshOptions {
  scope?: string;
  browser: boolean;
  code?: boolean;
}

/** Signs in again with the same and any further scopes (`tool auth refresh`). */
export async function refresh(
  context: Context,
  { scope = "", ...options }: RefreshOptions,
): Promise<Outcome> {
  const { credentials, client, io } = context;
  refuseInVain(context, "tool auth refresh");
  const asked = words(scope);
  const stored = await credentials.read();
  if (stored && !stored.refreshToken) {
    throw new UsageError(
      `You are signed in to ${client.baseUrl} by an API key, which keeps the scopes that it was made with.`,
      `Sign in by yourself: \`tool login --scope "${["read", "write", ...asked.filter((each) => !["read", "write"].includes(each))].join(" ")}"\`.`,
    );
  }
  const had = words((await scopesHad(context)) ?? "read write");
  const wanted = [...new Set([...had, ...asked])];
  const outcome = await signInAnew(context, { ...options, scope: wanted.join(" ") });
  const granted = (outcome.document as { scopes: string[] }).scopes;
  const missing = wanted.filter((each) => !granted.includes(each));
  if (missing.length === 0) return outcome;
  return {
    ...outcome,
    lines: [
      ...(outcome.lines ?? []),
      `${io.out.marks.attention} Not granted: ${missing.join(" ")}. Who approved it may not pass that on; an owner of the account can change their role.`,
    ],
    exitCode: EXIT.negative,
  };
}
