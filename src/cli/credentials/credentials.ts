import { SignedOut } from "../../client/errors.ts";
import type { CredentialSource, StoredCredential } from "../../client/sign-in/credential.ts";
import { once } from "../../system/caching.ts";
import { createKeyring } from "./keyring.ts";
import type { KeyringModule } from "./keyring-process.ts";
import { type CredentialRecord, createCredentialRecords, signIns, whoseOf } from "./records.ts";

/** Where a credential is stored. `description` completes "kept in …". */
export type Whereabouts = { description: string } & (
  | { kind: "environment" }
  | { kind: "secret-store"; module: KeyringModule }
  /** `reason` says why it is not in the secret store. */
  | { kind: "file"; path: string; reason?: string }
  | { kind: "none" }
);

export interface Credentials extends CredentialSource {
  /** Stores a renewed credential in place of the account's previous one. */
  write(credential: StoredCredential): Promise<Whereabouts>;
  /**
   * Stores a new sign-in as the current one, in the secret store or, without one, in a file with mode 0600. A previous
   * sign-in to another account is kept to switch back to.
   */
  setCurrent(credential: StoredCredential): Promise<Whereabouts>;
  /** Throws if no sign-in can be stored, which is better known before somebody approves one. */
  tryToWrite(): void;
  /** Returns the scopes of the current or last ended credential, space-separated. Reads no secret. */
  scope(): string | undefined;
  /** Returns the accounts to switch to, without the current one. */
  others(): Account[];
  /** Makes the credential of another account the current one. Returns false if it is gone. */
  switchTo(accountId: string): Promise<boolean>;
  /** Returns where the credential is stored, for `whoami` and `doctor`. Reads no secret. */
  whereabouts(): Promise<Whereabouts>;
  /** Deletes the current credential from every place that may hold it, for `logout`. */
  forgetAll(): Promise<void>;
  /** Tests the secret store with a dummy entry, for `doctor`. */
  probe(): Promise<{ available: true; module: KeyringModule } | { available: false; reason: string }>;
}

type Account = NonNullable<StoredCredential["account"]>;

export interface CredentialsOptions {
  baseUrl: string;
  /** TOOL_TOKEN, which is used unchanged and never stored. */
  token?: string;
  /** `Directories.data`. */
  directory: string;
  /** The command line that makes this program call `runKeyringProcess`. Without it, only files are used. */
  keyringCommand?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** Called when the secret store takes long to be read. Returns whether somebody is there to unlock it. */
  onPrompt?: (storeName: string) => boolean;
  platform?: NodeJS.Platform;
}

