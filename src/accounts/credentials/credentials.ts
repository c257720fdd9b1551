import { timingSafeEqual } from "node:crypto";
import { type Caller, SCOPES } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { openFamily } from "../devices/open-family.ts";
import {
  type Account,
  accounts,
  apiKeys,
  type Credential,
  credentials,
  INSTANCE,
  instances,
  tokenFamilies,
} from "../model.ts";
import { holdsAddress } from "./address-ranges.ts";
import { type EndedKey, findEnded } from "./ended-keys.ts";
import { isEndedByMark } from "./ending.ts";
import { endedKeyOf } from "./key-secrets.ts";
import type { NoteUse } from "./last-use.ts";
import { hashSecret, secretKind } from "./secrets.ts";

/** The account, user and credential that a request was authenticated as. */
export interface Authenticated {
  account: Account;
  userId: string;
  credential: Caller["credential"];
}

/** The source of a request. */
export interface Origin {
  /** The client's IP address, as determined behind trusted proxies. */
  address: string;
  requestId: string;
}

export interface Credentials {
  /**
   * Authenticates an access token, an API key or the owner's key. Returns undefined unless it is valid now. `Problem`
   * `outside_binding` for a key used from an address that it is not bound to.
   */
  authenticate(secret: string, origin?: Origin): Promise<Authenticated | undefined>;
}

/** @param ownerKey TOOL_OWNER_API_KEY, which acts for the owner with all scopes while this process runs with it. */
export function createCredentials({
  store,
  noteUse,
  ownerKey,
  onOutside,
  onEnded,
  onEndedKeys,
}: {
  store: Store;
  noteUse: NoteUse;
  ownerKey?: string | undefined;
  /** Called when a key is used from an address that it is not bound to. */
  onOutside?: (credential: Credential, origin: Origin) => void;
  /** Called when an ended key is used. */
  onEnded?: (ended: EndedKey, origin: Origin) => void;
  /** Called for accounts with ended keys that may not all be deleted yet. */
  onEndedKeys?: (account: Account) => void;
}): Credentials {
  const ownerHash = ownerKey === undefined ? undefined : Buffer.from(hashSecret(ownerKey));

  return {
    async authenticate(secret, origin = NOWHERE) {
      const kind = secretKind(secret);
      const issued = kind === "access_token" || kind === "api_key";
      const secretHash = hashSecret(secret);
      if (ownerHash && timingSafeEqual(Buffer.from(secretHash), ownerHash)) return store.transact(asOwner);
      if (!issued) return undefined;
      const found = await store.transact((tx) => look(tx, secretHash));
      if (!found) {
        if (kind === "api_key") await tellOfEnded(secretHash, origin);
        return undefined;
      }
      if (found.account.endedKeys) onEndedKeys?.(found.account);
      const { credential } = found;
      const { accountId, addresses, familyId, id } = credential;
      if (addresses && !holdsAddress(addresses, origin.address)) {
        onOutside?.(credential, origin);
        throw outside(origin);
      }
      if (familyId) noteUse(tokenFamilies, accountId, familyId);
      else noteUse(apiKeys, accountId, id, { address: origin.address || undefined, outlivesItself: true });
      return { account: found.account, userId: credential.userId, credential: presented(credential) };
    },
  };

  /** Reports the use of an unknown API key if its secret belonged to a key that has ended. */
  async function tellOfEnded(secretHash: string, origin: Origin): Promise<void> {
    const ended = onEnded && (await store.transact((tx) => endedKeyWith(tx, secretHash)));
    if (ended) onEnded?.(ended, origin);
  }

  async function look(
    tx: Transaction,
    secretHash: string,
  ): Promise<{ account: Account; credential: Credential } | undefined> {
    const credential = await tx.get(credentials, GLOBAL, secretHash);
    if (!credential) return undefined;
    const { accountId, familyId } = credential;
    if (familyId && !(await openFamily(tx, accountId, familyId))) return undefined;
    const account = await tx.get(accounts, GLOBAL, accountId);
    if (!account || (credential.kind === "api_key" && isEndedByMark(account, credential))) return undefined;
    return { account, credential };
  }
}

async function endedKeyWith(tx: Transaction, secretHash: string): Promise<EndedKey | undefined> {
  const credential = await tx.get(credentials, GLOBAL, secretHash);
  if (!credential) return findEnded(tx, secretHash);
  // The key has ended, but its documents are not deleted yet.
  const { accountId, id } = credential;
  const key = await tx.get(apiKeys, accountSpace(accountId), id);
  return key && endedKeyOf(accountId, key, "revoked");
}

async function asOwner(tx: Transaction): Promise<Authenticated | undefined> {
  const instance = await tx.get(instances, GLOBAL, INSTANCE);
  const account = instance && (await tx.get(accounts, GLOBAL, instance.accountId));
  return (
    account && {
      account,
      userId: instance.ownerId,
      credential: { kind: "owner_key", id: "owner", scopes: SCOPES },
    }
  );
}

const NOWHERE: Origin = { address: "", requestId: "" };

/** Names the caller's address but not the allowed ones, since the caller may be an attacker. */
function outside({ address }: Origin): Problem {
  return new Problem("outside_binding", `This key does not work from the address ${address || "unknown"}.`);
}

function presented(credential: Credential): Caller["credential"] {
  const { kind, id, scopes, expiresAt, projectId, tools, addresses } = credential;
  const { familyId, audience, identity, dpopKey } = credential;
  return {
    kind,
    id,
    scopes,
    ...defined({ expiresAt, projectId }),
    ...(tools && { tools }),
    ...(addresses && { addresses }),
    ...defined({ familyId, audience, identity, dpopKey }),
  };
}
