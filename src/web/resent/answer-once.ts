import { hash } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Clock } from "../../system/clock.ts";
import { TOKEN_FIELD } from "../forms.ts";

/** By then the browser shows the answer, so an equal form is meant as a second one. */
const KEPT_MS = 2000;
/** An answer that takes longer will not come: its form has failed after the browser had left. */
const MAX_WAIT_MS = 30_000;
/** Forms of more browsers at once are answered as often as they are sent. */
const MAX_KEPT = 1000;
const MAX_KEPT_CHARACTERS = 256 * 1024;

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
export function answerOnce(clock: Pick<Clock, "every">): RequestHandler {
  const last = new Map<string, { form: string; answer: Promise<Answer | undefined> }>();

  return async (request, response, next) => {
    const fields: URLSearchParams = request.body;
    const token = fields.get(TOKEN_FIELD);
    // Of no page. Strangers must not share an answer, which may set a cookie.
    if (!token) return next();
    const browser = hash("sha256", token);
    const form = hash("sha256", `${request.originalUrl}\n${fields}`);
    const before = last.get(browser);
    const answer = before?.form === form ? await before.answer : undefined;
    if (answer) {
      for (const [name, value] of answer.headers) response.setHeader(name, value);
      response.status(answer.status).end(answer.body);
      return;
    }
    if (last.size < MAX_KEPT || before) {
      const sent = { form, answer: answerTo(response) };
      const forget = () => last.get(browser) === sent && last.delete(browser);
      last.set(browser, sent);
      // A form that was refused can be sent again at once.
      void sent.answer.then((kept) => (kept && kept.status < 400 ? after(KEPT_MS, forget) : forget()));
    }
    next();
  };

  /** Resolves with the complete answer, also if its browser has left; undefined if it failed or is too long to keep. */
  function answerTo(response: Response): Promise<Answer | undefined> {
    const before = response.getHeaders();
    const end = response.end;
    return new Promise((resolve) => {
      const cancel = after(MAX_WAIT_MS, () => resolve(undefined));
      response.end = ((...ended: Parameters<Response["end"]>) => {
        cancel();
        resolve(answerOf(response, ended[0], before));
        return end.apply(response, ended);
      }) as Response["end"];
    });
  }

  /** Runs `work` once, after `ms` milliseconds, and returns a function that cancels it. */
  function after(ms: number, work: () => void): () => void {
    const cancel = clock.every(ms, () => {
      cancel();
      work();
    });
    return cancel;
  }
}

/** @param before the headers that the form's page has on every request. */
function answerOf(
  response: Response,
  body: unknown,
  before: ReturnType<Response["getHeaders"]>,
): Answer | undefined {
  const isWhole = (typeof body === "string" || Buffer.isBuffer(body)) && !response.headersSent;
  if (!isWhole || body.length > MAX_KEPT_CHARACTERS || response.statusCode >= 500) return undefined;
  const headers: Answer["headers"] = [];
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && value !== before[name]) headers.push([name, value]);
  return { status: response.statusCode, headers, body: String(body) };
}
