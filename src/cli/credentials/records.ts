import { join } from "node:path";
import { readJson, remove, writeJson } from "../../client/private-files.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import type { KeyringModule } from "./keyring-process.ts";

/** What is on disk about one server's credential: where it is kept, or the credential itself. */
export type CredentialRecord = { baseUrl: string } & (
  | { keptIn: "secret-store"; module: KeyringModule }
  | {
      keptIn: "file";
      credential: StoredCredential;
      /** Why the secret store did not take it. */
      reason?: string;
      /** The secret store that may still hold an older one. */
      formerly?: KeyringModule;
    }
);

/** One file a server. */
export interface CredentialRecords {
  readonly path: string;
  /** Undefined where there is none, or a damaged one, which `login` writes anew. */
  read(): CredentialRecord | undefined;
  write(record: CredentialRecord): void;
  remove(): void;
}

export function createCredentialRecords(dataDirectory: string, baseUrl: string): CredentialRecords {
  const directory = join(dataDirectory, "credentials");
  const name = `${fileNameOf(baseUrl)}.json`;
  return {
    path: join(directory, name),
    read: () => readJson(directory, name),
    write: (record) => writeJson(directory, name, record),
    remove: () => remove(directory, name),
  };
}
