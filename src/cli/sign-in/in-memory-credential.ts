import type { CredentialSource, StoredCredential } from "../../client/sign-in/credential.ts";

/** A credential that is kept nowhere: before it has proved itself, or for as long as a demonstration lasts. */
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
