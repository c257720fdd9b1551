import { join } from "node:path";
import { list, readJson, remove, writeJson } from "../../client/private-files.ts";
import type { StoredCredential } from "../../client/sign-in/credential.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import { sha256 } from "../../system/sha256.ts";
import type { KeyringModule } from "./keyring-process.ts";

/** What is on disk about one server's credential: where it is kept, or the credential itself. */
export type CredentialRecord = Whose &
  (
    | { keptIn: "secret-store"; module: KeyringModule }
    | {
        keptIn: "file";
        credential: StoredCredential;
        /** Why the secret store did not take it. */
        reason?: string;
        /** The secret store that may still hold an older one. */
        formerly?: KeyringModule;
      }
    /** It ended by itself: what it was is known for the next one. */
    | { keptIn: "nowhere" }
  );

/** For a list that reads no secret. */
interface Whose {
  baseUrl: string;
  account?: StoredCredential["account"];
  user?: StoredCredential["user"];
  /** Space-separated, as granted; absent of a key. */
  scope?: string;
}

export interface SignIn extends Whose {
  /** Whether commands that speak to its server use it. */
  current: boolean;
  /** The server accepts it no longer. */
  ended: boolean;
}

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

/** Every sign-in that is kept here, by server, the current one of each first. */
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

/** As the record says, or where an earlier version kept it, the credential in it. */
export function whoseOf(record: CredentialRecord): Whose {
  const { baseUrl, account, user, scope } = record;
  const known = record.keptIn === "file" ? record.credential : record;
  return { baseUrl, account, user: user ?? known.user, scope: scope ?? known.scope };
}

function signInOf(record: CredentialRecord, fileName: string): SignIn {
  return {
    ...whoseOf(record),
    current: fileName === `${fileNameOf(record.baseUrl)}.json`,
    ended: record.keptIn === "nowhere",
  };
}

const DIRECTORY = "credentials";

/** A server calls its accounts what it likes. */
function fileNamePart(accountId: string): string {
  return sha256(accountId).slice(0, 12);
}
