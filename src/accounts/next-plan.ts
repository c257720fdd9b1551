import { type AuditTrail, type Note, SERVER } from "../audit/trail.ts";
import { invalidRequest } from "../contract/faults.ts";
import { collection, GLOBAL, type Store, StoreUnavailable, type Transaction } from "../store/store.ts";
import { type Clock, iso, repeat } from "../system/clock.ts";
import { DAY_MS, MINUTE_MS } from "../system/durations.ts";
import type { Log } from "../system/log.ts";
import { type Account, accounts, type NextPlan } from "./model.ts";
import { checkPlan, nameOfPlan, type Plan } from "./plan.ts";

/** How long before its plan ends an account is told. */
const NOTICE_MS = 3 * DAY_MS;
const EVERY_MS = MINUTE_MS;
/** Accounts looked up at once. */
const SLICE = 100;

/**
 * In GLOBAL, by the time at which an account is to be told of its next plan or gets it, so that a round reads only what
 * is due.
 */
export const planSteps = collection<{ accountId: string; dueAt: number }>("plan_steps");

/** A change of an account's plans. `nextPlan` is null to keep the plan, and absent to leave what was set. */
interface PlansChange {
  plan?: string | undefined;
  nextPlan?: NextPlan | null | undefined;
}

/** Returns what follows an account's plan after a change. One that names a plan alone gives it without an end. */
export function nextPlanAfter(before: NextPlan | undefined, change: PlansChange): NextPlan | undefined {
  if (change.nextPlan !== undefined) return change.nextPlan ?? undefined;
  return change.plan === undefined ? before : undefined;
}

/** Throws `Problem` `invalid_request` unless there is such a plan, other than the account's own, at a time to come. */
export function checkNextPlan(
  plans: readonly Plan[],
  { plan, nextPlan }: Pick<Account, "plan" | "nextPlan">,
  now: number,
): void {
  if (nextPlan === undefined) return;
  checkPlan(plans, nextPlan.plan, "nextPlan.plan");
  if (nextPlan.plan === plan) {
    throw invalidRequest([{ path: "nextPlan.plan", message: "is the account's plan already" }]);
  }
  if (nextPlan.at <= now) {
    throw invalidRequest([{ path: "nextPlan.at", message: "must lie in the future" }]);
  }
}

/** Keeps what is due in step with what follows an account's plan, in the transaction that changes that. */
export async function schedulePlan(
  tx: Transaction,
  accountId: string,
  { before, after, now }: { before?: NextPlan | undefined; after?: NextPlan | undefined; now: number },
): Promise<void> {
  if (before?.plan === after?.plan && before?.at === after?.at) return;
  for (const at of before ? [before.at - NOTICE_MS, before.at] : []) {
    await tx.delete(planSteps, GLOBAL, stepId(at, accountId));
  }
  if (!after) return;
  const noticeAt = after.at - NOTICE_MS;
  await putStep(tx, accountId, noticeAt > now ? noticeAt : after.at);
}

async function putStep(tx: Transaction, accountId: string, dueAt: number): Promise<void> {
  await tx.put(planSteps, GLOBAL, stepId(dueAt, accountId), { accountId, dueAt });
}

interface ChangingPorts {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  log: Pick<Log, "error">;
  /** Called within a transaction, three days before an account's plan ends. */
  onEnding: (tx: Transaction, account: Account) => Promise<void>;
}

/** Gives accounts their next plan when its time has come: at the start and every minute. */
export function startChangingPlans(ports: ChangingPorts): { stop(): void } {
  const work = () => takeDueSteps(ports).catch((err) => tell(ports, err));
  return { stop: repeat(ports.clock, EVERY_MS, work, { atOnce: true }) };
}

function tell({ log }: ChangingPorts, err: unknown, accountId?: string): void {
  if (!(err instanceof StoreUnavailable)) log.error({ err, accountId }, "a plan was not changed");
}

/** Takes the steps that are due. Several servers on one store may run this concurrently. */
async function takeDueSteps(ports: ChangingPorts): Promise<void> {
  const { store, audit, clock } = ports;
  for (let after: string | undefined; ; ) {
    const range = { order: "ascending", limit: SLICE, after } as const;
    const steps = await store.transact((tx) => tx.list(planSteps, GLOBAL, range));
    for (const { id, value } of steps) {
      const { accountId, dueAt } = value;
      if (dueAt > clock.now()) return;
      const taken = audit.transact({ ...SERVER, accountId }, (tx, note) => takeStep(ports, tx, note, id));
      await taken.catch((err) => {
        // A store that takes no write would refuse them all, one after the other, every minute.
        if (err instanceof StoreUnavailable) throw err;
        // The others do not wait for one that fails.
        tell(ports, err, accountId);
      });
    }
    if (steps.length < SLICE) return;
    after = steps.at(-1)?.id;
  }
}

async function takeStep(
  { clock, onEnding }: ChangingPorts,
  tx: Transaction,
  note: Note,
  id: string,
): Promise<void> {
  const step = await tx.get(planSteps, GLOBAL, id);
  if (!step) return;
  await tx.delete(planSteps, GLOBAL, id);
  const before = await tx.get(accounts, GLOBAL, step.accountId);
  if (!before?.nextPlan) return;
  const { nextPlan, ...rest } = before;
  const target = { kind: "account", id: before.id, name: before.name };
  if (nextPlan.at > clock.now()) {
    await putStep(tx, before.id, nextPlan.at);
    note({ action: "account.plan_ending", target, after: plansOf(before) });
    return onEnding(tx, before);
  }
  const after: Account = { ...rest, plan: nextPlan.plan };
  await tx.put(accounts, GLOBAL, before.id, after);
  note({
    action: "account.updated",
    target,
    before: plansOf(before),
    after: plansOf(after),
  });
}

type Plans = Pick<Account, "plan" | "nextPlan">;

/** Returns an account's plans as programs are told of them. */
export function plansOf({ plan, nextPlan }: Plans) {
  return { plan, ...(nextPlan && { nextPlan: { plan: nextPlan.plan, at: iso(nextPlan.at) } }) };
}

/** Returns an account's plans as people are told of them. */
export function namedPlansOf(plans: readonly Plan[], { plan, nextPlan }: Plans) {
  const named = (id: string) => ({ plan: id, planName: nameOfPlan(plans, id) });
  return { ...named(plan), ...(nextPlan && { nextPlan: { ...named(nextPlan.plan), at: iso(nextPlan.at) } }) };
}

function stepId(at: number, accountId: string): string {
  return `${iso(at)}/${accountId}`;
}
