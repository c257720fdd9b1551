import type { CredentialSource, StoredCredential } from "../../client/sign-in/credential.ts";

/** Returns a credential that is never stored, for one that is not verified yet and for demonstrations. */
export function inMemory(credential?: StoredCredential): CredentialSource {
  let held = credential;
  return {
    fixed: false,
    read: async () => held,
    write: async (renewed) => {
      held = renewed;
    },
    forget: async () => {
      held = undefined;
    },
  };
}
