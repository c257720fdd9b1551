import type { Clock } from "../../system/clock.ts";
import type { Io } from "../terminal/io.ts";

/** What people see while they wait for more than half a second; never more than ten times a second. */
export interface Progress {
  /** Shows `label` with a spinner while `work` lasts, in a live terminal; of several, the latest. */
  during<T>(label: Label, work: Promise<T>): Promise<T>;
  /** A line that stays, above the spinner if there is one. */
  note(line: string): void;
  /** Shows no spinner while `work` lasts, such as a question. */
  pausedDuring<T>(work: Promise<T>): Promise<T>;
  /** Takes the spinner away until its next turn, for what is written to the other stream. */
  erase(): void;
}

/** A function's is asked for with every turn of the spinner. */
type Label = string | (() => string);

const PATIENCE_MS = 500;
const FRAME_MS = 120;

/** Looks at the output when something is first shown: to open it takes time. */
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
      io.err.line(io.err.terminal ? `  ${line}` : line);
    },
  };
}