/** Returns the credentials of one server: the current one, and those of the user's other accounts there. */
export function createCredentials({
  baseUrl,
  token,
  directory,
  keyringCommand,
  environment,
  onPrompt,
  platform = process.platform,
}: CredentialsOptions): Credentials {
  const storeName = STORE_NAMES[platform] ?? "the secret store";
  const keyring =
    keyringCommand &&
    createKeyring(keyringCommand, environment, { onPrompt: onPrompt && once(() => onPrompt(storeName)) });
  const current = slot();

  /** Returns the storage of the current credential, or of another account's. */
  function slot(accountId?: string) {
    const records = createCredentialRecords(directory, baseUrl, accountId);
    const key = accountId === undefined ? baseUrl : `${baseUrl} (${accountId})`;

    return {
      records,
      async read(): Promise<StoredCredential | undefined> {
        const record = records.read();
        if (record?.keptIn === "file") return record.credential;
        if (record?.keptIn !== "secret-store") return undefined;
        const answer = (await keyring?.get(key, record.module)) ?? { reason: "it is not used here" };
        if ("reason" in answer) {
          const message = `The sign-in for ${baseUrl} is kept in ${storeName}, which cannot be read: ${answer.reason}.`;
          throw new SignedOut(baseUrl, "locked", message);
        }
        return answer.secret === undefined ? undefined : JSON.parse(answer.secret);
      },
      async write(credential: StoredCredential): Promise<Whereabouts> {
        const before = records.read();
        const module = before?.keptIn === "secret-store" ? before.module : undefined;
        const answer = await keyring?.set(key, JSON.stringify(credential), module);
        const { account, user, scope } = credential;
        const whose = { baseUrl, account, user, scope };
        const record: CredentialRecord =
          answer && "module" in answer
            ? { ...whose, keptIn: "secret-store", module: answer.module }
            : {
                ...whose,
                keptIn: "file",
                credential,
                reason: answer?.reason,
                formerly: module ?? formerlyIn(before),
              };
        records.write(record);
        return whereaboutsOf(record);
      },
      async forget(): Promise<void> {
        await erase(() => records.remove());
      },
      /** Deletes a credential that the server refuses, but keeps its scopes for the next sign-in. */
      async end(): Promise<void> {
        await erase((record) => records.write({ ...whoseOf(record), keptIn: "nowhere" }));
      },
    };

    /** Deletes the record first: if the secret store then fails, its entry is never looked up again. */
    async function erase(fromHere: (record: CredentialRecord) => void): Promise<void> {
      const record = records.read();
      if (!record) return records.remove();
      const module = record.keptIn === "secret-store" ? record.module : formerlyIn(record);
      fromHere(record);
      if (module) await keyring?.delete(key, module);
    }
  }

  async function read(): Promise<StoredCredential | undefined> {
    return token === undefined ? current.read() : { accessToken: token };
  }

  /** Stores a renewed credential under its own account, since the user may have switched accounts meanwhile. */
  async function write(credential: StoredCredential): Promise<Whereabouts> {
    const record = current.records.read();
    const now = record && whoseOf(record).account;
    const { account } = credential;
    return account && now && now.id !== account.id
      ? slot(account.id).write(credential)
      : current.write(credential);
  }

  async function setCurrent(credential: StoredCredential): Promise<Whereabouts> {
    const before = await current.read().catch(() => undefined);
    if (before?.account && before.account.id !== credential.account?.id) {
      await slot(before.account.id).write(before);
    }
    const kept = await current.write(credential);
    if (credential.account) await slot(credential.account.id).forget();
    return kept;
  }

  function whereaboutsOf(record: CredentialRecord | undefined): Whereabouts {
    if (!record || record.keptIn === "nowhere") return { kind: "none", description: "nowhere" };
    if (record.keptIn === "secret-store") {
      return { kind: "secret-store", module: record.module, description: storeName };
    }
    const { path } = current.records;
    return {
      kind: "file",
      path,
      description: `a file that only you can read, ${path}`,
      reason: record.reason,
    };
  }

  return {
    fixed: token !== undefined,
    read,
    write,
    setCurrent,
    tryToWrite: current.records.tryToWrite,
    scope: () => {
      const record = current.records.read();
      return record && whoseOf(record).scope;
    },
    others: () =>
      signIns(directory).flatMap((each) => (each.baseUrl === baseUrl && !each.current && each.account) || []),
    async switchTo(accountId) {
      const other = await slot(accountId).read();
      if (other) await setCurrent(other);
      return other !== undefined;
    },
    forgetAll: current.forget,
    async forget(accessToken) {
      if (token !== undefined) return;
      const stored = await read().catch(() => undefined);
      if (stored?.accessToken === accessToken) await current.end();
    },
    async whereabouts() {
      if (token !== undefined) return { kind: "environment", description: "the environment (TOOL_TOKEN)" };
      return whereaboutsOf(current.records.read());
    },
    async probe() {
      const account = `${baseUrl} (probe)`;
      const answer = (await keyring?.set(account, "probe")) ?? { reason: "it is not used here" };
      if ("reason" in answer) return { available: false, reason: answer.reason };
      await keyring?.delete(account, answer.module);
      return { available: true, module: answer.module };
    },
  };
}

function formerlyIn(record: CredentialRecord | undefined): KeyringModule | undefined {
  return record?.keptIn === "file" ? record.formerly : undefined;
}

const STORE_NAMES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "the macOS keychain",
  win32: "the Windows credential manager",
  linux: "the Secret Service",
};
