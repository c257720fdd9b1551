import { Writable } from "node:stream";
import type { Io } from "../../../src/cli/terminal/io.ts";
import { createOutput, type Output } from "../../../src/cli/terminal/output.ts";

export interface TestIoOptions {
  terminal?: boolean;
  /** Defaults to `terminal`. */
  live?: boolean;
  columns?: number;
  rows?: number;
  colour?: boolean;
  unicode?: boolean;
  environment?: Record<string, string>;
  stdin?: string;
}

/** Creates an `Io` that records its output, and a function that interrupts it. */
export function testIo(options: TestIoOptions = {}) {
  const written = { out: "", err: "" };
  const interruption = new AbortController();
  const output = (name: "out" | "err"): Output => {
    const stream = sink((text) => {
      written[name] += text;
    });
    return createOutput({
      stream: () => stream,
      terminal: options.terminal ?? false,
      live: options.live ?? options.terminal ?? false,
      colour: options.colour ?? false,
      unicode: options.unicode ?? true,
      columns: () => options.columns ?? (options.terminal ? 80 : Number.POSITIVE_INFINITY),
      rows: () => options.rows ?? (options.terminal ? 24 : Number.POSITIVE_INFINITY),
      outliveReader: () => {},
    });
  };
  const io: Io = {
    out: output("out"),
    err: output("err"),
    input: {
      terminal: false,
      stream: process.stdin,
      pieces: async function* () {
        yield Buffer.from(options.stdin ?? "");
      },
    },
    environment: options.environment ?? {},
    platform: "linux",
    workingDirectory: "/nowhere",
    program: ["node", "tool.js"],
    exitCodeUnread: 0,
    awaitsReader: true,
    processId: 1,
    isRunning: () => false,
    interrupted: interruption.signal,
    leaveSignals: () => () => {},
    exit: () => {
      throw new Error("A test must not end the process.");
    },
  };
  return { io, written, interrupt: (signal = "SIGINT") => interruption.abort(signal) };
}

function sink(hear: (text: string) => void): NodeJS.WriteStream {
  const write = (text: string | Buffer, _: unknown, done: () => void) => {
    hear(text.toString());
    done();
  };
  return new Writable({ decodeStrings: false, write }) as NodeJS.WriteStream;
}
