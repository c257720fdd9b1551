import { insufficientScope } from "../accounts/insufficient-scope.ts";
import type { Manager } from "../accounts/users/managers.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { allows, type Caller } from "../contract/caller.ts";
import { invalidRequest } from "../contract/faults.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { CheckUrl } from "../system/network/public-url.ts";
import type { Random } from "../system/random.ts";
import { type AlertType, isAboutAccounts } from "./alert.ts";
import {
  ABOUT_ACCOUNTS,
  deliveries,
  MAX_WEBHOOKS,
  pendingDeliveries,
  type Queue,
  queues,
  type Webhook,
  type WebhookSecret,
  watchers,
  webhookSecrets,
  webhooks,
} from "./model.ts";
import { deleteQueue, endPause, makeDue, queueOf, waitingFor } from "./queue.ts";
import { newWebhookSecret, shownSecret } from "./signature.ts";

/** A webhook with the state of its queue. */
export interface KnownWebhook extends Webhook, Pick<Queue, "failingSince" | "lastDeliveredAt" | "dropped"> {
  waiting: number;
  previousSecretEndsAt?: number;
}

export interface WebhookChange {
  url?: string | undefined;
  description?: string | undefined;
  /** Null selects all types. */
  types?: AlertType[] | null | undefined;
  enabled?: boolean | undefined;
}

/**
 * The webhooks of accounts. Methods throw `Problem` `not_found` if the account has no such webhook, and those that change
 * something `insufficient_scope` if it gets alerts about accounts, or some wait for it, and the caller is no operator.
 */
export interface Webhooks {
  list(accountId: string): Promise<KnownWebhook[]>;
  get(accountId: string, webhookId: string): Promise<KnownWebhook>;
  /** Creates a webhook. Its secret is returned only here. `Problem` `conflict` if there are `MAX_WEBHOOKS`. */
  create(
    by: Manager,
    given: { url: string; description: string; types?: AlertType[] | undefined },
  ): Promise<{ webhook: KnownWebhook; secret: string }>;
  update(by: Manager, webhookId: string, change: WebhookChange): Promise<KnownWebhook>;
  /** Issues another secret. The result of `view` is returned and kept as the request's idempotent answer. */
  rotate<T>(
    by: Manager & Pick<Caller, "answer">,
    webhookId: string,
    overlapMs: number,
    view: (rotated: { webhook: KnownWebhook; secret: string }) => T,
  ): Promise<T>;
  delete(by: Manager, webhookId: string): Promise<void>;
}

/** Deliveries deleted in one transaction, few enough not to block other requests. */
const SLICE = 200;

