import { isValidElement } from "react";
import { Problem } from "../contract/problem.ts";
import { problemPage } from "./error-page.tsx";
import type { FormReader } from "./forms.ts";
import type { OnlyThemselves } from "./impersonation/only-themselves.ts";
import { htmlOf } from "./layout.tsx";
import {
  onlyMethods,
  type PageAnswer,
  type PageHandler,
  type PageRequest,
  type PageRoute,
  type Serve,
  type Served,
  withCookie,
} from "./page.ts";
import type { AnswerOnce } from "./resent/answer-once.ts";

/** Handles the errors of a form that could not be read. Returns undefined for those that it leaves to others. */
export type Unread = (error: unknown, request: PageRequest) => ReturnType<PageHandler> | undefined;

/**
 * Serves a page at a path: adds the headers of all pages, reads forms, shows problems and refuses other methods.
 *
 * @param impersonated the method that an operator may use while impersonating a user; none by default.
 */
export type ServePage = (
  path: string,
  methods: {
    get?: PageHandler;
    post?: PageHandler;
    /** Answers a form of another site. Returns undefined for forms of these pages; by default all others are refused. */
    foreign?: (request: PageRequest) => Promise<PageAnswer | undefined>;
    /** Whether a form that is sent twice has one effect by itself, on whichever instance. */
    isIdempotent?: boolean;
    unread?: Unread;
  },
  impersonated?: "GET" | "POST",
) => void;

/**
 * @param pages where the pages are added.
 * @param once answers a form that is sent twice once.
 * @param onlyThemselves refuses an operator who impersonates a user.
 */
export function createServePage(
  pages: PageRoute[],
  {
    headers,
    form,
    once,
    onlyThemselves,
    serviceName,
  }: {
    headers: () => PageAnswer["headers"];
    form: FormReader;
    once: AnswerOnce;
    onlyThemselves: OnlyThemselves;
    serviceName: string;
  },
): ServePage {
  /** Runs a handler, shows its problem and renders its page. */
  async function shown(request: PageRequest, handle: PageHandler): Promise<Served> {
    try {
      return rendered(request, await handle(request));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return rendered(request, problemPage(error, request.visit));
    }
  }

  function rendered(request: PageRequest, answer: PageAnswer): Served {
    const { status, headers, body, headersFirst } = withCookie(request, answer);
    if (!isValidElement(body)) return { status, headers, body, headersFirst };
    const type = { "Content-Type": "text/html; charset=utf-8" };
    return { status, headers: { ...headers, ...type }, body: htmlOf(body, serviceName) };
  }

  function serve(handle: PageHandler): Serve {
    return async (request) => {
      const answer = await shown(request, () => {
        checkAddress(request);
        return handle(request);
      });
      return { ...answer, headers: { ...headers(), ...answer.headers } };
    };
  }

  return (path, { get, post, foreign, isIdempotent, unread }, impersonated) => {
    const guarded =
      (handle: PageHandler, method: typeof impersonated): PageHandler =>
      async (request) =>
        (method !== impersonated && (await onlyThemselves(request))) || handle(request);

    /** Answers a form that could not be read, or rethrows why. */
    async function unreadable(error: unknown, request: PageRequest): Promise<PageAnswer> {
      const answer = await unread?.(error, request);
      if (answer === undefined) throw error;
      return answer;
    }

    const taking = (handle: PageHandler): PageHandler => {
      const act = guarded(handle, "POST");
      const take: PageHandler = (request) => {
        try {
          form.check(request);
        } catch (error) {
          return unreadable(error, request);
        }
        return act(request);
      };
      return async (request) => {
        try {
          request.form = await form.read(request);
          const answer = await foreign?.(request);
          if (answer) return answer;
        } catch (error) {
          return unreadable(error, request);
        }
        // Before the check: the answer to the first one may have replaced the cookie.
        return isIdempotent ? take(request) : once(request, () => shown(request, take));
      };
    };

    pages.push({
      path,
      ...(get && { get: serve(guarded(get, "GET")) }),
      ...(post && { post: serve(taking(post)) }),
      otherwise: serve(onlyMethods([...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : [])].join(", "))),
    });
  };
}

/** Refuses addresses with NUL, since pages look up what the address names, and PostgreSQL cannot be asked for NUL. */
function checkAddress({ url }: PageRequest): void {
  if (url.includes("%00")) {
    throw new Problem(
      "invalid_request",
      "The address of this page holds a NUL character (%00). Take it out.",
    );
  }
}
