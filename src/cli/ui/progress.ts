import type { Clock } from "../../system/clock.ts";
import { inset } from "../terminal/inset.ts";
import type { Io } from "../terminal/io.ts";

/** A spinner for waits of more than half a second, redrawn at most ten times a second, and notes above it. */
export interface Progress {
  /** Shows a spinner with the latest label during `work`, in a live terminal. */
  during<T>(label: Label, work: Promise<T>): Promise<T>;
  /** Prints a permanent line, above the spinner if there is one. */
  note(line: string): void;
  /** Shows no spinner during `work`, such as a question. */
  pausedDuring<T>(work: Promise<T>): Promise<T>;
  /** Erases the spinner until its next frame, before output to the other stream. */
  erase(): void;
}

/** A label, or a function that is called for every frame. */
type Label = string | (() => string);

const PATIENCE_MS = 500;
const FRAME_MS = 120;

/** Creates a progress view. Opens the output only when something is shown, since that takes time. */
export function createProgress(io: Pick<Io, "err">, clock: Clock): Progress {
  const labels: Label[] = [];
  let shown = false;
  let pauses = 0;
  let stop: (() => void) | undefined;

  function erase(): void {
    if (shown) io.err.redraw("");
    shown = false;
  }

  function spin(): () => void {
    const { style, symbols } = io.err;
    const startedAt = clock.monotonic();
    let frame = 0;
    return clock.every(FRAME_MS, () => {
      if (pauses > 0 || clock.monotonic() - startedAt < PATIENCE_MS) return;
      const spinner = symbols.spinner[frame++ % symbols.spinner.length] as string;
      const label = labels.at(-1);
      io.err.redraw(`  ${style.cyan(spinner)} ${typeof label === "function" ? label() : label}`);
      shown = true;
    });
  }

  return {
    erase,
    during: async (label, work) => {
      if (!io.err.live) return work;
      labels.push(label);
      stop ??= spin();
      try {
        return await work;
      } finally {
        labels.splice(labels.indexOf(label), 1);
        if (labels.length === 0) {
          stop?.();
          stop = undefined;
          erase();
        }
      }
    },
    pausedDuring: async (work) => {
      erase();
      pauses += 1;
      try {
        return await work;
      } finally {
        pauses -= 1;
      }
    },
    note: (line) => {
      erase();
      io.err.line(inset(line, io.err));
    },
  };
}
