import { localLogin } from "../../client/sign-in/local-login.ts";
import { OAuthError } from "../../contract/problem.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { ask } from "../terminal/confirm.ts";
import { Interrupted } from "../terminal/interruption.ts";
import { CLIENT_ID, signedIn } from "./signed-in.ts";

/** Signs in the owner of a server that this user runs, on Enter. Returns undefined if they want or need a code. */
export async function signInLocally(
  context: Context,
  { scope, secret }: { scope: string; secret: string },
): Promise<Outcome | undefined> {
  const { client, clock, io, progress } = context;
  const { style } = io.err;
  progress.note(`${style.bold(client.baseUrl)} runs on this computer, as you.`);
  const question = `Press ${style.bold("Enter")} to sign in as its owner (${scope}), or type c for a code: `;
  const answer = await progress.pausedDuring(ask(io, question));
  if (io.interrupted.aborted || answer === undefined) throw new Interrupted();
  if (answer.trim() !== "") return undefined;
  try {
    const signal = io.interrupted;
    const asked = localLogin({ api: client, clock, clientId: CLIENT_ID, scope, secret, signal });
    return await signedIn(context, await progress.during("Signing in", asked));
  } catch (error) {
    if (!needsCode(error)) throw error;
    progress.note(`The server wants a code: ${error.description}`);
    return undefined;
  }
}

/** Whether the server has restarted meanwhile, or does not offer a sign-in without a code. */
function needsCode(error: unknown): error is OAuthError {
  return error instanceof OAuthError && (error.status === 404 || error.error === "access_denied");
}
