import type { Request, Response } from "express";
import type { SignIn, StartedSession } from "../../accounts/sign-in/sign-in.ts";
import type { BrowserCookie } from "../browser-cookie.ts";

/** Gives the browser a session and ends its previous one, if any. */
export type ReplaceSession = (request: Request, started: StartedSession, response: Response) => Promise<void>;

export function createReplaceSession({
  signIn,
  cookie,
}: {
  signIn: Pick<SignIn, "end">;
  cookie: BrowserCookie;
}): ReplaceSession {
  return async (request, started, response) => {
    const before = cookie.read(request);
    if (before) await signIn.end(before);
    cookie.write(response, started);
  };
}
