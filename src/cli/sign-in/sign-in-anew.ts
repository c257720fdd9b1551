import { deviceLogin } from "../../client/sign-in/device-login.ts";
import { localSecretOf } from "../../client/sign-in/local-server.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { UsageError } from "../exit-codes.ts";
import { canAsk } from "../terminal/can-ask.ts";
import { Reported } from "../terminal/present.ts";
import { loginLines } from "../ui/login-lines.ts";
import type { LoginView } from "../ui/login-view.ts";
import { CLIENT_ID, signedIn } from "./signed-in.ts";

export interface SignInOptions {
  /** The requested scopes, space-separated. */
  scope: string;
  /** Whether a browser may be opened. */
  browser: boolean;
  /** Whether to use a code even if this user runs the server. */
  code?: boolean;
}

/** The longest wait for the turn to request a code. */
const MAX_HELD_SECONDS = 300;

/** Signs the user in: by Enter if they run the server themselves, otherwise by a code. */
export async function signInAnew(context: Context, options: SignInOptions): Promise<Outcome> {
  const secret = options.code ? undefined : localSecret(context);
  if (secret !== undefined) {
    const { signInLocally } = await import("./local-sign-in.ts");
    const outcome = await signInLocally(context, { ...options, secret });
    if (outcome) return outcome;
  }
  return withCode(context, options);
}

/** Returns the secret of a server that this user runs, if the user can be asked. */
function localSecret({ settings, io, progress, options }: Context): string | undefined {
  if (!canAsk(io, options)) return undefined;
  return localSecretOf(settings.directories.data, settings.baseUrl.value, {
    onUnsafe: (path) => progress.note(`${path} is not used: others than you can read or replace it.`),
  });
}

/** Returns the scopes of the current or last ended sign-in to this server; undefined if there was none. */
export async function scopesHad({ credentials }: Context): Promise<string | undefined> {
  // The record has the scopes even if the credential is locked or the server not trusted yet.
  const stored = await credentials.read().catch(() => undefined);
  return (stored?.refreshToken && stored.scope) || credentials.scope();
}

/** Throws if the outcome of a sign-in could not be used or kept, before anybody is asked to approve it. */
export function refuseInVain({ credentials }: Context, command: string): void {
  if (credentials.fixed) {
    throw new UsageError(
      "TOOL_TOKEN is set and goes before any sign-in.",
      `Unset it, then run \`${command}\`.`,
    );
  }
  try {
    credentials.tryToWrite();
  } catch (error) {
    const next =
      "A sign-in could not be kept: choose another directory with XDG_DATA_HOME, or set TOOL_TOKEN to an API key.";
    throw new Reported({ ...describeFailure(error), next });
  }
}

async function withCode(context: Context, { scope, browser }: SignInOptions): Promise<Outcome> {
  const { client, clock, io } = context;
  const states = deviceLogin({
    api: client,
    clock,
    clientId: CLIENT_ID,
    scope,
    signal: io.interrupted,
    maxHeldSeconds: MAX_HELD_SECONDS,
  });
  const view = loginView(context);
  try {
    for await (const state of states) {
      (await view).show(state);
      if (state.kind === "approved") {
        (await view).end();
        return await signedIn(context, state.credential);
      }
      if (state.kind === "prompt" && browser) {
        void context.openBrowser(state.prompt.verificationUriComplete ?? state.prompt.verificationUri);
      }
    }
    throw new Error("The sign-in ended without an outcome.");
  } finally {
    (await view).end();
  }
}

/** Returns the view of the sign-in. Ink loads while the code is requested. */
async function loginView({ io, clock, client }: Context): Promise<LoginView> {
  if (!io.err.live) return loginLines(io.err, client.baseUrl, clock);
  const { tellLibrariesAboutColour } = await import("../terminal/io.ts");
  tellLibrariesAboutColour(io.err);
  const { loginFrames } = await import("../ui/login-frames.tsx");
  return loginFrames(io.err, client.baseUrl, clock);
}
