import type { Io, Output } from "../../../src/cli/io.ts";
import { createStyle, createSymbols } from "../../../src/cli/ui/style.ts";

export interface TestIoOptions {
  terminal?: boolean;
  columns?: number;
  rows?: number;
  colour?: boolean;
  unicode?: boolean;
  environment?: Record<string, string>;
  stdin?: string;
}

/** An `Io` that keeps what is written, with what interrupts it. */
export function testIo(options: TestIoOptions = {}) {
  const written = { out: "", err: "" };
  const interruption = new AbortController();
  const output = (name: "out" | "err"): Output => ({
    write: (text) => {
      written[name] += text;
    },
    line: (text = "") => {
      written[name] += `${text}\n`;
    },
    terminal: options.terminal ?? false,
    live: options.terminal ?? false,
    columns: options.columns ?? (options.terminal ? 80 : Number.POSITIVE_INFINITY),
    rows: options.rows ?? (options.terminal ? 24 : Number.POSITIVE_INFINITY),
    style: createStyle(options.colour ?? false),
    symbols: createSymbols(options.unicode ?? true),
    backlog: 0,
    outliveReader: () => {},
    stream: process.stdout,
  });
  const io: Io = {
    out: output("out"),
    err: output("err"),
    input: { terminal: false, stream: process.stdin, text: async () => options.stdin ?? "" },
    environment: options.environment ?? {},
    platform: "linux",
    workingDirectory: "/nowhere",
    program: ["node", "tool.js"],
    processId: 1,
    isRunning: () => false,
    interrupted: interruption.signal,
    exit: () => {
      throw new Error("A test must not end the process.");
    },
  };
  return { io, written, interrupt: (signal = "SIGINT") => interruption.abort(signal) };
}
