import type { SignIn, StartedSession } from "../../accounts/sign-in/sign-in.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import type { PageRequest } from "../page.ts";

/** Gives the browser a session and ends its previous one, if any. */
export type ReplaceSession = (request: PageRequest, started: StartedSession) => Promise<void>;

export function createReplaceSession({
  signIn,
  cookie,
}: {
  signIn: Pick<SignIn, "end">;
  cookie: BrowserCookie;
}): ReplaceSession {
  return async (request, started) => {
    const before = cookie.read(request.raw);
    if (before) await signIn.end(before);
    cookie.write(request, started);
  };
}
