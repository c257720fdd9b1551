import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { mediaTypeOf } from "../../contract/media-types.ts";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import { inTime } from "../../system/in-time.ts";
import { EVENT_STREAM, type UpstreamAnswer } from "./upstream-port.ts";

export interface HttpAnswerOptions {
  /** Converts an error of undici to the one to throw. */
  failureOf: (error: unknown) => unknown;
  /** Called when a connection takes the request. */
  onSent?: (() => void) | undefined;
  /** Longest silence within the body, unless it is endless. */
  silenceMs: number | undefined;
  /** The error for a longer one. */
  silent: () => Error;
  /** The error for an answer that trickles. */
  slow: () => Error;
  clock: Pick<Clock, "sleep" | "monotonic">;
}

/** How long people may take to answer what an upstream asks them. */
const MAX_ASKING_MS = HOUR_MS;
/** How many times the longest silence a MiB may take, of an answer that is no event stream, until it counts as trickling. */
const MAX_SILENCES = 10;
const TRICKLE_BYTES = 1024 * 1024;
/** Bytes buffered of a body that is read more slowly than it arrives. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * An HTTP answer, handled at undici's dispatch level. `undici.request` would create a Node stream for each answer,
 * which costs more than all the other work for the short answers that most are.
 */
export class HttpAnswer implements Dispatcher.DispatchHandler {
  /** Resolves with the headers. Rejects with undici's error, or with the reason it was aborted. */
  readonly begun: Promise<UpstreamAnswer>;
  readonly #options: HttpAnswerOptions;
  #silenceMs: number | undefined;
  #begin!: (answer: UpstreamAnswer) => void;
  #fail!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #over: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #startedAt = 0;
  #isEventStream = false;
  /** Bytes since the last MiB was full, and how long they were waited for. */
  #slowBytes = 0;
  #slowMs = 0;

  constructor(options: HttpAnswerOptions) {
    this.#options = options;
    this.#silenceMs = options.silenceMs;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
  }

  /** Aborts the answer, and its connection unless it has ended. */
  breakOff(reason: Error): void {
    if (this.#over) return;
    this.#end({ error: reason });
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#startedAt = this.#options.clock.monotonic();
    if (this.#over) controller.abort(this.#over.error as Error);
    else this.#options.onSent?.();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      // undici measures the silence before an answer anew after each of these.
      const waitedMs = this.#options.clock.monotonic() - this.#startedAt;
      if (this.#silenceMs !== undefined && waitedMs > this.#silenceMs) this.breakOff(this.#options.silent());
      return;
    }
    this.#isEventStream = status === 200 && mediaTypeOf(headers["content-type"]) === EVENT_STREAM;
    const waitForClient = () => {
      if (this.#silenceMs !== undefined) this.#silenceMs = Math.max(this.#silenceMs, MAX_ASKING_MS);
    };
    this.#begin({ status, headers, body: this.#body(), waitForClient });
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    this.#slowBytes += piece.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#end({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ error: this.#options.failureOf(error) });
  }

  #end(how: { error?: unknown }): void {
    if (this.#over) return;
    this.#over = how;
    if ("error" in how) this.#fail(how.error);
    this.#wake?.();
  }

  /** Resolves when there is more to read, the answer is over, or it was silent or trickled too long and is broken off. */
  async #more(): Promise<void> {
    const { clock, slow } = this.#options;
    const since = clock.monotonic();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await this.#within(this.#silenceMs, 0, woken);
    if (this.#silenceMs === undefined || this.#isEventStream) return;
    this.#slowMs += clock.monotonic() - since;
    if (this.#slowMs > MAX_SILENCES * this.#silenceMs) this.breakOff(slow());
    if (this.#slowBytes < TRICKLE_BYTES) return;
    this.#slowBytes = 0;
    this.#slowMs = 0;
  }

  /** Waits for so long altogether, and on if the client turns out to be asked meanwhile. */
  async #within(ms: number | undefined, waitedMs: number, woken: Promise<void>): Promise<void> {
    if (ms === undefined) return woken;
    const { clock, silent } = this.#options;
    const isLate = await inTime(woken, { clock, ms: ms - waitedMs, late: () => true });
    if (isLate !== true) return;
    if (this.#silenceMs !== ms) return this.#within(this.#silenceMs, ms, woken);
    this.breakOff(silent());
  }

  async *#body(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        for (let piece = this.#waiting.shift(); piece; piece = this.#waiting.shift()) {
          this.#waitingBytes -= piece.length;
          if (this.#controller?.paused && this.#waitingBytes === 0) this.#controller.resume();
          yield piece;
        }
        if (this.#over) break;
        await this.#more();
      }
      if ("error" in this.#over) throw this.#over.error;
    } finally {
      this.breakOff(new Error("The answer was not read to its end."));
    }
  }
}
