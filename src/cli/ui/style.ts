import { mark } from "./terminal-text.ts";

/**
 * The terminal's own 16 colours, so that people's themes hold; plain text where there are none. What they
 * give bears marks, which become escape sequences when an `Output` writes it.
 */
export interface Style {
  readonly coloured: boolean;
  /** Done. */
  green(text: string): string;
  /** Failed. */
  red(text: string): string;
  /** Needs you. */
  yellow(text: string): string;
  /** Can be copied or opened. */
  cyan(text: string): string;
  /** Can be skipped. */
  dim(text: string): string;
  /** The one thing to see. */
  bold(text: string): string;
  /** White on black, whatever the theme: it may have swapped its own two, or faded them. */
  picture(text: string): string;
}

export function createStyle(coloured: boolean): Style {
  const sgr = (on: string, off: string) => (text: string) =>
    coloured && text !== "" ? mark(on) + text + mark(off) : text;
  return {
    coloured,
    green: sgr("32", "39"),
    red: sgr("31", "39"),
    yellow: sgr("33", "39"),
    cyan: sgr("36", "39"),
    dim: sgr("2", "22"),
    bold: sgr("1", "22"),
    picture: sgr("38;5;231;48;5;16", "39;49"),
  };
}

export interface Symbols {
  /** False where only ASCII can be shown: no QR code, no block charts. */
  readonly unicode: boolean;
  readonly done: string;
  readonly failed: string;
  readonly attention: string;
  readonly pointer: string;
  readonly dot: string;
  readonly ellipsis: string;
  readonly spinner: readonly string[];
}

export function createSymbols(unicode: boolean): Symbols {
  return unicode
    ? {
        unicode,
        done: "✔",
        failed: "✖",
        attention: "!",
        pointer: "›",
        dot: "·",
        ellipsis: "…",
        spinner: [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"],
      }
    : {
        unicode,
        done: "+",
        failed: "x",
        attention: "!",
        pointer: ">",
        dot: "-",
        ellipsis: "...",
        spinner: [..."-\\|/"],
      };
}
