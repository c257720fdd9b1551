import type { Refusal } from "../../contract/refusal.ts";

/** What the server and the index process tell each other. Requests have numbers, answers bear them. */

export interface ApplyMessage {
  type: "apply";
  id: number;
  kind: string;
  space: string;
  /** Everything before is void. */
  fresh: boolean;
  /** With this, it holds all that there is. */
  whole: boolean;
  /** By collection, in order; ids and JSON texts in turn, undefined for what was deleted. */
  changes: [collection: string, written: (string | undefined)[]][];
}

export interface AskMessage {
  type: "ask";
  id: number;
  kind: string;
  space: string;
  name: string;
  asked: unknown;
}

export type ToIndex = Opening | Asked;

export type Asked =
  | ApplyMessage
  | AskMessage
  /** Nobody waits for this answer any more, nor for the rest of its text. */
  | { type: "withdraw"; id: number }
  /** A piece of its text was used up: there is room for another. */
  | { type: "taken"; id: number };

/** How a request ended. */
export type Reply =
  | { type: "done"; answer?: unknown; hasText?: boolean }
  /** The projection is not there, or not whole. */
  | { type: "gone" }
  | { type: "refusal"; refusal: Refusal };

export type FromIndex =
  /** It begins to work on a request; 0: it has nothing to do. */
  | { type: "turn"; id: number }
  | (Reply & { id: number })
  /** A piece of an answer's text, or why there is no more of it. */
  | { type: "text"; id: number; piece?: Uint8Array; refusal?: Refusal };

/** Pieces of a text that may be on their way. */
export const MAX_PIECES = 4;

/** What the process is told first. */
export interface Opening {
  type: "opening";
  /** The URL of the module of each kind, which exports its `HostedKind`. */
  modules: Record<string, string>;
  /** Of all projections, and of one. */
  maxBytes: number;
  maxSpaceBytes: number;
}
