/** Errors between the CLI and a server, apart from the server's own `Problem` and `OAuthError`. */

/**
 * Whether a request without an answer may have reached the server: it cannot have (`never`), or it may have
 * (`unknown`).
 */
export type Delivery = "never" | "unknown";

/** No answer came: connection refused, name unresolved, timeout, connection lost, or a gateway without its upstream. */
export class Unreachable extends Error {
  readonly delivery: Delivery;
  /** Whether an established connection was lost, so that an immediate retry is worthwhile. */
  readonly torn: boolean;
  /** The status that a gateway answered with in the server's place. */
  readonly status: number | undefined;
  /** What to do about it, in one sentence, if neither the network nor the address is at fault. */
  readonly next: string | undefined;
  /** Whether the request was to change something, and may have done so although no answer came. */
  perhapsDone = false;

  constructor(
    readonly baseUrl: string,
    /** A phrase that follows "cannot be reached: ". */
    readonly reason: string,
    extras: {
      delivery: Delivery;
      torn?: boolean;
      status?: number;
      next?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(`${baseUrl} cannot be reached: ${reason}`, { cause: extras.cause });
    this.name = "Unreachable";
    this.delivery = extras.delivery;
    this.torn = extras.torn ?? false;
    this.status = extras.status;
    this.next = extras.next;
  }
}

/** There is no credential that this server accepts. */
export class SignedOut extends Error {
  constructor(
    readonly baseUrl: string,
    /**
     * `none`: never signed in here. `refused`: no longer accepted, and deleted. `environment`: TOOL_TOKEN is not
     * accepted. `locked`: the secret store that holds the credential does not answer.
     */
    readonly reason: "none" | "refused" | "environment" | "locked",
    message: string,
    readonly requestId?: string,
  ) {
    super(message);
    this.name = "SignedOut";
  }
}

/** An answer that no Toolplane server gives: a proxy's page, a redirect, a body that is not JSON. */
export class UnexpectedAnswer extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId?: string,
  ) {
    super(message);
    this.name = "UnexpectedAnswer";
  }
}

/** A base URL that is invalid, or that would send secrets unencrypted. */
export class BadBaseUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadBaseUrl";
  }
}

/** An entitlement document that this server did not sign, or that is for someone else. */
export class UntrustedEntitlements extends Error {
  constructor(
    readonly baseUrl: string,
    /** The issuer that the document names. */
    readonly issuer?: string,
    readonly requestId?: string,
  ) {
    super(
      issuer === undefined || issuer === baseUrl
        ? `The entitlements from ${baseUrl} are not signed by it for this sign-in and project.`
        : `The entitlements from ${baseUrl} are signed by ${issuer}.`,
    );
    this.name = "UntrustedEntitlements";
  }
}
