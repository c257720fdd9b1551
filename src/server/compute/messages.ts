import type { Refusal } from "../../contract/refusal.ts";

/** What the pool and a worker tell each other; a worker has one job at a time. */

/** With the body as the bytes of its frame. */
export interface JobMessage {
  type: "job";
  /** The endpoint's name. */
  job: string;
  /** The URL of the module that exports it. */
  module: string;
  contentType: string | undefined;
  context: unknown;
}

/** What the server says to a question of the job under way. */
export type ReplyMessage = { type: "reply"; answer: unknown } | { type: "reply"; refusal: Refusal };

export type ToWorker = JobMessage | ReplyMessage;

export type FromWorker =
  /** It has started, and works on what it was given. */
  | { type: "begun" }
  | { type: "question"; question: string; payload: unknown }
  /** What the job gives comes in parts, with an output of nothing behind them. */
  | { type: "parts" }
  | OutputMessage
  | { type: "refusal"; refusal: Refusal };

/** What the job gave, or part of it, which may be the bytes of the frame. */
export type OutputMessage = Given<"output"> | Given<"part">;

interface Given<Type> {
  type: Type;
  output: unknown;
  isBytes: boolean;
}
