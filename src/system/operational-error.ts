import { constants } from "node:os";

/**
 * An error that the person running the command or server can fix, as its message says. Other errors are faults of the
 * program. Recognised by a property, because the command line and the server are bundled separately, each with its
 * own class.
 */
export class OperationalError extends Error {
  readonly isOperational = true;
}

export function isOperational(error: unknown): error is OperationalError {
  return error instanceof Error && "isOperational" in error;
}

/** Returns the code of an error of the operating system, such as `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  // Node has no name for this one, and calls it "Unknown system error -122".
  const isQuota = "errno" in error && error.errno === -constants.errno.EDQUOT;
  return isQuota ? "EDQUOT" : String(error.code);
}
