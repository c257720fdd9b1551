import { planNameOf } from "../../client/plan-names.ts";
import type { RouteOutput } from "../../client/routes.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import type { Whereabouts } from "../credentials/credentials.ts";
import { enterWithQueue } from "./queue-of-account.ts";

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
  let kept: Whereabouts = { kind: "none", description: "nowhere" };
  const aside = await enterWithQueue(
    context,
    { baseUrl: context.client.baseUrl, account: view.account, before: previous?.account },
    async () => {
      kept = await credentials.setCurrent({ ...credential, account: view.account, user: view.user });
    },
  );
  const ofSameUser = previous?.user === undefined || previous.user.id === view.user.id;
  if (previous?.refreshToken && ofSameUser) await revoke(context, previous.refreshToken);
  queue.wake();
  context.sendInBackground();
  const outcome = describeSignIn(context, view, kept, credential);
  return { ...outcome, lines: [...(outcome.lines ?? []), ...aside] };
}

/** Returns the same outcome for an existing sign-in. */
export async function currentSignIn(context: Context): Promise<Outcome> {
  const { client, credentials, progress } = context;
  const view = await progress.during("Signing in", client.call("GET /api/v1/account", {}));
  return describeSignIn(context, view, await credentials.whereabouts(), await client.credential());
}

function describeSignIn(
  { io, client }: Context,
  view: RouteOutput<"GET /api/v1/account">,
  kept: Whereabouts,
  stored: StoredCredential,
): Outcome {
  const { account, plan, user, credential } = view;
  const planName = planNameOf(view);
  const { style, marks, symbols } = io.out;
  const renewal = stored.refreshToken ? ` ${symbols.dot} renews by itself` : "";
  return {
    document: {
      status: "signed_in",
      baseUrl: client.baseUrl,
      account,
      plan,
      planName,
      user,
      scopes: credential.scopes,
      kept: kept.kind,
      renews: stored.refreshToken !== undefined,
      expiresAt: credential.expiresAt,
    },
    lines: [
      `${marks.done} Signed in as ${style.bold(user.email)} (account ${account.name}, plan ${planName})`,
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
