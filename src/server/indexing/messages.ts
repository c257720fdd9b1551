import type { Refusal } from "../../contract/refusal.ts";

/** The messages between the server and the index process. A request has an id, which its answers repeat. */

export interface ApplyMessage {
  type: "apply";
  id: number;
  kind: string;
  space: string;
  /** Whether to discard the projection first. */
  fresh: boolean;
  /** Whether the projection is complete with these changes. */
  whole: boolean;
  /** The changes by collection, in order: alternating ids and JSON texts, undefined for deleted documents. */
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
  /** The answer, or the rest of its text, is not needed any more. */
  | { type: "withdraw"; id: number }
  /** A piece of its text was consumed, so there is room for another. */
  | { type: "taken"; id: number };

/** The outcome of a request. */
export type Reply =
  | { type: "done"; answer?: unknown; hasText?: boolean }
  /** The projection is missing or incomplete. */
  | { type: "gone" }
  | { type: "refusal"; refusal: Refusal };

export type FromIndex =
  /** Work on a request begins; 0 means that the process is idle. */
  | { type: "turn"; id: number }
  | (Reply & { id: number })
  /** A piece of an answer's text; without `piece` its end, with the error if it failed. */
  | { type: "text"; id: number; piece?: Uint8Array; refusal?: Refusal };

/** The bound of a text's pieces in flight. */
export const MAX_PIECES = 4;

/** The first message to the process. */
export interface Opening {
  type: "opening";
  /** By kind, the URL of the module that exports its `HostedKind`. */
  modules: Record<string, string>;
  /** Bounds of all projections together and of one. */
  maxBytes: number;
  maxSpaceBytes: number;
}
