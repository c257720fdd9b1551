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
