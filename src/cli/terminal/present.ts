import type { Fault } from "../../contract/problem.ts";
import type { Outcome } from "../command.ts";
import { describeFailure, type Failure } from "../describe-failure.ts";
import { EXIT } from "../exit-codes.ts";
import { asUsageError, isCommanders } from "./commander-errors.ts";
import { inset } from "./inset.ts";
import { interruptedExit } from "./interruption.ts";
import type { Io, Output } from "./io.ts";
import { prioritizing, SEVERITIES } from "./journald.ts";

/** Prints the outcome of a command on stdout, and returns the exit code. */
export function presentOutcome(io: Io, outcome: Outcome, options: { json: boolean }): number {
  const { exitCode = EXIT.done } = outcome;
  io.exitCodeUnread = exitCode;
  if (options.json) io.out.json(outcome.document, 2);
  else if (outcome.raw !== undefined) io.out.verbatim(outcome.raw);
  else for (const line of outcome.lines ?? []) io.out.line(inset(line, io.out));
  return exitCode;
}

/** An error with a complete description, from another process of this program or with its own next step. */
export class Reported extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = "Reported";
  }
}

/**
 * Prints an error and what to do next, and returns the exit code. With `--json`, prints one document on
 * stdout instead.
 */
export function presentFailure(io: Io, error: unknown, options: { json: boolean; verbose: boolean }): number {
  if (io.interrupted.aborted) {
    const signal = String(io.interrupted.reason);
    const exitCode = interruptedExit(signal);
    if (options.json) {
      io.out.json({ error: "interrupted", message: `Interrupted by ${signal}.`, exitCode }, 2);
    } else if (io.err.terminal) io.err.line(inset(io.err.style.dim("Interrupted."), io.err));
    return exitCode;
  }
  const failure =
    error instanceof Reported
      ? error.failure
      : describeFailure(isCommanders(error) ? asUsageError(error) : error);
  io.exitCodeUnread = failure.exitCode;
  const prioritized = prioritizing(io);
  const print = (text: string) => io.err.line(prioritized(text, SEVERITIES.error));
  if (options.json) {
    const { error, message, next, requestId, faults, exitCode } = failure;
    io.out.json({ error, message, next, requestId, errors: faults, exitCode }, 2);
  } else for (const line of failureLines(failure, io.err)) print(inset(line, io.err));
  if (options.verbose && error instanceof Error && error.stack) print(io.err.style.dim(error.stack));
  return failure.exitCode;
}

function failureLines(failure: Failure, { style, marks, symbols }: Output): string[] {
  const { message, next, requestId, faults = [] } = failure;
  return [
    `${marks.failed} ${bounded(message, symbols.ellipsis)}`,
    ...(isToldOf(faults, message) ? [] : faults.slice(0, MAX_FAULTS)).map(
      ({ path, message }) => `  ${path ? `${path}: ${message}` : message}`,
    ),
    ...(faults.length > MAX_FAULTS ? [`  and ${faults.length - MAX_FAULTS} more`] : []),
    ...(next ? [`  ${commandsIn(next, style)}`] : []),
    ...(requestId ? [style.dim(`  Request ${requestId}`)] : []),
  ];
}

/** Whether the message contains the only fault already, as the API's messages do. */
function isToldOf([first, ...more]: readonly Fault[], message: string): boolean {
  return first !== undefined && more.length === 0 && message.includes(first.message);
}

/** More of them are mostly the same mistake again, and would push the message off the screen. */
const MAX_FAULTS = 10;

/** The longest message. Some quote an argument of any length. */
const MAX_CHARACTERS = 1000;

function bounded(message: string, ellipsis: string): string {
  return message.length > MAX_CHARACTERS ? message.slice(0, MAX_CHARACTERS) + ellipsis : message;
}

/** Colours the commands between backticks, which the user may copy. */
export function commandsIn(text: string, style: Output["style"]): string {
  return style.coloured ? text.replace(/`([^`]+)`/g, (_, code: string) => style.cyan(code)) : text;
}
