import { type DeviceLoginState, type DevicePrompt, deviceLogin } from "../../client/sign-in/device-login.ts";
import { iso } from "../../system/clock.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { CLIENT_ID, signedIn } from "../sign-in/signed-in.ts";

/** A device sign-in in the background of a session. */
export interface SessionSignIn {
  /** Returns the code that waits for approval, and requests one if there is none. */
  prompt(): Promise<DevicePrompt>;
  end(): void;
}

export function createSessionSignIn(
  context: Context,
  { scope, onSignedIn }: { scope: string; onSignedIn: () => void },
): SessionSignIn {
  const { client, clock, progress } = context;
  const over = new AbortController();
  let waiting: Promise<DevicePrompt> | undefined;

  async function begin(): Promise<DevicePrompt> {
    const states = deviceLogin({ api: client, clock, clientId: CLIENT_ID, scope, signal: over.signal });
    const { value } = await states.next();
    if (value?.kind !== "prompt") throw new Error("The sign-in began without a code.");
    void follow(states);
    return value.prompt;
  }

  async function follow(states: AsyncGenerator<DeviceLoginState, void, void>): Promise<void> {
    try {
      for await (const state of states) {
        if (state.kind !== "approved") continue;
        await signedIn(context, state.credential);
        progress.note(`Signed in to ${client.baseUrl}.`);
        onSignedIn();
      }
    } catch (error) {
      if (!over.signal.aborted) progress.note(`The sign-in failed: ${describeFailure(error).message}`);
    } finally {
      waiting = undefined;
    }
  }

  return {
    prompt() {
      waiting ??= begin().catch((error) => {
        waiting = undefined;
        throw error;
      });
      return waiting;
    },
    end: () => over.abort(),
  };
}

/** Returns the instruction for the agent to pass on to its user. */
export function askFor({
  userCode,
  verificationUri,
  verificationUriComplete,
  expiresAt,
}: DevicePrompt): string {
  const link = verificationUriComplete ?? verificationUri;
  return `Ask the user to open ${link} and approve the code ${userCode} there, before ${iso(expiresAt)}. Then call again.`;
}
