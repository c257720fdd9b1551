/** One HTTP exchange. `http-transport.ts` is the real implementation; tests may pass another. */
export interface Transport {
  /**
   * Resolves with any status. Rejects with `Unreachable`, with `UnexpectedAnswer` if the answer is longer than
   * allowed, with what `onPiece` throws, or with the signal's reason.
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Closes idle connections. They do not keep the process alive. */
  close(): void;
}

export interface TransportRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** How long the first byte of the answer may take, in milliseconds. */
  timeoutMs: number;
  /** An abort with a `TimeoutError` counts as the server's failure to answer. */
  signal?: AbortSignal;
  /** Longest body of a successful answer, 64 MiB by default. The body of an error may have at most 1 MiB. */
  maxBytes?: number;
  /**
   * Receives the body of a 200 while it arrives, instead of having it collected. For answers of indefinite length. Nothing
   * more is read until the promise that it returns, if any, is fulfilled.
   */
  onPiece?: (piece: Uint8Array) => Promise<void> | void;
}

export interface TransportAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Longest time to establish a connection, TLS included, and between two pieces of an answer, in milliseconds. */
export interface TransportLimits {
  connectMs: number;
  idleMs: number;
}

/** The limits of an exchange, and the URL of the proxy through which it goes. */
export interface TransportPath extends TransportLimits {
  proxy?: string;
}

/** Bounds errors, tokens and keys, which have a few hundred bytes. */
export const MAX_SMALL_ANSWER_BYTES = 1 << 20;
