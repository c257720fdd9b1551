import type { Clock } from "../../system/clock.ts";

/** Measures the time since a start, without pauses. */
export class Stopwatch {
  readonly #clock: Pick<Clock, "monotonic">;
  #elapsedMs = 0;
  #since: number | undefined;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  start(): void {
    this.#since ??= this.#clock.monotonic();
  }

  pause(isPaused: boolean): void {
    this.#elapsedMs = this.elapsedMs();
    this.#since = isPaused ? undefined : this.#clock.monotonic();
  }

  elapsedMs(): number {
    return this.#elapsedMs + (this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since);
  }
}
