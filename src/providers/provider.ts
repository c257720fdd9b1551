/** A provider that people sign in with, as the operator names it. */
export interface ProviderSettings {
  /** In addresses: `google`, `github`. */
  name: string;
  /** Of an OpenID provider … */
  issuer?: string;
  /** … or where GitHub is. */
  github?: string;
  clientId: string;
  clientSecret: string;
}

/** What the browser takes to the provider and back, and what only it and this server know. */
export interface Attempt {
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who somebody is at a provider. */
export interface Claims {
  issuer: string;
  /** Theirs for good, and nobody else's at that issuer (OpenID Connect Core §2). */
  subject: string;
  /** Only where the provider says that it is theirs. */
  verifiedEmail?: string;
  name?: string;
  /** What to call this identity, for them to recognise. */
  label: string;
}

export interface Provider {
  name: string;
  title: string;
  /** Where the browser goes to sign in. Rejects with `ProviderFault`. */
  begin(attempt: Attempt): Promise<URL>;
  /** Who came back. `callback`: what the browser opened. Rejects with `ProviderFault`. */
  finish(callback: URL, attempt: Attempt): Promise<Claims>;
}

/** The provider is away, or what it says is not in order. The message is for people. */
export class ProviderFault extends Error {
  /** The person has said no there, or they may not sign in. */
  readonly denied: boolean;

  constructor(message: string, options: { denied?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "ProviderFault";
    this.denied = options.denied ?? false;
  }
}

const MAX_NAME_LENGTH = 100;

/** A name as people see it: on one line, and never to be taken for an address. */
export function plainName(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const plain = text
    .replace(/[\p{C}@]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? undefined : [...plain].slice(0, MAX_NAME_LENGTH).join("");
}
