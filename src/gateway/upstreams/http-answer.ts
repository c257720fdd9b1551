import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { UpstreamAnswer } from "./upstream-port.ts";

/** Bytes buffered of a body that is read more slowly than it arrives. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * An HTTP answer, handled at undici's dispatch level. `undici.request` would create a Node stream for each answer,
 * which costs more than all the other work for the short answers that most are.
 */
export class HttpAnswer implements Dispatcher.DispatchHandler {
  /** Resolves with the headers. Rejects with undici's error, or with the reason it was aborted. */
  readonly begun: Promise<UpstreamAnswer>;
  readonly #failureOf: (error: unknown) => unknown;
  readonly #onSent: (() => void) | undefined;
  #begin!: (answer: UpstreamAnswer) => void;
  #fail!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #over: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /**
   * @param failureOf converts an error of undici to the one to throw.
   * @param onSent called when a connection takes the request.
   */
  constructor(failureOf: (error: unknown) => unknown, onSent?: () => void) {
    this.#failureOf = failureOf;
    this.#onSent = onSent;
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
    if (this.#over) controller.abort(this.#over.error as Error);
    else this.#onSent?.();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.#begin({ status, headers, body: this.#body() });
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#end({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ error: this.#failureOf(error) });
  }

  #end(how: { error?: unknown }): void {
    if (this.#over) return;
    this.#over = how;
    if ("error" in how) this.#fail(how.error);
    this.#wake?.();
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
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if ("error" in this.#over) throw this.#over.error;
    } finally {
      this.breakOff(new Error("The answer was not read to its end."));
    }
  }
}
