import { list, readJson, remove, writeJson } from "../private-files.ts";
import { fileNameOf } from "../transport/base-url.ts";
import type { PublicKey } from "./jws.ts";

/** What is kept of one resolved document: the signature holds all of it. */
export interface CachedEntitlements {
  signature: string;
  etag?: string;
  /** Those that verify it offline. */
  keys: PublicKey[];
  /** Whose it is. */
  subject: Subject;
}

/** What a credential stands for, by the server's own word. */
export interface Subject {
  /** SHA-256 of the credential, so that another one is noticed. */
  secretHash: string;
  accountId: string;
  credentialId: string;
}

export interface EntitlementsCache {
  /** Undefined where there is none, or none that can be used. */
  read(projectId: string | undefined): CachedEntitlements | undefined;
  write(projectId: string | undefined, entry: CachedEntitlements): void;
  /** Every project's. */
  clear(): void;
}

/** One file a server and project. */
export function createEntitlementsCache(directory: string, baseUrl: string): EntitlementsCache {
  const prefix = `entitlements-${fileNameOf(baseUrl)}-`;
  const nameOf = (projectId = "") => `${prefix}${sha256(projectId).slice(0, 16)}.json`;
  return {
    read: (projectId) => readJson(directory, nameOf(projectId)),
    write: (projectId, entry) => writeJson(directory, nameOf(projectId), entry),
    clear() {
      for (const name of list(directory)) if (name.startsWith(prefix)) remove(directory, name);
    },
  };
}

export function sha256(text: string): string {
  // Loaded here: most commands resolve nothing.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
