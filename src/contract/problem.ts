/**
 * The two catalogues of errors: `Problem` (RFC 9457) everywhere, `OAuthError` (RFC 6749 §5.2) under
 * `/auth`. A handler throws one; anything else that is thrown is an `internal_error`.
 */

export const PROBLEMS = {
  invalid_json: { status: 400, title: "The body is not valid JSON" },
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_token: { status: 401, title: "A valid credential is needed" },
  insufficient_scope: { status: 403, title: "The credential lacks a scope" },
  opt_in_required: { status: 403, title: "The project has not opted in" },
  forbidden: { status: 403, title: "Not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  conflict: { status: 409, title: "Conflict with what exists" },
  invalid_state: { status: 409, title: "Not possible in this state" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  idempotency_mismatch: { status: 422, title: "The idempotency key was used with another body" },
  dependency_cycle: { status: 422, title: "The dependencies form a cycle" },
  unknown_dependency: { status: 422, title: "A dependency is unknown" },
  unprocessable: { status: 422, title: "The content cannot be processed" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  internal_error: { status: 500, title: "Something failed on this server" },
  store_unavailable: { status: 503, title: "The store does not answer" },
  overloaded: { status: 503, title: "The server is busy" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Where a value is wrong: `path` in dots and indexes (`events.3.count`), empty for the whole. */
export interface Fault {
  path: string;
  message: string;
}

export interface ProblemExtras {
  /** One entry for each fault found by validation. */
  errors?: Fault[];
  /** Response headers that belong to the answer, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** Further members of the problem body (RFC 9457 §3.2), such as the cycle that was found. */
  members?: Record<string, unknown>;
  cause?: unknown;
}

/** An error of the API. `detail` says what is wrong here and how to mend it. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly error: ProblemCode,
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(detail, { cause: extras.cause });
    this.name = "Problem";
    this.status = PROBLEMS[error].status;
    this.title = PROBLEMS[error].title;
  }
}

/** RFC 6749 §5.2, RFC 8628 §3.5, RFC 7009 §2.2.1; `rate_limited` is `slow_down` on this side. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** An error of the OAuth endpoints. `status` is given where the RFC leaves it open (429, 413, …). */
export class OAuthError extends Error {
  readonly status: number;

  constructor(
    readonly error: OAuthErrorCode,
    readonly description: string,
    readonly extras: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(description);
    this.name = "OAuthError";
    this.status = extras.status ?? OAUTH_ERRORS[error];
  }
}
