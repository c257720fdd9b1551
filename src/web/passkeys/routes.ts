import type { Passkeys } from "../../accounts/sign-in/passkeys/passkeys.ts";
import type { SignedIn, StartedSession } from "../../accounts/sign-in/sign-in.ts";
import type { WaysOffered } from "../../accounts/sign-in/ways.ts";
import { Problem } from "../../contract/problem.ts";
import { plainName } from "../../providers/provider.ts";
import { isId } from "../../store/store.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { localPath } from "../local-path.ts";
import { type PageAnswer, type PageRequest, seeOther } from "../page.ts";
import type { ServePage, Unread } from "../serve-page.ts";
import type { Ways } from "../sign-in/pages.tsx";
import type { ReplaceSession } from "../sign-in/replace-session.ts";
import { signInAnswer } from "../sign-in/routes.ts";
import type { Visits } from "../visits.ts";

/** Adds the routes that issue challenges for authenticators, and those for signing in and up with their answers. */
export function passkeyRoutes(parts: {
  passkeys: Passkeys;
  offered: WaysOffered;
  ways: Ways;
  serve: ServePage;
  visits: Visits;
  cookie: BrowserCookie;
  replaceSession: ReplaceSession;
}): void {
  const { passkeys, offered, ways, serve, visits, cookie, replaceSession } = parts;
  if (!offered.passkeys) return;
  const held = ({ raw }: PageRequest) => cookie.read(raw) ?? "";

  const ask = visits.anyone(async (visit, request) => {
    const { form } = request;
    const visitor = visits.visitor(request);
    try {
      const options =
        form.get("kind") === "sign-in"
          ? await passkeys.ask(held(request), visitor)
          : await passkeys.askForNew(held(request), visitor, whomFor(form, visit.signedIn));
      return json(200, options);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return reasonOf(error);
    }
  });

  /** The script reads why a form could not be read, too, as after signing in or out in another tab. */
  const unread: Unread = (error) => (error instanceof Problem ? reasonOf(error) : undefined);

  const enter = visits.anyone(async (visit, request) => {
    const { form } = request;
    const next = localPath(form.get("next"));
    const visitor = visits.visitor(request);
    let started: StartedSession;
    try {
      started =
        form.get("kind") === "sign-up"
          ? await passkeys.signUp(answerIn(form), held(request), visitor)
          : await passkeys.signIn(answerIn(form), held(request), visitor);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 403)) throw error;
      return signInAnswer(error.status, { visit, ways, next, fault: error.detail });
    }
    await replaceSession(request, started);
    return seeOther(next);
  });

  serve("/passkeys/ask", { post: ask, unread });
  serve("/sign-in/passkey", { post: enter });
}

function reasonOf({ status, extras, detail }: Problem): PageAnswer {
  return json(status, { detail }, extras.headers);
}

function json(status: number, value: unknown, headers: PageAnswer["headers"] = {}): PageAnswer {
  const type = { "Content-Type": "application/json; charset=utf-8" };
  return { status, headers: { ...headers, ...type }, body: JSON.stringify(value) };
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
    const { id } = answer;
    if (typeof id === "string" && isId(id) && typeof answer.response.clientDataJSON === "string")
      return answer;
  } catch {
    // Refused below.
  }
  throw new Problem("invalid_request", "No passkey came with this form. Reload the page and try again.");
}
