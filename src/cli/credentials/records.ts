import { hash } from "node:crypto";
import { join } from "node:path";
import { list, readJson, remove, writeJson } from "../../client/private-files.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import type { KeyringModule } from "./keyring-process.ts";

/** What is on disk about one server's credential: where it is kept, or the credential itself. */
export type CredentialRecord = {
  baseUrl: string;
  /** Whose it is, for a list that reads no secret. */
  account?: { id: string; name: string };
} & (
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

/** One file a server, and one more for each account that somebody has switched away from. */
export interface CredentialRecords {
  readonly path: string;
  /** Undefined where there is none, or a damaged one, which `login` writes anew. */
  read(): CredentialRecord | undefined;
  write(record: CredentialRecord): void;
  remove(): void;
}

/** @param accountId of one that is not the current. */
export function createCredentialRecords(
  dataDirectory: string,
  baseUrl: string,
  accountId?: string,
): CredentialRecords {
  const directory = join(dataDirectory, DIRECTORY);
  const name = `${fileNameOf(baseUrl)}${accountId === undefined ? "" : `.${fileNamePart(accountId)}`}.json`;
  return {
    path: join(directory, name),
    read: () => readJson(directory, name),
    write: (record) => writeJson(directory, name, record),
    remove: () => remove(directory, name),
  };
}

/** The accounts of a server that somebody has switched away from, and can switch back to. */
export function otherAccounts(dataDirectory: string, baseUrl: string): { id: string; name: string }[] {
  const directory = join(dataDirectory, DIRECTORY);
  const prefix = `${fileNameOf(baseUrl)}.`;
  return list(directory).flatMap((name) => {
    if (!name.startsWith(prefix) || !name.endsWith(".json") || name === `${prefix}json`) return [];
    const account = readJson<CredentialRecord>(directory, name)?.account;
    return account ? [account] : [];
  });
}

const DIRECTORY = "credentials";

/** A server calls its accounts what it likes. */
function fileNamePart(accountId: string): string {
  return hash("sha256", accountId, "hex").slice(0, 12);
}
