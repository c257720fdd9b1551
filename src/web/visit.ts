import type { Request, RequestHandler, Response } from "express";
import type { SignedIn, SignIn, Visitor } from "../accounts/sign-in/sign-in.ts";
import type { Manager } from "../accounts/users/managers.ts";
import type { Caller } from "../contract/caller.ts";
import type { Clock } from "../system/clock.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import { formToken } from "./forms.ts";
import { localPath } from "./local-path.ts";

/** A browser that looks at a page. */
export interface Visit {
  /** Absent where nobody is signed in. */
  signedIn?: SignedIn;
  /** Who does what a form of the page asks for; absent where nobody is signed in. */
  by?: Manager & Pick<Caller, "credential">;
  /** What each form of the page must send back. */
  formToken: string;
}

export interface SignedInVisit extends Visit {
  signedIn: SignedIn;
  by: NonNullable<Visit["by"]>;
}

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return visit.signedIn !== undefined && visit.by !== undefined;
}

/** Whether an operator sees what somebody else sees. */
export function isImpersonated(visit: Visit): visit is SignedInVisit {
  return visit.signedIn?.operator !== undefined;
}

type Show<V extends Visit> = (visit: V, request: Request, response: Response) => Promise<void> | void;

export interface Visits {
  /** Shows a page to whoever looks; an ended session is a visit of nobody. */
  anyone(show: Show<Visit>): RequestHandler;
  /** Sends strangers to sign in and from there to `next`, which is the page itself unless said. */
  signedIn(show: Show<SignedInVisit>, next?: (request: Request) => string): RequestHandler;
  /** Who looks now, of a request that goes on; undefined once they are signed out. */
  again(request: Request): Promise<SignedInVisit | undefined>;
  /** The visit of an operator who is signed in as somebody else, or was until now; undefined for everybody else. */
  impersonated(request: Request): Promise<SignedInVisit | undefined>;
  visitor(request: Request): Visitor;
}

export function createVisits(parts: {
  signIn: Pick<SignIn, "lookUp" | "endImpersonation">;
  cookie: BrowserCookie;
  addressOf: (request: Request) => string;
  clock: Pick<Clock, "now">;
}): Visits {
  const { signIn, cookie, addressOf, clock } = parts;

  async function visitOf(request: Request, response: Response): Promise<Visit> {
    let secret = cookie.ensure(request, response);
    let signedIn = await signIn.lookUp(secret);
    if (signedIn && isOver(signedIn)) {
      const own = await signIn.endImpersonation(signedIn, visitor(request));
      cookie.write(response, own.secret, Math.floor((own.expiresAt - clock.now()) / 1000));
      secret = own.secret;
      signedIn = await signIn.lookUp(secret);
    }
    const visit = { formToken: formToken(secret), ...(signedIn && known(signedIn, request)) };
    response.locals.visit = visit;
    return visit;
  }

  function known(signedIn: SignedIn, request: Request): Pick<SignedInVisit, "signedIn" | "by"> {
    return { signedIn, by: managerOf(signedIn, request) };
  }

  function visitor(request: Request): Visitor {
    return {
      address: addressOf(request),
      userAgent: request.get("User-Agent") ?? "",
      requestId: request.exchange?.requestId ?? "",
    };
  }

  function managerOf({ account, user, scopes, session }: SignedIn, request: Request): SignedInVisit["by"] {
    const { address, requestId } = visitor(request);
    const credential = { kind: "session" as const, id: session.id, scopes };
    return { accountId: account.id, userId: user.id, credential, address, requestId };
  }

  return {
    anyone: (show) => async (request, response) => show(await visitOf(request, response), request, response),
    signedIn:
      (show, next = (request) => request.originalUrl) =>
      async (request, response) => {
        const visit = await visitOf(request, response);
        if (isSignedIn(visit)) return show(visit, request, response);
        response.redirect(303, signInPath(localPath(next(request))));
      },
    async again(request) {
      const secret = cookie.read(request) ?? "";
      const signedIn = await signIn.lookUp(secret);
      if (!signedIn || isOver(signedIn)) return undefined;
      return { formToken: formToken(secret), ...known(signedIn, request) };
    },
    async impersonated(request) {
      const secret = cookie.read(request) ?? "";
      const signedIn = await signIn.lookUp(secret);
      if (!signedIn?.session.impersonates) return undefined;
      return { formToken: formToken(secret), ...known(signedIn, request) };
    },
    visitor,
  };
}

/** Whether an operator was somebody else until now: their hour is over, or who they looked as may not come in any more. */
function isOver({ session, operator }: SignedIn): boolean {
  return session.impersonates !== undefined && operator === undefined;
}

/** Where to sign in and go on to `next`. */
export function signInPath(next: string): string {
  return next === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}
