/** What can go wrong between the CLI and a server, beside the server's own `Problem` and `OAuthError`. */

/** How far a request got before its answer failed to come: the server cannot have acted on it, or may have. */
export type Delivery = "never" | "unknown";

/** No answer came: refused, unresolved, timed out, torn, or a gateway that found nobody behind it. */
export class Unreachable extends Error {
  readonly delivery: Delivery;
  /** A connection that stood was lost: worth another try at once. */
  readonly torn: boolean;
  /** A gateway's status in the server's place. */
  readonly status: number | undefined;

  constructor(
    readonly baseUrl: string,
    /** In words that follow "cannot be reached: ". */
    readonly reason: string,
    extras: { delivery: Delivery; torn?: boolean; status?: number; cause?: unknown },
  ) {
    super(`${baseUrl} cannot be reached: ${reason}`, { cause: extras.cause });
    this.name = "Unreachable";
    this.delivery = extras.delivery;
    this.torn = extras.torn ?? false;
    this.status = extras.status;
  }
}

/** There is no credential for this server that it accepts. */
export class SignedOut extends Error {
  constructor(
    readonly baseUrl: string,
    /**
     * `none`: never signed in here. `refused`: accepted no longer, and forgotten. `environment`: TOOL_TOKEN
     * is not accepted. `locked`: the secret store that holds it does not answer.
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

/** A base URL that is none, or one that would send secrets in the clear. */
export class BadBaseUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BadBaseUrl";
  }
}

/** An entitlement document whose signature is not this server's, or that is for someone else. */
export class UntrustedEntitlements extends Error {
  constructor(
    readonly baseUrl: string,
    /** Whom the document names as its maker. */
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
