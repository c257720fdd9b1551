import { hash } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { TOKEN_FIELD } from "../forms.ts";

/** By then the browser shows the answer, so an equal form is meant as a second one. */
const KEPT_MS = 2000;
/** An answer that takes longer will not come: its form has failed after the browser had left. */
const MAX_WAIT_MS = 30_000;
/** Forms of more browsers at once are answered as often as they are sent. */
const MAX_KEPT = 1000;
const MAX_KEPT_CHARACTERS = 256 * 1024;

interface Sent {
  /** The hash of its address and fields. */
  form: string;
  answer: Promise<Answer | undefined>;
  /** In monotonic milliseconds. */
  keptUntil: number;
}

interface Answer {
  status: number;
  headers: [string, number | string | string[]][];
  body: string;
}

/**
 * Returns a handler that gives the second of two equal forms, such as those of a double click, the answer of the first,
 * which the browser discards. Otherwise its work would be done twice, or people would be told that it is done already.
 * A browser's next form forgets the one before, so that something can be done, undone and done again quickly. Other
 * instances do not know of the first form; where they matter, the console's script sends a form once. The form's
 * token tells browsers apart, also while the first answer replaces the cookie.
 */
export function answerOnce(clock: Pick<Clock, "monotonic" | "every" | "sleep">): RequestHandler {
  const last = new Map<string, Sent>();
  let stopForgetting: (() => void) | undefined;

  return async (request, response, next) => {
    const fields: URLSearchParams = request.body;
    const token = fields.get(TOKEN_FIELD);
    // Of no page. Strangers must not share an answer, which may set a cookie.
    if (!token) return next();
    const browser = hash("sha256", token);
    const form = hash("sha256", `${request.originalUrl}\n${fields}`);
    const before = last.get(browser);
    const isAgain = before?.form === form && clock.monotonic() < before.keptUntil;
    const answer = isAgain ? await awaited(before.answer) : undefined;
    if (answer) {
      for (const [name, value] of answer.headers) response.setHeader(name, value);
      response.status(answer.status).end(answer.body);
      return;
    }
    if (last.size < MAX_KEPT || before) remember(browser, form, response);
    next();
  };

  function remember(browser: string, form: string, response: Response): void {
    const sent: Sent = { form, answer: answerTo(response), keptUntil: clock.monotonic() + MAX_WAIT_MS };
    last.set(browser, sent);
    stopForgetting ??= clock.every(KEPT_MS, forget);
    void sent.answer.then((answer) => {
      // A form that was refused can be sent again at once.
      const isKept = answer !== undefined && answer.status < 400;
      sent.keptUntil = isKept ? clock.monotonic() + KEPT_MS : 0;
    });
  }

  function forget(): void {
    for (const [browser, { keptUntil }] of last) if (keptUntil <= clock.monotonic()) last.delete(browser);
    if (last.size > 0) return;
    stopForgetting?.();
    stopForgetting = undefined;
  }

  function awaited(answer: Sent["answer"]): Sent["answer"] {
    const none = () => undefined;
    return inTime(answer, { clock, ms: MAX_WAIT_MS, late: none }).catch(none);
  }
}

/** Resolves with the complete answer, also if its browser has left; with undefined if it is of no use a second time. */
function answerTo(response: Response): Promise<Answer | undefined> {
  const before = response.getHeaders();
  const end = response.end;
  return new Promise((resolve) => {
    response.end = ((...ended: Parameters<Response["end"]>) => {
      resolve(answerOf(response, ended[0], before));
      return end.apply(response, ended);
    }) as Response["end"];
  });
}

/** @param before the headers that the form's page has on every request. */
function answerOf(
  response: Response,
  body: unknown = "",
  before: ReturnType<Response["getHeaders"]>,
): Answer | undefined {
  const isWhole = (typeof body === "string" || Buffer.isBuffer(body)) && !response.headersSent;
  if (!isWhole || body.length > MAX_KEPT_CHARACTERS || response.statusCode >= 500) return undefined;
  const headers: Answer["headers"] = [];
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && value !== before[name]) headers.push([name, value]);
  return { status: response.statusCode, headers, body: String(body) };
}
