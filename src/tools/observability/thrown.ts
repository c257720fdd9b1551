import type { Frame, ReportedError } from "./reported-error.ts";

/** Converts an error that was thrown in this server. */
export function toldByThrown(
  error: unknown,
  more: Pick<ReportedError, "at" | "route" | "traceId">,
): ReportedError {
  const { name, message, stack } =
    error instanceof Error ? error : { name: "Error", message: String(error), stack: undefined };
  return { source: "server", type: name, message, stack, frames: framesOf(stack), ...more };
}

/** A call in a stack of V8: https://v8.dev/docs/stack-trace-api */
const CALL = /^ +at (?:(?:async )?(.+?) \()?(.+?)(?::\d+)?(?::\d+)?\)?$/;

function framesOf(stack = ""): Frame[] {
  return stack.split("\n").flatMap((line) => {
    const match = CALL.exec(line);
    if (!match) return [];
    const [, name, file = ""] = match;
    return [{ function: name, file, inApp: !/^node:|[\\/]node_modules[\\/]/.test(file) }];
  });
}
