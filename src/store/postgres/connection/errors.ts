import { DatabaseError } from "pg";
import { OperationalError } from "../../../system/operational-error.ts";
import { ReadOnly, StoreUnavailable } from "../../store.ts";
import { READ_ONLY } from "../schema/schema-name.ts";

/** The role lacks a privilege. */
const NOT_ALLOWED = "42501";
/**
 * SQLSTATEs and their classes for the state of the server, as opposed to errors in the statement. Tables, their keys and
 * rights are there once the store is open: where they are not, somebody is restoring the database or has changed its
 * roles. Its transactions do not fail each other: where one is rolled back, it was for an operator's locks, or for the
 * recovery of a standby.
 */
const AWAY = new RegExp(`^(08|28|3D|3F|40|53|57|58)|^(25P0[34]|25006|55P03|42P01|42P10|${NOT_ALLOWED})`);
/** A prepared statement is there twice, or not at all: another connection to the server prepared it. */
const OF_ANOTHER_CONNECTION = /^(42P05|26000)$/;
/** Node's codes for a certificate whose authority it does not know. */
const OF_UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

/** What PostgreSQL tells beside its answers. A server that is not PostgreSQL itself may leave out the routine. */
export interface Notice {
  /** SQLSTATE. */
  code?: string | undefined;
  /** The function of the server that it comes from. */
  routine?: string | undefined;
}

/**
 * Converts the error of a statement to `ReadOnly` or `StoreUnavailable`, or returns it where the statement is at fault.
 */
export function explained(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof DatabaseError && error.code === READ_ONLY) return new ReadOnly(error.message);
  if (error instanceof DatabaseError && !isOfServer(error)) return error;
  return unavailable(error);
}

/** Whether an error is about the state of the server, or the way to it, as opposed to the statement. */
function isOfServer(error: DatabaseError): boolean {
  const { code = "" } = error;
  return AWAY.test(code) || OF_ANOTHER_CONNECTION.test(code) || isExhausted(error);
}

/**
 * Whether the server is out of transaction ids or of room for notifications. An index entry that is too long has the same
 * SQLSTATE, and is the statement's fault.
 */
function isExhausted({ code, routine }: Notice): boolean {
  return code === "54000" && /^(GetNew|PreCommit_Notify)/.test(routine ?? "");
}

/** Converts the error of a connection that could not be opened, whatever its SQLSTATE: no statement is at fault. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  // Whoever reads it looks for the network in the one case, and in the database in the other.
  const what = error instanceof DatabaseError ? "answers with an error" : "does not answer";
  return new StoreUnavailable(`the database ${what}: ${messageOf(error)}${mendingOf(error)}`, {
    cause: error,
  });
}

function mendingOf(error: unknown): string {
  const { code = "" } = (error ?? {}) as { code?: string };
  // With libpq, sslmode=require does not check the certificate: a URL that psql takes can fail here.
  if (OF_UNKNOWN_AUTHORITY.test(code))
    return ": name the authority of its certificate in the URL, with sslrootcert=/path/ca.crt";
  // The driver's error, by which nobody knows what to do.
  if (/client password must be a/.test(messageOf(error)))
    return ": it asks for a password, so name one in the URL or in TOOL_DATABASE_PASSWORD";
  if (OF_ANOTHER_CONNECTION.test(code))
    return ": a pooler in front pools transactions, so name the way past it, too, in TOOL_DATABASE_DIRECT_URL";
  return "";
}

/**
 * Whether a failed COMMIT may have taken place all the same. It has not if the server rejected it. If the connection
 * broke or the server was stopped, the outcome is unknown. PgBouncer tells of a connection of its own that broke by an
 * error of class 08.
 */
export function isAmbiguous(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P)/.test(error.code ?? "");
}

/**
 * Whether a notice during a COMMIT says that the wait for the standby was cancelled, so that the commit is on the primary
 * alone. It has the SQLSTATE of any warning, such as that transaction ids or the queue of notifications are running out.
 */
export function isUnconfirmed({ code = "", routine = "SyncRep" }: Notice): boolean {
  return code.startsWith("57") || (code.startsWith("01") && routine.startsWith("SyncRep"));
}

/** Whether a statement timed out while it waited for a lock. */
export function isLockTimeout(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof DatabaseError && cause.code === "55P03";
}

/** Whether the server had no room on its disk. */
export function isDiskFull(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof DatabaseError && cause.code === "53100";
}

/**
 * Whether the connection takes no writes, as with `default_transaction_read_only`. A connection keeps what was set when it
 * was opened, whatever is set since.
 */
export function isReadOnlyConnection(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof DatabaseError && cause.code === "25006";
}

/** Converts the error of a role that lacks a privilege to one that says for what, and how to mend it; returns others. */
export function rightsNeeded(error: unknown, work: string, mending: string): unknown {
  const { cause } = error as { cause?: unknown };
  if (!(cause instanceof DatabaseError && cause.code === NOT_ALLOWED)) return error;
  return new OperationalError(
    `the database's role may not do what ${work} needs (${messageOf(cause)}): ${mending}`,
  );
}

/** Returns the message alone: the driver's errors also carry the whole connection, keys included. */
export function messageOf(error: unknown): string {
  // Node's error for a host with no reachable address has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
