import { allows, type Caller } from "../../contract/caller.ts";
import type { Handlers, Output } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import { viewed } from "../page.ts";
import { wholeAccount } from "../whole-account.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { KnownKey } from "./key-search.ts";
import type { keysContract } from "./keys-contract.ts";

/** Returns a key's usage count of the last 30 days; undefined if too many ask for it at once. */
export type KeyUse = (accountId: string, keyId: string) => Promise<number | undefined>;

export function keysHandlers(apiKeys: ApiKeys, keyUse?: KeyUse): Handlers<typeof keysContract> {
  return {
    async listKeys({ accountId, ...question }, caller) {
      return viewed(await apiKeys.list(accountAsked(caller, accountId), question), view);
    },
    async createKey({ expiresAt, ...key }, caller) {
      wholeAccount(caller);
      const expiry = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const made = await apiKeys.create(caller, { ...key, ...expiry });
      return { key: view(made.key), secret: made.secret };
    },
    async showKey({ keyId, accountId: asked }, caller) {
      const accountId = accountAsked(caller, asked);
      const key = await apiKeys.get(accountId, keyId);
      const used = await keyUse?.(accountId, keyId);
      return { key: view(key), ...defined({ usedIn30Days: used }) };
    },
    async updateKey({ keyId, accountId: asked, expiresAt, ...change }, caller) {
      const accountId = accountAsked(caller, asked);
      if (accountId !== caller.accountId) refuseAllButStopping({ ...change, expiresAt });
      const expiry = typeof expiresAt === "string" ? Date.parse(expiresAt) : expiresAt;
      const key = await apiKeys.update(caller, keyId, { ...change, expiresAt: expiry }, accountId);
      return { key: view(key) };
    },
    async rotateKey({ keyId, overlapSeconds }, caller) {
      wholeAccount(caller);
      return apiKeys.rotate(caller, keyId, overlapSeconds * 1000, ({ key, secret }) => ({
        key: view(key),
        secret,
      }));
    },
    async deleteKey({ keyId, accountId }, caller) {
      await apiKeys.revoke(caller, keyId, accountAsked(caller, accountId));
      return {};
    },
  };
}

/** Returns the account whose keys are meant: the caller's, or the one that an operator names. */
function accountAsked(caller: Caller, asked: string | undefined): string {
  const own = wholeAccount(caller);
  if (asked === undefined || asked === own || allows(caller.credential.scopes, "operator")) {
    return asked ?? own;
  }
  throw insufficientScope("operator", 'Keys of other accounts need the scope "operator".');
}

/** Rejects other changes to another account's key. An operator may only suspend and resume it. */
function refuseAllButStopping({ suspended: _, ...others }: Readonly<Record<string, unknown>>): void {
  const faults = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([path]) => ({
      path,
      message: "must not be given: of another account's key only suspended changes",
    }));
  if (faults.length > 0) throw invalidRequest(faults);
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
