import { accounts, type User, users } from "../accounts/model.ts";
import { personOf } from "../accounts/people.ts";
import { includes } from "../accounts/roles.ts";
import { type Post, withoutLinks } from "../mail/post.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import { type Clock, iso } from "../system/clock.ts";
import { MINUTE_MS } from "../system/durations.ts";
import type { AlertType } from "./alert.ts";
import { lineOfBody } from "./lines.ts";
import { ACCOUNT, MAIL, mailOptOuts, type Outbox, outboxes, type ToldAlert } from "./model.ts";
import { makeDue, release } from "./queue.ts";
import type { Work } from "./sender.ts";

/** Alerts within this time go into one letter. */
const GATHER_MS = 10_000;
/** The pause between letters of one account, which allows six an hour. */
const PAUSE_MS = 10 * MINUTE_MS;
const MAX_LINES = 50;
const MAX_RECIPIENTS = 20;
/** The pause before a retry if the post queue has no room for all recipients. */
const RETRY_MS = MINUTE_MS;

const EMPTY: Outbox = { alerts: [], more: 0, lastSentAt: 0 };

export interface AlertMail {
  /** Adds an alert to the account's next letter. */
  add(tx: Transaction, accountId: string, told: ToldAlert): Promise<void>;
  /** Sends the collected alerts. */
  work: Work;
}

/** Mails alerts to the owners and admins of an account, many in one letter. */
export function createAlertMail({
  store,
  clock,
  post,
  pagesUrl,
  upgradeUrl,
}: {
  store: Pick<Store, "transact">;
  clock: Pick<Clock, "now">;
  post: Pick<Post, "send" | "takesMore">;
  pagesUrl: () => string;
  /** Where people get a larger plan. */
  upgradeUrl?: string | undefined;
}): AlertMail {
  async function outboxOf(tx: Transaction, accountId: string): Promise<Outbox> {
    return (await tx.get(outboxes, accountSpace(accountId), MAIL)) ?? EMPTY;
  }

  return {
    async add(tx, accountId, { type, at, body }) {
      const before = await outboxOf(tx, accountId);
      const isFull = before.alerts.length >= MAX_LINES;
      const line = { type, at, line: lineOfBody(type, body) };
      const after: Outbox = isFull
        ? { ...before, more: before.more + 1 }
        : { ...before, alerts: [...before.alerts, line] };
      await tx.put(outboxes, accountSpace(accountId), MAIL, after);
      await makeDue(tx, accountId, MAIL, Math.max(at + GATHER_MS, before.lastSentAt + PAUSE_MS));
    },
    async work(claimed) {
      const { accountId } = claimed;
      if (!post.takesMore(MAX_RECIPIENTS)) {
        return store.transact((tx) => release(tx, claimed, clock.now() + RETRY_MS));
      }
      const sent = await store.transact(async (tx) => {
        const outbox = await outboxOf(tx, accountId);
        const account = await tx.get(accounts, GLOBAL, accountId);
        const recipients = account && outbox.alerts.length > 0 ? await recipientsOf(tx, accountId) : [];
        await release(tx, claimed, undefined);
        if (!account) return undefined;
        await tx.put(outboxes, accountSpace(accountId), MAIL, { ...EMPTY, lastSentAt: clock.now() });
        return { outbox, recipients, name: account.name };
      });
      for (const { to, off } of sent?.recipients ?? []) {
        const letter = sent && letterOf(to, off, sent.outbox, sent.name);
        if (letter) post.send(async () => letter);
      }
    },
  };

  function letterOf(to: string, off: ReadonlySet<AlertType>, { alerts, more }: Outbox, name: string) {
    const account = withoutLinks(name);
    const wanted = alerts.filter(({ type }) => !off.has(type));
    const [first] = wanted;
    if (!first) return undefined;
    const all = wanted.length + more;
    const isOfLimits = wanted.some(({ type }) => type === "limit.warning" || type === "limit.reached");
    const larger =
      isOfLimits && upgradeUrl !== undefined ? `\nA larger plan has more room: ${upgradeUrl}\n` : "";
    const lines = wanted.map(({ at, line }) => `${iso(at).slice(0, 16).replace("T", " ")}  ${line}`);
    return {
      to,
      subject: all === 1 ? first.line : `${all} alerts of ${account}`,
      text: `Account “${account}” (times are UTC):

${lines.join("\n")}
${more > 0 ? `\n… and ${more} more.\n` : ""}${larger}
See what became of them, and choose which of them you are mailed:

${pagesUrl()}/alerts
`,
    };
  }
}

interface Recipient {
  to: string;
  off: ReadonlySet<AlertType>;
}

/** Lists the recipients, owners first. Their address must be proven, except for the operator's. */
async function recipientsOf(tx: Transaction, accountId: string): Promise<Recipient[]> {
  const space = accountSpace(accountId);
  const all = (await tx.list(users, space)).map(({ value }) => value);
  const admins = all
    .filter(({ role, suspendedAt }) => includes(role, "admin") && suspendedAt === undefined)
    .sort((one, other) => Number(other.role === "owner") - Number(one.role === "owner"));
  const ofAll = (await tx.get(mailOptOuts, space, ACCOUNT))?.off ?? [];
  const recipients: Recipient[] = [];
  for (const user of admins) {
    if (recipients.length === MAX_RECIPIENTS) break;
    const to = await addressOf(tx, user);
    if (to === undefined) continue;
    const own = (await tx.get(mailOptOuts, space, user.id))?.off ?? [];
    recipients.push({ to, off: new Set([...ofAll, ...own]) });
  }
  return recipients;
}

async function addressOf(tx: Transaction, user: User): Promise<string | undefined> {
  if (user.personId === undefined) return undefined;
  const person = await personOf(tx, user);
  const isProven = person?.email !== undefined && person.emailProvenAt !== undefined;
  return isProven || user.operator ? (person?.email ?? user.email) : undefined;
}
