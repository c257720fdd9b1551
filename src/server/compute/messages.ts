import type { Refusal } from "../../contract/refusal.ts";

/** The messages between the pool and a worker. A worker has one job at a time. */

/** A job for a worker. The frame's bytes are the body of the request. */
export interface JobMessage {
  type: "job";
  /** The endpoint's name. */
  job: string;
  /** The URL of the module that exports it. */
  module: string;
  contentType: string | undefined;
  context: unknown;
}

/** The server's reply to a question of the current job. */
export type ReplyMessage = { type: "reply"; answer: unknown } | { type: "reply"; refusal: Refusal };

export type ToWorker = JobMessage | ReplyMessage;

export type FromWorker =
  /** The worker has started and works on its job. */
  | { type: "begun" }
  | { type: "question"; question: string; payload: unknown }
  /** The output follows in parts, ended by an output of `undefined`. */
  | { type: "parts" }
  | OutputMessage
  | { type: "refusal"; refusal: Refusal };

/** The job's output or a part of it; if `isBytes`, it is the bytes of the frame. */
export type OutputMessage = Given<"output"> | Given<"part">;

interface Given<Type> {
  type: Type;
  output: unknown;
  isBytes: boolean;
}
