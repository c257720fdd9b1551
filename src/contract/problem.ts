/**
 * The two catalogues of errors: `Problem` (RFC 9457) everywhere, `OAuthError` (RFC 6749 §5.2) under
 * `/auth`. A handler throws one; anything else that is thrown is an `internal_error`.
 */

export const PROBLEMS = {
  invalid_json: {
    status: 400,
    title: "The body is not valid JSON",
    remedy: "Send well-formed JSON in UTF-8; `detail` says where reading stopped.",
  },
  invalid_request: {
    status: 400,
    title: "The request is not valid",
    remedy: "`errors` lists each fault with its path. Unknown members are faults too.",
  },
  invalid_token: {
    status: 401,
    title: "A valid credential is needed",
    remedy: "Sign in again (`tool login`), or make a new API key.",
  },
  insufficient_scope: {
    status: 403,
    title: "The credential lacks a scope",
    remedy: "`scope` names what is missing; sign in with it (`tool login --scope …`) or use another key.",
  },
  opt_in_required: {
    status: 403,
    title: "The project has not opted in",
    remedy: "An admin of the account turns `learningOptIn` on for the project.",
  },
  forbidden: {
    status: 403,
    title: "Not allowed",
    remedy: "`detail` says what the credential may not do.",
  },
  outside_binding: {
    status: 403,
    title: "The key is bound to something else",
    remedy:
      "`detail` says what this key does not work for. Use another one, or have an admin of the account bind it otherwise.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    remedy: "There is nothing under this address, or nothing that this account may see.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    remedy: "`Allow` lists the methods of this path.",
  },
  request_timeout: {
    status: 408,
    title: "The request took too long to arrive",
    remedy: "Send the request without long pauses.",
  },
  conflict: {
    status: 409,
    title: "Conflict with what exists",
    remedy: "Something exists already that this request would contradict; `detail` names it.",
  },
  project_archived: {
    status: 409,
    title: "The project is archived",
    remedy:
      "Restore the project to write to it again, or name another in `X-Project-Id`. One that is being deleted is not restored: `detail` says so.",
  },
  invalid_state: {
    status: 409,
    title: "Not possible in this state",
    remedy: "The resource has moved on; read it again.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    remedy: "`detail` says how long the body may be; send it in parts.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    remedy: "`detail` says which media types this route takes.",
  },
  idempotency_mismatch: {
    status: 422,
    title: "The idempotency key was used with another body",
    remedy: "Use a new `Idempotency-Key` for a new request; repeat the old one byte for byte.",
  },
  dependency_cycle: {
    status: 422,
    title: "The dependencies form a cycle",
    remedy: "The problem names the cycle; remove one of its dependencies.",
  },
  unknown_dependency: {
    status: 422,
    title: "A dependency is unknown",
    remedy: "The problem names both ids; add the missing one or remove the reference.",
  },
  unprocessable: {
    status: 422,
    title: "The content cannot be processed",
    remedy: "The request is well formed, and its content cannot be worked with; `detail` says why.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    remedy:
      "`window` says which limit blocked, `Retry-After` when to try again, and `upgradeUrl`, where the operator names one, where to get a larger plan.",
  },
  headers_too_large: {
    status: 431,
    title: "The headers are too large",
    remedy: "Send fewer or shorter headers, 16 KiB altogether.",
  },
  internal_error: {
    status: 500,
    title: "Something failed on this server",
    remedy: "Nothing that the client can fix. Quote the request id; the operator finds it in the log.",
  },
  quota_exceeded: {
    status: 507,
    title: "A bound on what is stored is reached",
    remedy:
      "`bound` names it, `limit` says what it is; delete something (`DELETE /api/v1/projects/{projectId}/data` takes all that a tool keeps in a project), or get a larger plan, at `upgradeUrl` if it is there.",
  },
  store_unavailable: {
    status: 503,
    title: "The store does not answer",
    remedy: "The store is away for the moment; try again after `Retry-After`.",
  },
  overloaded: {
    status: 503,
    title: "The server is busy",
    remedy: "All workers are busy; try again after `Retry-After`.",
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One invalid value: `path` in dots and indexes (`events.3.count`), empty for the whole input. */
export interface Fault {
  path: string;
  message: string;
}

export interface ProblemExtras {
  /** One entry for each fault found by validation. */
  errors?: Fault[] | undefined;
  /** Response headers to send with the problem, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string> | undefined;
  /** Further members of the problem body (RFC 9457 §3.2), such as the cycle that was found. */
  members?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** An error of the API. `detail` says what is wrong here and how to fix it. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly error: ProblemCode,
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(detail, { cause: extras.cause });
    const known = PROBLEMS[error];
    // Types say so, and tools may be written without them.
    if (!known)
      throw new TypeError(`"${error}" is no code of a Problem: ${Object.keys(PROBLEMS).join(", ")}.`);
    if (typeof detail !== "string")
      throw new TypeError(`A Problem says in a text what is wrong: new Problem("${error}", "…", { … }).`);
    this.name = "Problem";
    this.status = known.status;
    this.title = known.title;
  }
}

/**
 * Status of each error code of RFC 6749 §5.2, RFC 8628 §3.5, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8707 §2 and RFC
 * 9449 §5. The OAuth counterpart of `rate_limited` is `slow_down`.
 */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_dpop_proof: 400,
  unsupported_response_type: 400,
  login_required: 400,
  consent_required: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
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

/** An error of the OAuth endpoints. `status` is given where the RFC does not fix it (429, 413, …). */
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

  /** The members of an answer, with the characters that its description may have (RFC 6749 §5.2). */
  get members(): { error: OAuthErrorCode; error_description: string } {
    const description = this.description.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/gu, "?");
    return { error: this.error, error_description: description };
  }
}
