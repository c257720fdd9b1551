import { sha256 } from "../../system/sha256.ts";
import { list, readJson, remove, writeJson } from "../private-files.ts";
import { fileNameOf } from "../transport/base-url.ts";
import type { PublicKey } from "./jws.ts";

/** The cached form of one resolved document, whose content is entirely in the signature. */
export interface CachedEntitlements {
  signature: string;
  etag?: string;
  /** The keys that verify the signature offline. */
  keys: PublicKey[];
  /** The account and credential that it was issued to. */
  subject: Subject;
}

/** What a credential stands for, according to the server. */
export interface Subject {
  /** SHA-256 of the credential, to detect that it was replaced. */
  secretHash: string;
  accountId: string;
  credentialId: string;
}

export interface EntitlementsCache {
  /** Returns undefined if nothing usable is cached. */
  read(projectId: string | undefined): CachedEntitlements | undefined;
  write(projectId: string | undefined, entry: CachedEntitlements): void;
  /** Deletes the documents of all projects. */
  clear(): void;
}

/** Creates a cache of one file per server and project. */
export function createEntitlementsCache(directory: string, baseUrl: string): EntitlementsCache {
  const prefix = `entitlements-${fileNameOf(baseUrl)}-`;
  const nameOf = (projectId = "") => `${prefix}${sha256(projectId).slice(0, 16)}.json`;
  return {
    read: (projectId) => cachedIn(readJson(directory, nameOf(projectId))),
    write: (projectId, entry) => writeJson(directory, nameOf(projectId), entry),
    clear() {
      for (const name of list(directory)) if (name.startsWith(prefix)) remove(directory, name);
    },
  };
}

/** Returns the content of a file if it has the form that `write` gives it. */
function cachedIn(content: unknown): CachedEntitlements | undefined {
  const { signature, keys, subject } = (content ?? {}) as Partial<CachedEntitlements>;
  const hasKeys = Array.isArray(keys) && keys.every((key) => typeof key === "object" && key !== null);
  const hasSubject = typeof subject === "object" && subject !== null;
  return typeof signature === "string" && hasKeys && hasSubject ? (content as CachedEntitlements) : undefined;
}