export function createWebhooks({
  store,
  audit,
  clock,
  random,
  checkUrl,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Pick<Clock, "now">;
  random: Random;
  checkUrl: CheckUrl;
}): Webhooks {
  function checked(given: string): string {
    const url = new URL(given);
    const fault = checkUrl(url)?.message ?? (hasExtras(url) ? "it has a user, a password or a fragment" : "");
    if (fault) throw invalidRequest([{ path: "url", message: `cannot be sent to: ${fault}` }]);
    return url.href;
  }

  return {
    list: (accountId) =>
      store.transact(async (tx) => {
        const all = await tx.list(webhooks, accountSpace(accountId));
        return Promise.all(all.map(({ value }) => known(tx, accountId, value, clock.now())));
      }),
    get: (accountId, webhookId) =>
      store.transact(async (tx) =>
        known(tx, accountId, await webhookOf(tx, accountId, webhookId), clock.now()),
      ),
    async create(by, { url, description, types }) {
      const { accountId, userId } = by;
      checkReach(by, types);
      const webhook: Webhook = {
        id: random.id("whk"),
        url: checked(url),
        description,
        ...(types && { types: [...new Set(types)] }),
        enabled: true,
        createdBy: userId,
        createdAt: clock.now(),
      };
      const secret = newWebhookSecret(random);
      return audit.transact(by, async (tx, note) => {
        const space = accountSpace(accountId);
        if ((await tx.ids(webhooks, space, { limit: MAX_WEBHOOKS })).length === MAX_WEBHOOKS) {
          throw new Problem("conflict", `An account has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
        }
        await tx.insert(webhooks, space, webhook.id, webhook);
        await tx.insert(webhookSecrets, space, webhook.id, { secret });
        await keepWatchers(tx, accountId, webhook);
        note({ action: "webhook.created", target: targetOf(webhook), after: tellable(webhook) });
        return { webhook: await known(tx, accountId, webhook, clock.now()), secret: shownSecret(secret) };
      });
    },
    update: (by, webhookId, { url, description, types, enabled }) =>
      audit.transact(by, async (tx, note) => {
        const { accountId } = by;
        const before = await webhookFor(tx, by, webhookId);
        checkReach(by, types);
        const { types: _, disabled, ...kept } = before;
        const chosen = types === undefined ? before.types : types === null ? undefined : [...new Set(types)];
        const after: Webhook = {
          ...kept,
          ...(url !== undefined && { url: checked(url) }),
          ...defined({ description }),
          ...(chosen && { types: chosen }),
          ...defined({ enabled }),
          ...(disabled && enabled !== true && { disabled }),
        };
        await tx.put(webhooks, accountSpace(accountId), webhookId, after);
        await keepWatchers(tx, accountId, after);
        if (enabled === true && !before.enabled) await forgive(tx, accountId, webhookId);
        if (after.url !== before.url) await endPause(tx, accountId, webhookId);
        if (enabled === false && before.enabled) await makeDue(tx, accountId, webhookId, clock.now());
        const told = { before: tellable(before), after: tellable(after) };
        note({ action: "webhook.updated", target: targetOf(after), ...told });
        return known(tx, accountId, after, clock.now());
      }),
    rotate(by, webhookId, overlapMs, view) {
      const secret = newWebhookSecret(random);
      const rotatedAt = clock.now();
      return audit.transact(
        by,
        async (tx, note) => {
          const { accountId } = by;
          const space = accountSpace(accountId);
          const webhook = { ...(await webhookFor(tx, by, webhookId)), rotatedAt };
          const before = await tx.get(webhookSecrets, space, webhookId);
          const endsAt = rotatedAt + overlapMs;
          const previous = before && overlapMs > 0 && { previous: { secret: before.secret, endsAt } };
          const after: WebhookSecret = { secret, ...previous };
          await tx.put(webhooks, space, webhookId, webhook);
          await tx.put(webhookSecrets, space, webhookId, after);
          note({
            action: "webhook.rotated",
            target: targetOf(webhook),
            before: {},
            after: { previousEndsAt: endsAt },
          });
          const rotated = await known(tx, accountId, webhook, clock.now());
          return view({ webhook: rotated, secret: shownSecret(secret) });
        },
        by.answer,
      );
    },
    async delete(by, webhookId) {
      const { accountId } = by;
      const space = accountSpace(accountId);
      await audit.transact(by, async (tx, note) => {
        const webhook = await webhookFor(tx, by, webhookId);
        await tx.delete(webhooks, space, webhookId);
        await tx.delete(webhookSecrets, space, webhookId);
        await deleteQueue(tx, accountId, webhookId);
        await keepWatchers(tx, accountId, { id: webhookId });
        note({ action: "webhook.deleted", target: targetOf(webhook), before: tellable(webhook) });
      });
      for (let left = true; left; ) {
        left = await store.transact(async (tx) => {
          const ids = await tx.ids(deliveries, space, { prefix: `${webhookId}/`, limit: SLICE });
          for (const id of ids) {
            await tx.delete(deliveries, space, id);
            await tx.delete(pendingDeliveries, space, id);
          }
          return ids.length === SLICE;
        });
      }
    },
  };
}

export async function webhookOf(tx: Transaction, accountId: string, webhookId: string): Promise<Webhook> {
  const found = await tx.get(webhooks, accountSpace(accountId), webhookId);
  if (found) return found;
  throw new Problem("not_found", `There is no webhook ${webhookId} in this account.`);
}

/** Returns a webhook that the caller may change. */
async function webhookFor(tx: Transaction, by: Manager, webhookId: string): Promise<Webhook> {
  const { accountId } = by;
  const webhook = await webhookOf(tx, accountId, webhookId);
  checkReach(by, webhook.types);
  if (mayHaveAll(by)) return webhook;
  // What it got while it named them may still wait, and would go to another URL along with all else.
  for (const { key } of await waitingFor(tx, accountId, webhookId)) {
    const delivery = await tx.get(deliveries, accountSpace(accountId), key);
    if (delivery) checkReach(by, [delivery.type]);
  }
  return webhook;
}

/**
 * Keeps whether a webhook gets alerts about accounts where each change of an account can peek at it: reading the webhooks
 * instead would make all such changes wait for each other.
 */
async function keepWatchers(
  tx: Transaction,
  accountId: string,
  { id, types }: Pick<Webhook, "id" | "types">,
): Promise<void> {
  const space = accountSpace(accountId);
  const before = (await tx.get(watchers, space, ABOUT_ACCOUNTS))?.webhookIds ?? [];
  const wants = types?.some(isAboutAccounts) ?? false;
  if (before.includes(id) === wants) return;
  const webhookIds = wants ? [...before, id] : before.filter((other) => other !== id);
  if (webhookIds.length > 0) await tx.put(watchers, space, ABOUT_ACCOUNTS, { webhookIds });
  else await tx.delete(watchers, space, ABOUT_ACCOUNTS);
}

/** Throws `Problem` `insufficient_scope` unless alerts of these types are the caller's to have. */
export function checkReach(by: Manager, types: readonly string[] | null | undefined): void {
  if (!types?.some(isAboutAccounts) || mayHaveAll(by)) return;
  throw insufficientScope("operator", 'Alerts about accounts of the server need the scope "operator".');
}

/** Whether alerts about accounts of the server are the caller's to have, too. */
export function mayHaveAll({ credential }: Manager): boolean {
  return allows(credential?.scopes ?? [], "operator");
}

/** Resets the failures of a webhook that is turned on again. */
async function forgive(tx: Transaction, accountId: string, webhookId: string): Promise<void> {
  const { failingSince: _, failing: __, notBefore: ___, ...queue } = await queueOf(tx, accountId, webhookId);
  await tx.put(queues, accountSpace(accountId), webhookId, { ...queue, failures: 0 });
}

async function known(
  tx: Transaction,
  accountId: string,
  webhook: Webhook,
  now: number,
): Promise<KnownWebhook> {
  const space = accountSpace(accountId);
  const { failingSince, lastDeliveredAt, dropped } = await queueOf(tx, accountId, webhook.id);
  const { previous } = (await tx.get(webhookSecrets, space, webhook.id)) ?? {};
  return {
    ...webhook,
    waiting: (await tx.ids(pendingDeliveries, space, { prefix: `${webhook.id}/` })).length,
    dropped,
    ...defined({ failingSince, lastDeliveredAt }),
    ...(previous && previous.endsAt > now && { previousSecretEndsAt: previous.endsAt }),
  };
}

function hasExtras({ username, password, hash }: URL): boolean {
  return username !== "" || password !== "" || hash !== "";
}

function tellable({ url, description, types, enabled }: Webhook) {
  return { url: withoutQuery(url), description, types, enabled };
}

/** Returns what an audit entry names of a webhook. */
export function targetOf({ id, url }: Webhook) {
  return { kind: "webhook", id, name: new URL(url).host };
}

/** Returns a URL for others to see, without its query, which may hold a secret of the receiver. */
export function withoutQuery(url: string): string {
  const [beginning = "", query] = url.split("?", 2);
  return query === undefined ? beginning : `${beginning}?…`;
}
