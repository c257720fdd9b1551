import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Fault } from "../contract/problem.ts";
import type { Task } from "./tasks.ts";

/** What a call came to. Plain data: it passes between bundles of this program. */
export type Outcome =
  | {
      /** The JSON text of the answer; empty where there is none. */
      text: string;
    }
  | { failure: Failure }
  /** It goes on: only for who said that they take one (`Call.mayDefer`). */
  | { task: Task };

export interface Failure {
  /** The machine identifier, such as `not_found`. */
  error: string;
  title?: string;
  /** What is wrong here. */
  message: string;
  /** What to do about it. */
  next?: string;
  faults?: readonly Fault[];
  requestId?: string;
}

/** More than this no agent can read: it is told to ask for less. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** The answer both as text and as the object that the tool's output schema describes. */
export function resultOf(outcome: Outcome): CallToolResult {
  if ("failure" in outcome) return errorResult(outcome.failure);
  if ("task" in outcome) return { ...outcome.task, resultType: "task", content: [] };
  const { text } = outcome;
  if (text === "") return { content: [{ type: "text", text: "Done." }] };
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return errorResult(tooLong);
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
}

/** A fault of the call, not of the protocol: the agent reads it and can mend it. */
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
