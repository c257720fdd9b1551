import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Fault } from "../contract/problem.ts";
import { isObject } from "../system/is-object.ts";
import type { Task } from "./tasks.ts";

/** The result of a call, as plain data that can pass between the bundles of this program. */
export type Outcome =
  | {
      /** The JSON text of the answer, possibly empty. */
      text: string;
      /** Whether the tool's output schema describes an object that holds the answer as its `result`. */
      isResult?: boolean;
    }
  | { failure: Failure }
  /** The call continues as a task. Only for clients that accept one (`Call.mayDefer`). */
  | { task: Task };

export interface Failure {
  /** The machine identifier, such as `not_found`. */
  error: string;
  title?: string;
  /** What went wrong. */
  message: string;
  /** The fix to suggest. */
  next?: string;
  faults?: readonly Fault[];
  requestId?: string;
}

/** Longest answer in bytes. An agent cannot use a longer one, and is asked to narrow its call. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** Returns the answer both as text and as the object that the tool's output schema describes. */
export function resultOf(outcome: Outcome): CallToolResult {
  if ("failure" in outcome) return errorResult(outcome.failure);
  if ("task" in outcome) return { ...outcome.task, resultType: "task", content: [] };
  const { text, isResult = false } = outcome;
  if (text === "") return { content: [{ type: "text", text: "Done." }] };
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return errorResult(tooLong);
  const answer = JSON.parse(text);
  return {
    content: [{ type: "text", text }],
    structuredContent: isObject(answer) && !isResult ? answer : { result: answer },
  };
}

/** Returns an error of the call, not of the protocol, so that the agent reads it and can correct the call. */
export function errorResult({
  error,
  title,
  message,
  next,
  faults = [],
  requestId,
}: Failure): CallToolResult {
  const lines = [
    title ? `${title} (${error}): ${message}` : `${message} (${error})`,
    ...faults.map(({ path, message }) => `- ${path ? `${path} ` : ""}${message}`),
    ...(next ? [next] : []),
    ...(requestId ? [`Request ${requestId}`] : []),
  ];
  return { isError: true, content: [{ type: "text", text: lines.join("\n") }] };
}

export const tooLong: Failure = {
  error: "answer_too_long",
  message: `The answer is longer than ${MAX_ANSWER_BYTES / 1024} KiB.`,
  next: "Ask for less with the arguments that narrow it, or read all of it over HTTP (`tool api`).",
};
