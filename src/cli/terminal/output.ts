import type { Writable } from "node:stream";
import { createStyle, createSymbols, type Style, type Symbols } from "../ui/style.ts";
import { escapeJson, jsonText, rendered } from "../ui/terminal-text.ts";

/**
 * One of the process's two output streams, as the commands see it, and the one place that keeps what
 * others wrote from being obeyed by a terminal: commands hand in what they got, as it came.
 */
export interface Output {
  /** Text for people: no control characters but line ends, tabs and our own style get through. */
  write(text: string): void;
  /** Writes `text` and a line feed. */
  line(text?: string): void;
  /** Replaces the line that the cursor is on, in a live terminal. */
  redraw(text: string): void;
  /** One JSON document and a line feed; what a terminal would obey is escaped in it. */
  json(value: unknown, indent?: number): void;
  /** The same for who writes JSON by itself, a line or a message at a time. */
  readonly jsonStream: Writable;
  /** What is piped on or kept in a file: to the letter, but for a terminal as `write` has it. */
  verbatim(text: string): void;
  /** What a command of the user's own says to this terminal while it runs: as it comes. */
  relay(text: string): void;
  readonly terminal: boolean;
  /** May be redrawn: a terminal that people look at, not a pipe, a CI log or a dumb one. */
  readonly live: boolean;
  /** Columns to fill; infinite where no terminal limits them. */
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly symbols: Symbols;
  /** Bytes that were written and that nobody has read yet. */
  readonly backlog: number;
  /** Goes on when nobody reads any more, as a server must; otherwise the program ends. */
  outliveReader(): void;
  /** For Ink, which draws by itself: `ui/ink.tsx`. */
  readonly stream: NodeJS.WriteStream;
}

/** What lies behind an `Output`, and how it is looked at. */
export interface OutputOptions {
  /** Made when it is first needed. */
  stream(): NodeJS.WriteStream;
  /** By the stream unless said. */
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
  return {
    write: (text) => send(rendered(text)),
    line: (text = "") => send(`${rendered(text)}\n`),
    redraw: (text) => send(CLEAR_LINE + rendered(text)),
    json: (value, indent) => send(`${jsonText(value, indent)}\n`),
    get jsonStream() {
      // Loaded here, since it takes a short command two milliseconds.
      const { Writable } = process.getBuiltinModule("node:stream");
      return new Writable({
        decodeStrings: false,
        write: (text: string | Buffer, _, done) => {
          if (stream().write(escapeJson(text.toString()))) done();
          else stream().once("drain", done);
        },
      });
    },
    verbatim: (text) => send(terminal ? rendered(text) : text),
    relay: send,
    terminal,
    live,
    get columns() {
      return appearance.columns();
    },
    get rows() {
      return appearance.rows();
    },
    style: createStyle(colour),
    symbols: createSymbols(unicode),
    get backlog() {
      return stream().writableLength;
    },
    outliveReader: appearance.outliveReader,
    get stream() {
      return stream();
    },
  };
}
