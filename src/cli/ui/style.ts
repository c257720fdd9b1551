import { mark } from "./terminal-text.ts";

/**
 * The terminal's own 16 colours, so that the user's theme applies; plain text without colour. The returned text
 * contains marks, which an `Output` replaces by escape sequences when it writes.
 */
export interface Style {
  readonly coloured: boolean;
  /** For success. */
  green(text: string): string;
  /** For failure. */
  red(text: string): string;
  /** For what needs the user's attention. */
  yellow(text: string): string;
  /** For text to copy or open. */
  cyan(text: string): string;
  /** For text that can be skipped. */
  dim(text: string): string;
  /** For the most important text. */
  bold(text: string): string;
  /** White on black for pictures, independent of the theme, whose own white and black may be swapped or faded. */
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
  /** False if only ASCII can be shown, so no QR codes and block charts. */
  readonly unicode: boolean;
  readonly done: string;
  readonly failed: string;
  readonly attention: string;
  readonly pointer: string;
  readonly dot: string;
  readonly ellipsis: string;
  readonly spinner: readonly string[];
}

/** The symbols that a line about an outcome begins with, in the colours that they have in every command. */
export interface Marks {
  readonly done: string;
  readonly attention: string;
  readonly failed: string;
}

/** Coloured when they are read, since most commands read none or one. */
export function createMarks({ green, yellow, red }: Style, symbols: Symbols): Marks {
  return {
    get done() {
      return green(symbols.done);
    },
    get attention() {
      return yellow(symbols.attention);
    },
    get failed() {
      return red(symbols.failed);
    },
  };
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
