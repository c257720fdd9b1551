import type { SignedIn, SignIn, Visitor } from "../accounts/sign-in/sign-in.ts";
import { once } from "../system/caching.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import { formToken } from "./forms.ts";
import { localPath } from "./local-path.ts";
import { type PageAnswer, type PageHandler, type PageRequest, seeOther } from "./page.ts";
import { isSignedIn, type SignedInVisit, type Visit } from "./visit.ts";

type Show<V extends Visit> = (visit: V, request: PageRequest) => PageAnswer | Promise<PageAnswer>;

export interface Visits {
  /** Shows a page to anyone. If the session has ended, nobody is signed in. */
  anyone(show: Show<Visit>): PageHandler;
  /** Redirects strangers to sign in, and from there to `next`, by default the page itself. */
  signedIn(show: Show<SignedInVisit>, next?: (request: PageRequest) => string): PageHandler;
  /** Returns the current visit of a long-lived request; undefined once the session has ended. */
  again(request: PageRequest): Promise<SignedInVisit | undefined>;
  /** Returns the visit of an operator who impersonates a user, or did so until now; undefined for others. */
  impersonated(request: PageRequest): Promise<SignedInVisit | undefined>;
  visitor(request: PageRequest): Visitor;
}

export function createVisits(parts: {
  signIn: Pick<SignIn, "lookUp" | "endImpersonation">;
  cookie: BrowserCookie;
}): Visits {
  const { signIn, cookie } = parts;
  /** What `impersonated` has found for the handler that follows it: a lookup is a transaction. */
  const found = new WeakMap<PageRequest, SignedIn | undefined>();

  async function visitOf(request: PageRequest): Promise<Visit> {
    let secret = cookie.ensure(request);
    let signedIn = found.has(request) ? found.get(request) : await signIn.lookUp(secret);
    if (signedIn && isOver(signedIn)) {
      const own = await signIn.endImpersonation(signedIn, visitor(request));
      cookie.write(request, own);
      secret = own.secret;
      signedIn = await signIn.lookUp(secret);
    }
    const visit = visitBy(secret, signedIn, request);
    request.visit = visit;
    return visit;
  }

  function visitBy(secret: string, signedIn: SignedIn, request: PageRequest): SignedInVisit;
  function visitBy(secret: string, signedIn: SignedIn | undefined, request: PageRequest): Visit;
  function visitBy(secret: string, signedIn: SignedIn | undefined, request: PageRequest): Visit {
    // Most visits show no form.
    const token = once(() => formToken(secret));
    return {
      get formToken() {
        return token();
      },
      ...(signedIn && { signedIn, by: managerOf(signedIn, request) }),
    };
  }

  function visitor({ raw, address, requestId }: PageRequest): Visitor {
    return { address, userAgent: raw.headers["user-agent"] ?? "", requestId };
  }

  function managerOf(
    { account, user, scopes, session }: SignedIn,
    request: PageRequest,
  ): SignedInVisit["by"] {
    const { address, requestId } = visitor(request);
    const credential = { kind: "session" as const, id: session.id, scopes };
    return { accountId: account.id, userId: user.id, credential, address, requestId };
  }

  return {
    anyone: (show) => async (request) => show(await visitOf(request), request),
    signedIn:
      (show, next = ({ url }) => url) =>
      async (request) => {
        const visit = await visitOf(request);
        return isSignedIn(visit) ? show(visit, request) : seeOther(signInPath(localPath(next(request))));
      },
    async again(request) {
      const secret = cookie.read(request.raw) ?? "";
      const signedIn = await signIn.lookUp(secret);
      if (!signedIn || isOver(signedIn)) return undefined;
      return visitBy(secret, signedIn, request);
    },
    async impersonated(request) {
      const secret = cookie.read(request.raw) ?? "";
      const signedIn = await signIn.lookUp(secret);
      found.set(request, signedIn);
      return signedIn?.session.impersonates ? visitBy(secret, signedIn, request) : undefined;
    },
    visitor,
  };
}

/** Whether an impersonation has ended: its time is over, or the impersonated user may not sign in any more. */
function isOver({ session, operator }: SignedIn): boolean {
  return session.impersonates !== undefined && operator === undefined;
}

/** Returns the path at which to sign in and go on to `next`. */
export function signInPath(next: string): string {
  return next === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}
