import type { RouteOutput } from "../../client/routes.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import { giveQueueTo } from "../../client/telemetry/queue-owner.ts";
import { queueDirectory } from "../../client/telemetry/telemetry-queue.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import type { Whereabouts } from "../credentials/credentials.ts";
import { count } from "../ui/format.ts";

/** The OAuth client that this program is registered as. */
export const CLIENT_ID = "tool-cli";

/** Verifies a new credential with the server, then stores it. Revokes the same user's previous one. */
export async function signedIn(context: Context, credential: StoredCredential): Promise<Outcome> {
  const { progress, credentials, queue } = context;
  const view = await progress.during(
    "Signing in",
    context.clientWith(credential).call("GET /api/v1/account", {}),
  );
  const previous = await credentials.read().catch(() => undefined);
  const kept = await credentials.setCurrent({ ...credential, account: view.account, user: view.user });
  const aside = await queueGivenTo(context, context.client.baseUrl, view.account, previous?.account);
  const ofSameUser = previous?.user === undefined || previous.user.id === view.user.id;
  if (previous?.refreshToken && ofSameUser) await revoke(context, previous.refreshToken);
  queue.wake();
  context.sendInBackground();
  const outcome = describeSignIn(context, view, kept, credential);
  return { ...outcome, lines: [...(outcome.lines ?? []), ...aside] };
}

/**
 * Gives the queue to the account that is signed in to now. Returns a line about the events that wait for the account
 * before.
 */
export async function queueGivenTo(
  { settings, clock }: Context,
  baseUrl: string,
  { id }: { id: string },
  before: { id: string } | undefined,
): Promise<string[]> {
  const directory = queueDirectory(settings.directories.data, baseUrl);
  const waiting = await giveQueueTo(id, { directory, before: before?.id, clock });
  if (waiting === 0) return [];
  return [`  ${count(waiting, "event")} of the account before will be sent once you are in it again.`];
}

/** Returns the same outcome for an existing sign-in. */
export async function currentSignIn(context: Context): Promise<Outcome> {
  const { client, credentials, progress } = context;
  const view = await progress.during("Signing in", client.call("GET /api/v1/account", {}));
  return describeSignIn(context, view, await credentials.whereabouts(), await client.credential());
}

function describeSignIn(
  { io, client }: Context,
  { account, plan, user, credential }: RouteOutput<"GET /api/v1/account">,
  kept: Whereabouts,
  stored: StoredCredential,
): Outcome {
  const { style, symbols } = io.out;
  const renewal = stored.refreshToken ? ` ${symbols.dot} renews by itself` : "";
  return {
    document: {
      status: "signed_in",
      baseUrl: client.baseUrl,
      account,
      plan,
      user,
      scopes: credential.scopes,
      kept: kept.kind,
      renews: stored.refreshToken !== undefined,
      ...(credential.expiresAt ? { expiresAt: credential.expiresAt } : {}),
    },
    lines: [
      `${style.green(symbols.done)} Signed in as ${style.bold(user.email)} (account ${account.name}, plan ${plan})`,
      `  ${style.dim(`Scopes ${credential.scopes.join(" ")} ${symbols.dot} token kept in ${keptWhere(kept)}${renewal}`)}`,
    ],
  };
}

/** Returns the place without its path, which `whoami` shows. */
function keptWhere(kept: Whereabouts): string {
  return kept.kind === "file" ? "a file that only you can read" : kept.description;
}

/** Revokes a token (RFC 7009), and returns whether that worked. Otherwise the token ends when it expires. */
export async function revoke(context: Context, token: string): Promise<boolean> {
  try {
    await context.client.form(
      "/auth/revoke",
      { token, client_id: CLIENT_ID },
      { retry: false, timeoutMs: 5000 },
    );
    return true;
  } catch {
    return false;
  }
}
