import type { Writable } from "node:stream";
import {
  createMarks,
  createStyle,
  createSymbols,
  type Marks,
  type Style,
  type Symbols,
} from "../ui/style.ts";
import { escapeJson, jsonText, withEscapes } from "../ui/terminal-text.ts";

/**
 * One of the process's two output streams. It is the only place that sanitizes untrusted text for a terminal, so
 * commands pass on what they received unchanged.
 */
export interface Output {
  /** Writes text for people. Replaces control characters except line ends, tabs and the escapes of `style`. */
  write(text: string): void;
  /** Writes `text` and a line feed. */
  line(text?: string): void;
  /** Replaces the line that the cursor is on, in a live terminal. */
  redraw(text: string): void;
  /** Writes one JSON document and a line feed. Control characters are escaped. */
  json(value: unknown, indent?: number): void;
  /** A stream with the same escaping for code that writes JSON itself, one line or message at a time. */
  readonly jsonStream: Writable;
  /** Writes text unchanged to a pipe or file, but as `write` does to a terminal. */
  verbatim(text: string): void;
  /** Writes the output of a command that the user runs, unchanged even to a terminal. */
  relay(text: string): void;
  readonly terminal: boolean;
  /** Whether it can be redrawn: a terminal, but not a pipe, a CI log or a dumb terminal. */
  readonly live: boolean;
  /** The width in columns; infinite without a terminal. */
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly symbols: Symbols;
  readonly marks: Marks;
  /** The number of written bytes that are not read yet. */
  readonly backlog: number;
  /** Undefined while the reader keeps up; otherwise resolves once it has read everything, or reads no more. */
  whenRead(): Promise<void> | undefined;
  /** Keeps running when the reader closes the pipe, as a server must; by default the program ends. */
  outliveReader(): void;
  /** The stream itself, for Ink (`ui/ink.tsx`). */
  readonly stream: NodeJS.WriteStream;
}

/** The stream behind an `Output`, and the capabilities of its terminal. */
export interface OutputOptions {
  /** Opens the stream on first use. */
  stream(): NodeJS.WriteStream;
  /** Writes to the stream by default. */
  write?(text: string): void;
  terminal: boolean;
  live: boolean;
  colour: boolean;
  unicode: boolean;
  columns(): number;
  rows(): number;
  outliveReader(): void;
}

const CLEAR_LINE = "\r\u001b[2K";

export function createOutput({
  stream,
  terminal,
  live,
  colour,
  unicode,
  write: send = (text) => void stream().write(text),
  ...appearance
}: OutputOptions): Output {
  const style = createStyle(colour);
  const symbols = createSymbols(unicode);
  // The write's own end, since "drain" never comes after an error.
  const whenRead = () =>
    stream().writableNeedDrain
      ? new Promise<void>((resolve) => stream().write("", () => resolve()))
      : undefined;
  return {
    write: (text) => send(withEscapes(text)),
    line: (text = "") => send(`${withEscapes(text)}\n`),
    redraw: (text) => send(CLEAR_LINE + withEscapes(text)),
    json: (value, indent) => send(`${jsonText(value, indent)}\n`),
    get jsonStream() {
      // Loaded here, since loading takes two milliseconds.
      const { Writable } = process.getBuiltinModule("node:stream");
      return new Writable({
        decodeStrings: false,
        write: (text: string | Buffer, _, done) => {
          stream().write(escapeJson(text.toString()));
          const read = whenRead();
          if (read) void read.then(() => done());
          else done();
        },
      });
    },
    verbatim: (text) => send(terminal ? withEscapes(text) : text),
    relay: send,
    terminal,
    live,
    get columns() {
      return appearance.columns();
    },
    get rows() {
      return appearance.rows();
    },
    style,
    symbols,
    marks: createMarks(style, symbols),
    get backlog() {
      return stream().writableLength;
    },
    whenRead,
    outliveReader: appearance.outliveReader,
    get stream() {
      return stream();
    },
  };
}
