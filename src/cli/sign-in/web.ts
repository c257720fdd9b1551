import { webLogin } from "../../client/sign-in/web-login.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { inset } from "../terminal/inset.ts";
import { CLIENT_ID, signedIn } from "./signed-in.ts";

/** Signs in through a browser on this computer, which redirects to a local port, so there is no code to compare. */
export async function loginInBrowser(
  context: Context,
  { scope, browser }: { scope: string; browser: boolean },
): Promise<Outcome> {
  const { client, clock, random, io, progress } = context;
  const credential = await progress.during(
    "Waiting for your browser",
    webLogin({
      api: client,
      clock,
      random,
      clientId: CLIENT_ID,
      scope,
      signal: io.interrupted,
      onUrl(url) {
        progress.note(inset(`Sign in to ${client.baseUrl} in a browser on this computer:`, io.err));
        // Not wrapped, so that it can be copied.
        progress.note(url);
        if (browser) void context.openBrowser(url);
      },
    }),
  );
  return signedIn(context, credential);
}
