/**
 * What whoever runs a command or a server can mend, as its message says; a fault of the program is another `Error`.
 * Known by a mark: the command line and the server are bundled apart, each with a class of its own.
 */
export class OperationalError extends Error {
  readonly isOperational = true;
}

export function isOperational(error: unknown): error is OperationalError {
  return error instanceof Error && "isOperational" in error;
}
