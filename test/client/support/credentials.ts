import type { CredentialSource, StoredCredential } from "../../../src/client/sign-in/credential.ts";

/** A credential store in memory, which other "processes" of a test may share. */
export function storedCredential(credential?: StoredCredential): CredentialSource & {
  stored: StoredCredential | undefined;
} {
  return {
    stored: credential,
    fixed: false,
    async read() {
      return this.stored;
    },
    async write(next) {
      this.stored = next;
    },
    async forget(accessToken) {
      if (this.stored?.accessToken === accessToken) this.stored = undefined;
    },
  };
}

/** As TOOL_TOKEN gives it. */
export function tokenFromEnvironment(accessToken: string): CredentialSource {
  return {
    fixed: true,
    read: async () => ({ accessToken }),
    write: async () => {
      throw new Error("a token of the environment is never stored");
    },
    forget: async () => {
      throw new Error("a token of the environment is never forgotten");
    },
  };
}
