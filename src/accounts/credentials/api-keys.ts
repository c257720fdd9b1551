import type { AuditTrail, Change } from "../../audit/trail.ts";
import { type Caller, SCOPES, type Scope } from "../../contract/caller.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { cachedFor } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { refuseIfFull } from "../account-limits.ts";
import { type ApiKey, accounts, apiKeys, users } from "../model.ts";
import type { PageOf } from "../page.ts";
import type { Projects } from "../projects/projects.ts";
import { changeAction, sinceAfter } from "../suspension.ts";
import type { Manager } from "../users/managers.ts";
import type { Binding } from "./binding.ts";
import { isEndedByMark } from "./ending.ts";
import { type KeyQuestion, type KnownKey, searchKeys, shown } from "./key-search.ts";
import { deleteCredentials, endedKeyOf, endSecret, newKeySecret, putCredentials } from "./key-secrets.ts";
import { checkHolder, checkMayChange, checkMayGive, type KeyMaker } from "./may-give.ts";

export interface NewApiKey extends Binding {
  name: string;
  scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined;
}

/** Changes to a key. An absent member stays as it is; null removes it. */
export type KeyChange = {
  [Member in Exclude<keyof NewApiKey, "name" | "scopes">]?: NewApiKey[Member] | null;
} & {
  name?: string | undefined;
  scopes?: readonly Scope[] | undefined;
  /** True suspends the key with immediate effect; false resumes it. */
  suspended?: boolean | undefined;
};

const MAX_EXPIRING = 20;

/** The API keys of accounts. Methods that take a key id throw `Problem` `not_found` if the account has no such key. */
export interface ApiKeys {
  list(accountId: string, question: KeyQuestion): Promise<PageOf<KnownKey>>;
  get(accountId: string, keyId: string): Promise<KnownKey>;
  /** Returns the working keys that expire soonest within a time. The result may be some seconds old. */
  expiring(accountId: string, withinMs: number): Promise<PageOf<KnownKey>>;
  /**
   * Creates a key. Its secret is returned only here. `Problem` `insufficient_scope` or `forbidden` if the key may do
   * more than its maker.
   */
  create(maker: KeyMaker, key: NewApiKey): Promise<{ key: KnownKey; secret: string }>;
  /**
   * Changes a key. `Problem` `insufficient_scope` or `forbidden` if the key may do more than the caller, before or
   * after the change. Suspending a key is exempt: everyone who may revoke it may do that.
   * @param accountId another account, for an operator of this server; the check is then skipped.
   */
  update(by: KeyMaker, keyId: string, change: KeyChange, accountId?: string): Promise<KnownKey>;
  /**
   * Issues another secret for a key, returned only here. The current secret works for `overlapMs` more; the one before
   * it ends. The result of `view` is returned and kept as the request's idempotent answer. `Problem` as for `update`,
   * and `invalid_state` for an expired or suspended key.
   */
  rotate<T>(
    by: KeyMaker & Pick<Caller, "answer">,
    keyId: string,
    overlapMs: number,
    view: (rotated: { key: KnownKey; secret: string }) => T,
  ): Promise<T>;
  /** Revokes a key with immediate effect. @param accountId another account, for an operator of this server. */
  revoke(by: Manager, keyId: string, accountId?: string): Promise<void>;
}

