import { SignedOut } from "../../client/errors.ts";
import type { CredentialSource, StoredCredential } from "../../client/sign-in/credential.ts";
import { createKeyring } from "./keyring.ts";
import type { KeyringModule } from "./keyring-process.ts";
import { type CredentialRecord, createCredentialRecords, signIns, whoseOf } from "./records.ts";

/** Where a credential is kept, and in words that follow "kept in". */
export type Whereabouts = { description: string } & (
  | { kind: "environment" }
  | { kind: "secret-store"; module: KeyringModule }
  /** `reason`: why not in the secret store. */
  | { kind: "file"; path: string; reason?: string }
  | { kind: "none" }
);

export interface Credentials extends CredentialSource {
  /** Keeps a renewed one, in the place of the account's. */
  write(credential: StoredCredential): Promise<Whereabouts>;
  /**
   * Keeps a new sign-in, in the secret store or in a 0600 file where there is none, as what counts from now on. The
   * one before, of another account, is there to switch back to.
   */
  enter(credential: StoredCredential): Promise<Whereabouts>;
  /** What the current one may do, or the last that ended by itself, space-separated; reads no secret. */
  scope(): string | undefined;
  /** The accounts to switch to, beside the current one. */
  others(): Account[];
  /** Takes another account's instead of the current one. False where there is none any more. */
  switchTo(accountId: string): Promise<boolean>;
  /** For `whoami` and `doctor`; reads no secret. */
  whereabouts(): Promise<Whereabouts>;
  /** `logout`: the current one, from every place that may hold it. */
  forgetAll(): Promise<void>;
  /** For `doctor`: tries the secret store with an entry of no worth. */
  probe(): Promise<{ available: true; module: KeyringModule } | { available: false; reason: string }>;
}

type Account = NonNullable<StoredCredential["account"]>;

export interface CredentialsOptions {
  baseUrl: string;
  /** TOOL_TOKEN: used as it is, and never stored. */
  token?: string;
  /** `Directories.data`. */
  directory: string;
  /** This program with what makes it call `runKeyringProcess`; without it, files only. */
  keyringCommand?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/** The credential of one server, and those of its other accounts that somebody has signed in to. */
export function createCredentials({
  baseUrl,
  token,
  directory,
  keyringCommand,
  environment,
  platform = process.platform,
}: CredentialsOptions): Credentials {
  const keyring = keyringCommand && createKeyring(keyringCommand, environment);
  const storeName = STORE_NAMES[platform] ?? "the secret store";
  const current = slot();

  /** The place of the current credential, or of another account's. */
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
      /** The server refuses it: the next sign-in asks for as much. */
      async end(): Promise<void> {
        await erase((record) => records.write({ ...whoseOf(record), keptIn: "nowhere" }));
      },
    };

    /** Gone from here whatever the secret store says: what it still holds is never looked up again. */
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

  /** A process that renews what it began with must not bring an account back that somebody switched away from. */
  async function write(credential: StoredCredential): Promise<Whereabouts> {
    const now = current.records.read()?.account;
    const { account } = credential;
    return account && now && now.id !== account.id
      ? slot(account.id).write(credential)
      : current.write(credential);
  }

  async function enter(credential: StoredCredential): Promise<Whereabouts> {
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
    enter,
    scope: () => {
      const record = current.records.read();
      return record && whoseOf(record).scope;
    },
    others: () =>
      signIns(directory).flatMap((each) => (each.baseUrl === baseUrl && !each.current && each.account) || []),
    async switchTo(accountId) {
      const other = await slot(accountId).read();
      if (other) await enter(other);
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
