import { join } from "node:path";
import { list, readJson, remove, writeJson } from "../../client/private-files.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import { sha256 } from "../../system/sha256.ts";
import type { KeyringModule } from "./keyring-process.ts";

/** The file about one server's credential: where the credential is stored, or the credential itself. */
export type CredentialRecord = Whose &
  (
    | { keptIn: "secret-store"; module: KeyringModule }
    | {
        keptIn: "file";
        credential: StoredCredential;
        /** Why the secret store was not used. */
        reason?: string;
        /** The module whose secret store may still hold an older credential. */
        formerly?: KeyringModule;
      }
    /** The server ended it. Its account and scopes are kept for the next sign-in. */
    | { keptIn: "nowhere" }
  );

/** Whose credential it is, for a list that reads no secret. */
interface Whose {
  baseUrl: string;
  account?: StoredCredential["account"];
  user?: StoredCredential["user"];
  /** The granted scopes, space-separated; absent for an API key. */
  scope?: string;
}

export interface SignIn extends Whose {
  /** Whether commands use it for its server. */
  current: boolean;
  /** Whether the server has ended it. */
  ended: boolean;
}

/** The record of one credential. There is one file per server, and one for each other account to switch to. */
export interface CredentialRecords {
  readonly path: string;
  /** Returns undefined if the file is missing or damaged; `login` writes it again. */
  read(): CredentialRecord | undefined;
  write(record: CredentialRecord): void;
  /** Throws what `write` would if nothing can be written. */
  tryToWrite(): void;
  remove(): void;
}

/** @param accountId the account, unless it is the current one */
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
    tryToWrite: () => {
      // No name of a sign-in, and one of its own for each process.
      const trial = `trial.${process.pid}`;
      writeJson(directory, trial, {});
      remove(directory, trial);
    },
    remove: () => remove(directory, name),
  };
}

/** Returns every stored sign-in, sorted by server, the current one of each first. */
export function signIns(dataDirectory: string): SignIn[] {
  const directory = join(dataDirectory, DIRECTORY);
  const found = list(directory).flatMap((name) => {
    const record = name.endsWith(".json") ? readJson<CredentialRecord>(directory, name) : undefined;
    return typeof record?.baseUrl === "string" ? [signInOf(record, name)] : [];
  });
  const nameOf = ({ baseUrl, account }: SignIn) => `${baseUrl} ${account?.name ?? ""}`;
  return found.sort(
    (left, right) =>
      left.baseUrl.localeCompare(right.baseUrl) ||
      Number(right.current) - Number(left.current) ||
      nameOf(left).localeCompare(nameOf(right)),
  );
}

/** Returns the owner from the record, or from its credential, where an earlier version kept it. */
export function whoseOf(record: CredentialRecord): Whose {
  const { baseUrl, account, user, scope } = record;
  const known = record.keptIn === "file" ? record.credential : record;
  return {
    baseUrl,
    account: account ?? known.account,
    user: user ?? known.user,
    scope: scope ?? known.scope,
  };
}

function signInOf(record: CredentialRecord, fileName: string): SignIn {
  return {
    ...whoseOf(record),
    current: fileName === `${fileNameOf(record.baseUrl)}.json`,
    ended: record.keptIn === "nowhere",
  };
}

const DIRECTORY = "credentials";

/** Returns a part of a file name for an account's id, which may hold any characters. */
function fileNamePart(accountId: string): string {
  return sha256(accountId).slice(0, 12);
}
