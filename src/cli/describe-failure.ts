import { requestIdOf } from "../client/answer.ts";
import {
  BadBaseUrl,
  SignedOut,
  UnexpectedAnswer,
  Unreachable,
  UntrustedEntitlements,
} from "../client/errors.ts";
import { type Fault, OAuthError, Problem } from "../contract/problem.ts";
import { errorCode, isOperational } from "../system/operational-error.ts";
import { EXIT, type ExitCode, UsageError } from "./exit-codes.ts";
import { UntrustedServer } from "./trust/trust.ts";
import { wait } from "./ui/format.ts";

/** A failure as it is shown: the message, what to do next, the request id; never a stack trace. */
export interface Failure {
  exitCode: ExitCode;
  /** The machine-readable code, such as `rate_limited` or `unreachable`, which `--json` prints as `error`. */
  error: string;
  /** One sentence with its full stop. */
  message: string;
  /** What to do next, in one sentence. */
  next?: string;
  requestId?: string;
  /** The faults of a validation problem. */
  faults?: Fault[];
}

/** Converts an error to a failure. All exit codes and messages for errors come from here. */
export function describeFailure(error: unknown): Failure {
  const { message, ...rest } = classify(error);
  return { ...rest, message: sentence(message), requestId: requestIdOf(error) };
}

function classify(error: unknown): Failure {
  if (error instanceof Problem) return ofProblem(error);
  if (error instanceof OAuthError) return ofOAuthError(error);
  if (error instanceof SignedOut) {
    return {
      exitCode: EXIT.signedOut,
      error: "signed_out",
      message: error.message,
      next: WAYS_IN[error.reason],
    };
  }
  if (error instanceof UntrustedServer) {
    return {
      exitCode: EXIT.signedOut,
      error: "untrusted_server",
      message: error.message,
      next: `If you trust it, run \`tool config trust ${error.projectServer.server}\`.`,
    };
  }
  if (error instanceof Unreachable) {
    const next = error.perhapsDone
      ? "It may have been done all the same: look before you do it again."
      : (error.next ?? "Check the network and the base URL, or start a server here with `tool serve`.");
    return { exitCode: EXIT.unreachable, error: "unreachable", message: error.message, next };
  }
  if (error instanceof UsageError) {
    return { exitCode: EXIT.usage, error: "usage", message: error.message, next: error.next };
  }
  if (error instanceof BadBaseUrl) {
    const next = "Give another with --base-url, TOOL_BASE_URL or `tool config set baseUrl`.";
    return { exitCode: EXIT.usage, error: "bad_base_url", message: error.message, next };
  }
  if (error instanceof UnexpectedAnswer) {
    const next = "Run `tool doctor` to see what answers there.";
    return { exitCode: EXIT.failed, error: "unexpected_answer", message: error.message, next };
  }
  if (error instanceof UntrustedEntitlements) {
    const next = "Set the base URL to the one that the server was started with (--base-url).";
    return { exitCode: EXIT.failed, error: "untrusted_entitlements", message: error.message, next };
  }
  if (error instanceof Error && error.name === "AbortError") {
    return { exitCode: EXIT.interrupted, error: "interrupted", message: "Interrupted" };
  }
  return ofProgram(error);
}

const WAYS_IN: Record<SignedOut["reason"], string> = {
  none: "Run `tool login`.",
  refused: "Run `tool login`.",
  environment: "Set TOOL_TOKEN to one that it issued, or unset it and run `tool login`.",
  locked: "Unlock it and try again, set TOOL_TOKEN, or run `tool login` again.",
};

/** The exit codes of the statuses that say: not now. */
const LATER: Readonly<Record<number, ExitCode>> = { 429: EXIT.rateLimited, 503: EXIT.unreachable };

function ofProblem({ error, status, detail, title, extras }: Problem): Failure {
  const failure: Failure = { exitCode: EXIT.failed, error, message: detail || title, faults: extras.errors };
  const later = LATER[status];
  if (later) return { ...failure, exitCode: later, next: retryLater(extras.headers) };
  switch (error) {
    case "invalid_token":
      return { ...failure, exitCode: EXIT.signedOut, next: "Run `tool login`." };
    case "insufficient_scope":
      return { ...failure, next: "Sign in with more: `tool login --scope`." };
    case "invalid_request":
      return { ...failure, exitCode: EXIT.usage };
    case "internal_error":
      return { ...failure, next: "The server's log has more under the request id." };
    default:
      return failure;
  }
}

function ofOAuthError({ error, status, description, extras }: OAuthError): Failure {
  const failure: Failure = { exitCode: EXIT.failed, error, message: description };
  const later = LATER[status];
  if (later) return { ...failure, exitCode: later, next: retryLater(extras.headers) };
  switch (error) {
    case "invalid_grant":
    case "invalid_token":
      return { ...failure, exitCode: EXIT.signedOut, next: "Run `tool login`." };
    case "expired_token":
      return {
        ...failure,
        message: "The code expired before it was approved",
        next: "Run `tool login` for a new one.",
      };
    case "access_denied":
      return { ...failure, message: "The request was denied", next: "Run `tool login` to ask again." };
    default:
      return failure;
  }
}

function retryLater(headers: Record<string, string> = {}): string {
  const seconds = Number(headers["retry-after"]);
  if (!Number.isFinite(seconds)) return "Try again later.";
  return `Try again in ${wait(1000 * Math.max(1, seconds))}.`;
}

/** Describes errors of the operating system and bugs of this program. */
function ofProgram(error: unknown): Failure {
  const code = errorCode(error);
  const path = error instanceof Error && "path" in error ? String(error.path) : "A file";
  const message = code && SYSTEM_FAULTS[code];
  if (message) {
    const next = code === "EACCES" || code === "EPERM" ? whose() : undefined;
    return { exitCode: EXIT.failed, error: "system", message: `${path} ${message}`, next };
  }
  if (isOperational(error)) return { exitCode: EXIT.failed, error: "system", message: error.message };
  const next = "Run it again with --verbose to see where.";
  return {
    exitCode: EXIT.failed,
    error: "internal",
    message: error instanceof Error ? error.message : String(error),
    next,
  };
}

/** Says who asks, since a container and a service have users whose numbers nobody knows by heart. */
function whose(): string {
  const you = process.getuid?.();
  const whom =
    "See whom it belongs to: what `sudo tool` wrote, and a directory that Docker made, are root's.";
  return you === undefined ? whom : `You are user ${you}. ${whom}`;
}

const SYSTEM_FAULTS: Record<string, string> = {
  EACCES: "may not be read or written by you",
  EPERM: "may not be changed by you",
  ENOENT: "does not exist",
  EEXIST: "exists already",
  EISDIR: "is a directory",
  ENOTDIR: "is below something that is not a directory",
  EMFILE: "cannot be opened: this process may not open more files, see `ulimit -n`",
  EFBIG: "cannot be written: the file may not get that long",
  ENOSPC: "cannot be written: the disk is full",
  EDQUOT: "cannot be written: your share of the disk is used up",
  EROFS: "lies on a disk that cannot be written",
};

/** Returns the text with a full stop if it has none, since another sentence may follow. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
