/** A sign-in provider, as the operator configures it. */
export interface ProviderSettings {
  /** The name in URLs: `google`, `github`. */
  name: string;
  /** The issuer of an OpenID provider; absent for GitHub. */
  issuer?: string;
  /** The URL of GitHub or of a GitHub Enterprise Server; absent for OpenID providers. */
  github?: string;
  clientId: string;
  clientSecret: string;
}

/** The parameters of one sign-in at a provider. Nonce and code verifier are derived from the browser's cookie. */
export interface Attempt {
  /** The URL that the provider sends the browser back to. */
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A person's identity at a provider. */
export interface Claims {
  issuer: string;
  /** Unique at the issuer and never reassigned (OpenID Connect Core §2). */
  subject: string;
  /** Present only if the provider has verified the address. */
  verifiedEmail?: string;
  name?: string;
  /** A name for the identity that the person recognises. */
  label: string;
}

export interface Provider {
  name: string;
  title: string;
  /** Returns the URL to send the browser to. Rejects with `ProviderFault`. */
  begin(attempt: Attempt): Promise<URL>;
  /** Returns the identity of a person who came back. `callback`: the opened URL. Rejects with `ProviderFault`. */
  finish(callback: URL, attempt: Attempt): Promise<Claims>;
}

/** The provider is unavailable, or its response is invalid. The message is for people. */
export class ProviderFault extends Error {
  /** Whether the person declined, or the provider refused to sign them in. */
  readonly denied: boolean;

  constructor(message: string, options: { denied?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "ProviderFault";
    this.denied = options.denied ?? false;
  }
}

const MAX_NAME_LENGTH = 100;

/**
 * Returns a name for display: on one line, and without "@", so that it cannot be taken for an address. Undefined if it
 * shows nothing, since lists of accounts and people show it as a link.
 */
export function plainName(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const plain = text
    .replace(/[\p{C}@]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const name = [...plain].slice(0, MAX_NAME_LENGTH).join("");
  return /[^\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(name) ? name : undefined;
}
