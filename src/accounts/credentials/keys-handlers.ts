import type { Handlers, Output } from "../../contract/endpoint.ts";
import { iso } from "../../system/clock.ts";
import { viewed } from "../page.ts";
import { wholeAccount } from "../whole-account.ts";
import type { ApiKeys, KnownKey } from "./api-keys.ts";
import type { keysContract } from "./keys-contract.ts";

/** What was counted of a key in the last 30 days, where that can be told. */
export type KeyUse = (accountId: string, keyId: string) => Promise<number | undefined>;

export function keysHandlers(apiKeys: ApiKeys, keyUse?: KeyUse): Handlers<typeof keysContract> {
  return {
    async listKeys(question, caller) {
      return viewed(await apiKeys.list(wholeAccount(caller), question), view);
    },
    async createKey({ expiresAt, ...key }, caller) {
      wholeAccount(caller);
      const expiry = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const made = await apiKeys.create(caller, { ...key, ...expiry });
      return { key: view(made.key), secret: made.secret };
    },
    async showKey({ keyId }, caller) {
      const key = await apiKeys.get(wholeAccount(caller), keyId);
      const used = await keyUse?.(caller.accountId, keyId);
      return { key: view(key), ...(used !== undefined && { usedIn30Days: used }) };
    },
    async updateKey({ keyId, expiresAt, ...change }, caller) {
      wholeAccount(caller);
      const expiry = typeof expiresAt === "string" ? Date.parse(expiresAt) : expiresAt;
      return { key: view(await apiKeys.update(caller, keyId, { ...change, expiresAt: expiry })) };
    },
    async rotateKey({ keyId, overlapSeconds }, caller) {
      wholeAccount(caller);
      return apiKeys.rotate(caller, keyId, overlapSeconds * 1000, ({ key, secret }) => ({
        key: view(key),
        secret,
      }));
    },
    async deleteKey({ keyId }, caller) {
      wholeAccount(caller);
      await apiKeys.revoke(caller, keyId);
      return {};
    },
  };
}

function view({
  secretHash: _,
  createdAt,
  expiresAt,
  lastUsedAt,
  suspendedAt,
  rotatedAt,
  previous,
  ...key
}: KnownKey): Output<(typeof keysContract)["showKey"]>["key"] {
  return {
    ...key,
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
    ...(suspendedAt !== undefined && { suspendedAt: iso(suspendedAt) }),
    ...(rotatedAt !== undefined && { rotatedAt: iso(rotatedAt) }),
    ...(previous && { previous: { prefix: previous.prefix, endsAt: iso(previous.endsAt) } }),
  };
}
