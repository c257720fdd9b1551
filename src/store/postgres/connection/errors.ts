import { DatabaseError } from "pg";
import { ReadOnly, StoreUnavailable } from "../../store.ts";
import { READ_ONLY } from "../schema/schema-name.ts";

/** Classes of SQLSTATE that speak of the server's state, not of what was asked. */
const AWAY = /^(08|28|3D|53|57|58)|^25P03|^25006|^55P03/;

/** What a failed statement means to whoever asked: `StoreUnavailable`, or a fault of ours as it is. */
export function explained(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof DatabaseError && error.code === READ_ONLY) return new ReadOnly(error.message);
  if (error instanceof DatabaseError && !AWAY.test(error.code ?? "")) return error;
  return new StoreUnavailable(`the database does not answer: ${messageOf(error)}`, { cause: error });
}

/**
 * Whether a COMMIT that failed so may have taken place all the same: where the server says no it did
 * not, but where the connection broke or the server was stopped nobody knows.
 */
export function isAmbiguous(error: unknown): boolean {
  return !(error instanceof DatabaseError) || (error.code ?? "").startsWith("57P");
}

/** Somebody else had what a statement waited for, for longer than it was to wait. */
export function isLockTimeout(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof DatabaseError && cause.code === "55P03";
}

/** The role lacks a right. */
export function isNotAllowed(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "42501";
}

/** For people; what the driver's errors carry beside it is the whole connection, keys included. */
export function messageOf(error: unknown): string {
  // Node's, where no address answered, has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
