import { SignedOut } from "../../client/errors.ts";
import type { CredentialSource, StoredCredential } from "../../client/sign-in/credential.ts";
import { createKeyring } from "./keyring.ts";
import type { KeyringModule } from "./keyring-process.ts";
import { type CredentialRecord, createCredentialRecords } from "./records.ts";

/** Where a credential is kept, and in words that follow "kept in". */
export type Whereabouts = { description: string } & (
  | { kind: "environment" }
  | { kind: "secret-store"; module: KeyringModule }
  /** `reason`: why not in the secret store. */
  | { kind: "file"; path: string; reason?: string }
  | { kind: "none" }
);

export interface Credentials extends CredentialSource {
  /** Keeps it in the secret store, or in a 0600 file where there is none. */
  write(credential: StoredCredential): Promise<Whereabouts>;
  /** For `whoami` and `doctor`; reads no secret. */
  whereabouts(): Promise<Whereabouts>;
  /** `logout`: from every place that may hold one. */
  forgetAll(): Promise<void>;
  /** For `doctor`: tries the secret store with an entry of no worth. */
  probe(): Promise<{ available: true; module: KeyringModule } | { available: false; reason: string }>;
}

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

/** The credential of one server. */
export function createCredentials({
  baseUrl,
  token,
  directory,
  keyringCommand,
  environment,
  platform = process.platform,
}: CredentialsOptions): Credentials {
  const keyring = keyringCommand && createKeyring(keyringCommand, environment);
  const records = createCredentialRecords(directory, baseUrl);
  const storeName = STORE_NAMES[platform] ?? "the secret store";

  async function read(): Promise<StoredCredential | undefined> {
    if (token !== undefined) return { accessToken: token };
    const record = records.read();
    if (record?.keptIn !== "secret-store") return record?.credential;
    const answer = (await keyring?.get(baseUrl, record.module)) ?? { reason: "it is not used here" };
    if ("reason" in answer) {
      const message = `The sign-in for ${baseUrl} is kept in ${storeName}, which cannot be read: ${answer.reason}.`;
      throw new SignedOut(baseUrl, "locked", message);
    }
    return answer.secret === undefined ? undefined : JSON.parse(answer.secret);
  }

  async function write(credential: StoredCredential): Promise<Whereabouts> {
    const before = records.read();
    const module = before?.keptIn === "secret-store" ? before.module : undefined;
    const answer = await keyring?.set(baseUrl, JSON.stringify(credential), module);
    const record: CredentialRecord =
      answer && "module" in answer
        ? { baseUrl, keptIn: "secret-store", module: answer.module }
        : {
            baseUrl,
            keptIn: "file",
            credential,
            reason: answer?.reason,
            formerly: module ?? formerlyIn(before),
          };
    records.write(record);
    return whereaboutsOf(record);
  }

  async function forgetAll(): Promise<void> {
    const record = records.read();
    const module = record?.keptIn === "secret-store" ? record.module : formerlyIn(record);
    // Gone from here whatever the secret store says: what it still holds is never looked up again.
    records.remove();
    if (module) await keyring?.delete(baseUrl, module);
  }

  function whereaboutsOf(record: CredentialRecord | undefined): Whereabouts {
    if (!record) return { kind: "none", description: "nowhere" };
    if (record.keptIn === "secret-store") {
      return { kind: "secret-store", module: record.module, description: storeName };
    }
    const { path } = records;
    return {
      kind: "file",
      path,
      description: `a file that you alone can read, ${path}`,
      reason: record.reason,
    };
  }

  return {
    fixed: token !== undefined,
    read,
    write,
    forgetAll,
    async forget(accessToken) {
      if (token !== undefined) return;
      const stored = await read().catch(() => undefined);
      if (stored?.accessToken === accessToken) await forgetAll();
    },
    async whereabouts() {
      if (token !== undefined) return { kind: "environment", description: "the environment (TOOL_TOKEN)" };
      return whereaboutsOf(records.read());
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
