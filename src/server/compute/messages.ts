import type { ProblemCode, ProblemExtras } from "../../contract/problem.ts";

/** What the pool and a thread tell each other; a thread has one job at a time. */

export interface JobMessage {
  type: "job";
  /** The endpoint's name. */
  job: string;
  body: Uint8Array;
  contentType: string | undefined;
  context: unknown;
}

/** What the main thread says to a question of the job under way. */
export type ReplyMessage = { type: "reply"; answer: unknown } | { type: "reply"; refusal: Refusal };

export type ToThread = JobMessage | ReplyMessage;

export type FromThread =
  /** The thread has started, and works on what it was given. */
  | { type: "begun" }
  | { type: "question"; question: string; payload: unknown }
  | { type: "output"; output: unknown }
  | { type: "refusal"; refusal: Refusal };

/** An error on its way between threads: a `Problem`, or one that only the log may know. */
export type Refusal =
  | { problem: { error: ProblemCode; detail: string; extras: Omit<ProblemExtras, "cause"> } }
  | { failure: string };

/** What a thread is started with. */
export interface ThreadData {
  /** One integer, 1 once nobody waits for the job under way any more. */
  aborted: SharedArrayBuffer;
}
