/** The result of one sign-in: everything the client needs to act on its behalf, stored as one secret. */
export interface StoredCredential {
  accessToken: string;
  /** Absent for an API key. */
  refreshToken?: string;
  /** Milliseconds since the epoch; absent where it does not expire. */
  expiresAt?: number;
  /** The OAuth client that it was issued to. */
  clientId?: string;
  /** Space-separated, as granted. */
  scope?: string;
  /** The owner, for display and for checking cached entitlements. */
  account?: { id: string; name: string };
  user?: { id: string; email: string };
}

/**
 * The credential of one server, as the API client uses it. Other processes may change what is stored
 * at any time, so `read` asks the store each time.
 */
export interface CredentialSource {
  read(): Promise<StoredCredential | undefined>;
  /** Replaces what is stored. */
  write(credential: StoredCredential): Promise<unknown>;
  /** Forgets what is stored if its access token is still `accessToken`. */
  forget(accessToken: string): Promise<void>;
  /** Whether the credential comes from the environment, and so is neither renewed nor deleted. */
  readonly fixed: boolean;
}
