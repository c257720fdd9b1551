import type { CredentialSource, StoredCredential } from "../../../src/client/sign-in/credential.ts";

/** Returns a credential store in memory, which several "processes" of a test may share. */
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

/** Returns a credential source like that of TOOL_TOKEN. */
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
