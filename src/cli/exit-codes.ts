export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A negative answer that was asked for. */
  negative: 3,
  signedOut: 4,
  rateLimited: 5,
  unreachable: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Wrong usage that is found after parsing, in a setting, a file or a combination of options. */
export class UsageError extends Error {
  constructor(
    message: string,
    /** What to do instead, in one sentence. */
    readonly next?: string,
  ) {
    super(message);
    this.name = "UsageError";
  }
}
