import type { Request, Response } from "express";
import type { Passkeys } from "../../accounts/sign-in/passkeys.ts";
import type { SignedIn, StartedSession } from "../../accounts/sign-in/sign-in.ts";
import type { WaysOffered } from "../../accounts/sign-in/ways.ts";
import { Problem } from "../../contract/problem.ts";
import { plainName } from "../../providers/provider.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { localPath } from "../local-path.ts";
import type { ServePage } from "../serve-page.ts";
import type { ReplaceSession } from "../sign-in/replace-session.ts";
import type { Visits } from "../visit.ts";

/** Adds the routes that issue challenges for authenticators, and those for signing in and up with their answers. */
export function passkeyRoutes(parts: {
  passkeys: Passkeys;
  offered: WaysOffered;
  serve: ServePage;
  visits: Visits;
  cookie: BrowserCookie;
  replaceSession: ReplaceSession;
}): void {
  const { passkeys, offered, serve, visits, cookie, replaceSession } = parts;
  if (!offered.passkeys) return;
  const held = (request: Request) => cookie.read(request) ?? "";

  const ask = visits.anyone(async (visit, request, response) => {
    const form: URLSearchParams = request.body;
    const visitor = visits.visitor(request);
    try {
      const options =
        form.get("kind") === "sign-in"
          ? await passkeys.ask(held(request), visitor)
          : await passkeys.askForNew(held(request), visitor, whomFor(form, visit.signedIn));
      response.status(200).json(options);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      response
        .status(error.status)
        .set(error.extras.headers ?? {})
        .json({ detail: error.detail });
    }
  });

  const enter = visits.anyone(async (_visit, request, response) => {
    const form: URLSearchParams = request.body;
    const visitor = visits.visitor(request);
    const started =
      form.get("kind") === "sign-up"
        ? await passkeys.signUp(answerIn(form), held(request), visitor)
        : await passkeys.signIn(answerIn(form), held(request), visitor);
    await goOn(request, response, started);
  });

  serve("/passkeys/ask", { post: ask });
  serve("/sign-in/passkey", { post: enter });

  async function goOn(request: Request, response: Response, started: StartedSession): Promise<void> {
    await replaceSession(request, started, response);
    response.redirect(303, localPath((request.body as URLSearchParams).get("next")));
  }
}

/** Returns whom a new passkey is for. Throws `forbidden` or `invalid_request`. */
function whomFor(form: URLSearchParams, signedIn: SignedIn | undefined): SignedIn | { name: string } {
  if (form.get("kind") === "add") {
    if (signedIn) return signedIn;
    throw new Problem("forbidden", "You are not signed in any more. Sign in, and add the passkey then.");
  }
  return { name: nameIn(form) };
}

/** Returns a name on one line, without "@". Throws `invalid_request`. */
export function nameIn(form: URLSearchParams): string {
  const name = plainName(form.get("name"));
  if (name !== undefined) return name;
  throw new Problem("invalid_request", "Type a name first.");
}

/**
 * Parses the authenticator's answer. Checks only the members used here; the library validates the rest. Throws
 * `invalid_request`.
 */
// biome-ignore lint/suspicious/noExplicitAny: one of two types of the library, depending on the challenge
export function answerIn(form: URLSearchParams): any {
  try {
    const answer = JSON.parse(form.get("answer") ?? "");
    if (typeof answer.id === "string" && typeof answer.response.clientDataJSON === "string") return answer;
  } catch {
    // Refused below.
  }
  throw new Problem("invalid_request", "No passkey came with this form. Reload the page and try again.");
}