export function createApiKeys({
  store,
  audit,
  clock,
  random,
  projects,
  knowsTool = () => true,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  projects: Pick<Projects, "getOrCreateIn">;
  /** Whether a name or pattern matches at least one endpoint, tool or upstream. */
  knowsTool?: (tool: string) => boolean;
}): ApiKeys {
  // Cached, because it reads all keys of the account, and an open console page asks every few seconds.
  const keptExpiring = cachedFor<PageOf<KnownKey>>(clock, { forMs: 10_000, most: 200 });

  function check({ tools, expiresAt }: Pick<KeyChange, "tools" | "expiresAt">): void {
    for (const [index, tool] of (tools ?? []).entries()) {
      if (knowsTool(tool)) continue;
      const message = `"${tool}" names no endpoint, tool or upstream here`;
      throw invalidRequest([{ path: `tools.${index}`, message }]);
    }
    if (expiresAt != null && expiresAt <= clock.now()) {
      throw invalidRequest([{ path: "expiresAt", message: "must lie in the future" }]);
    }
  }

  return {
    list: (accountId, question) => searchKeys(store, accountId, question, clock.now()),
    expiring: (accountId, withinMs) =>
      keptExpiring(`${accountId} ${withinMs}`, () => {
        const now = clock.now();
        const expires = { from: now, to: now + withinMs };
        return searchKeys(store, accountId, { expires, sort: "expiresAt", limit: MAX_EXPIRING }, now);
      }),
    get: (accountId, keyId) =>
      store.transact(async (tx) => known(tx, accountId, await found(tx, accountId, keyId), clock.now())),
    async create(maker, { name, scopes, expiresAt, ...binding }) {
      const { accountId, userId, credential } = maker;
      const made = { scopes: SCOPES.filter((scope) => scopes.includes(scope)), ...bindingOf(binding) };
      checkMayGive(credential, made);
      check({ tools: binding.tools, expiresAt });
      const { secret, kept } = newKeySecret(random);
      const key: ApiKey = {
        id: random.id("key"),
        name,
        ...kept,
        ...made,
        userId,
        createdAt: clock.now(),
        ...defined({ expiresAt }),
      };
      return audit.transact(maker, async (tx, note) => {
        await checkHolder(tx, maker, key.scopes);
        note({ action: "key.created", target: targetOf(key), after: tellable(key) });
        await refuseIfFull(tx, apiKeys, accountId, FULL);
        if (key.projectId !== undefined) await projects.getOrCreateIn(tx, accountId, key.projectId);
        await tx.insert(apiKeys, accountSpace(accountId), key.id, key);
        await putCredentials(tx, accountId, key);
        return { key: await known(tx, accountId, key, clock.now()), secret };
      });
    },
    update: (by, keyId, change, accountId = by.accountId) =>
      audit.transact(by, async (tx, note) => {
        check(change);
        const before = await found(tx, accountId, keyId);
        const after = changed(before, change, clock.now());
        if (accountId === by.accountId && !stopsAlone(change)) await checkMayChange(tx, by, before, after);
        const { projectId } = after;
        if (projectId !== undefined && projectId !== before.projectId) {
          await projects.getOrCreateIn(tx, accountId, projectId);
        }
        await tx.put(apiKeys, accountSpace(accountId), keyId, after);
        if (!hasExpired(after, clock.now())) await putCredentials(tx, accountId, after);
        note({
          action: changeAction(before, after),
          accountId,
          target: targetOf(after),
          before: tellable(before),
          after: tellable(after),
        });
        return known(tx, accountId, after, clock.now());
      }),
    rotate(by, keyId, overlapMs, view) {
      const { secret, kept } = newKeySecret(random);
      const rotatedAt = clock.now();
      return audit.transact(
        by,
        async (tx, note) => {
          const { accountId } = by;
          const { previous: oldest, ...before } = await found(tx, accountId, keyId);
          await checkMayChange(tx, by, before, before);
          if (hasExpired(before, rotatedAt)) {
            throw new Problem("invalid_state", "This key has expired. Let it end later first.");
          }
          if (before.suspendedAt !== undefined) {
            throw new Problem("invalid_state", "This key is suspended. Resume it first.");
          }
          const { prefix, secretHash } = before;
          const issuedAt = before.rotatedAt ?? before.createdAt;
          const endsAt = rotatedAt + overlapMs;
          const key: ApiKey = {
            ...before,
            ...kept,
            rotatedAt,
            ...(overlapMs > 0 && { previous: { prefix, secretHash, issuedAt, endsAt } }),
          };
          const replaced = endedKeyOf(accountId, before, "replaced");
          if (oldest) await endSecret(tx, oldest.secretHash, replaced, rotatedAt);
          if (overlapMs === 0) await endSecret(tx, secretHash, replaced, rotatedAt);
          await tx.put(apiKeys, accountSpace(accountId), keyId, key);
          await putCredentials(tx, accountId, key);
          note({
            action: "key.rotated",
            target: targetOf(key),
            before: { prefix },
            after: { prefix: key.prefix, previousEndsAt: endsAt },
          });
          return view({ key: await known(tx, accountId, key, clock.now()), secret });
        },
        by.answer,
      );
    },
    revoke: (by, keyId, accountId = by.accountId) =>
      audit.transact(by, async (tx, note) => {
        const key = await found(tx, accountId, keyId);
        await tx.delete(apiKeys, accountSpace(accountId), keyId);
        await deleteCredentials(tx, accountId, key, clock.now());
        note({ ...revocationOf(key), accountId });
      }),
  };
}

const FULL = { what: "API keys", remedy: "Revoke those that are no longer used." };

export function hasExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

async function found(tx: Transaction, accountId: string, keyId: string): Promise<ApiKey> {
  const key = await tx.get(apiKeys, accountSpace(accountId), keyId);
  const account = await tx.get(accounts, GLOBAL, accountId);
  if (key && account && !isEndedByMark(account, key)) return key;
  throw new Problem("not_found", `There is no key ${keyId} in this account.`);
}

async function known(tx: Transaction, accountId: string, key: ApiKey, now: number): Promise<KnownKey> {
  return shown(key, await tx.get(users, accountSpace(accountId), key.userId), now);
}

function bindingOf({ projectId, tools, addresses }: Binding): Pick<ApiKey, keyof Binding> {
  return {
    ...defined({ projectId }),
    ...(tools && { tools: [...new Set(tools)] }),
    ...(addresses && { addresses: [...new Set(addresses)] }),
  };
}

function changed(before: ApiKey, { scopes, suspended, ...change }: KeyChange, now: number): ApiKey {
  const { suspendedAt: _, ...key } = before;
  const merged = {
    ...key,
    ...defined({ ...change, suspendedAt: sinceAfter(before.suspendedAt, suspended, now) }),
  };
  const kept = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null),
  ) as unknown as ApiKey;
  return {
    ...kept,
    ...bindingOf(kept),
    ...(scopes && { scopes: SCOPES.filter((scope) => scopes.includes(scope)) }),
  };
}

/** Whether a change only suspends the key, which grants nobody anything. */
function stopsAlone({ suspended, ...others }: KeyChange): boolean {
  return suspended === true && Object.values(others).every((value) => value === undefined);
}

/** Returns the members of a key that the audit log may hold. */
function tellable({ name, scopes, projectId, tools, addresses, expiresAt, suspendedAt }: ApiKey) {
  return { name, scopes, projectId, tools, addresses, expiresAt, suspendedAt };
}

/** Returns the audit log's change for a revoked key. */
export function revocationOf(key: ApiKey): Change {
  return { action: "key.revoked", target: targetOf(key), before: tellable(key) };
}

function targetOf({ id, name }: ApiKey) {
  return { kind: "key", id, name };
}
