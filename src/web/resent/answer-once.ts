import { hash } from "node:crypto";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { TOKEN_FIELD } from "../forms.ts";
import type { PageRequest, Served } from "../page.ts";

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
  answer: Promise<Served | undefined>;
  /** In monotonic milliseconds. */
  keptUntil: number;
}

/** Answers a form, or gives it the answer of an equal one that was sent just before. */
export type AnswerOnce = (request: PageRequest, answer: () => Promise<Served>) => Promise<Served>;

/**
 * Returns a function that gives the second of two equal forms, such as those of a double click, the answer of the first,
 * which the browser discards. Otherwise its work would be done twice, or people would be told that it is done already.
 * A browser's next form forgets the one before, so that something can be done, undone and done again quickly. Other
 * instances do not know of the first form; where they matter, the console's script sends a form once. The form's
 * token tells browsers apart, also while the first answer replaces the cookie.
 */
export function answerOnce(clock: Pick<Clock, "monotonic" | "every" | "sleep">): AnswerOnce {
  const last = new Map<string, Sent>();
  let stopForgetting: (() => void) | undefined;

  return async (request, answer) => {
    const token = request.form.get(TOKEN_FIELD);
    // Of no page. Strangers must not share an answer, which may set a cookie.
    if (!token) return answer();
    const browser = hash("sha256", token);
    const form = hash("sha256", `${request.url}\n${request.form}`);
    const before = last.get(browser);
    const isAgain = before?.form === form && clock.monotonic() < before.keptUntil;
    const known = isAgain ? await awaited(before.answer) : undefined;
    if (known) return known;
    const answered = answer();
    if (last.size < MAX_KEPT || before) remember(browser, form, answered);
    return answered;
  };

  function remember(browser: string, form: string, answered: Promise<Served>): void {
    const answer = answered.then(
      (known) => (isKept(known) ? known : undefined),
      () => undefined,
    );
    const sent: Sent = { form, answer, keptUntil: clock.monotonic() + MAX_WAIT_MS };
    last.set(browser, sent);
    stopForgetting ??= clock.every(KEPT_MS, forget);
    void answer.then((known) => {
      // A form that was refused can be sent again at once.
      sent.keptUntil = known !== undefined && known.status < 400 ? clock.monotonic() + KEPT_MS : 0;
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

/** Whether an answer is whole, and of use a second time. */
function isKept({ status, body = "" }: Served): boolean {
  return typeof body === "string" && body.length <= MAX_KEPT_CHARACTERS && status < 500;
}
