import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { insertUser, join } from "../memberships.ts";
import { type Account, accounts, type Person, type User } from "../model.ts";
import { plansOf, schedulePlan } from "../next-plan.ts";
import { createPerson } from "../people.ts";
import { createHourly } from "./hourly.ts";
import { admits, type SignUpRule } from "./sign-up.ts";

/** New accounts an hour, from one address and in total, to bound what strangers can create. */
const MAX_OF_ADDRESS = 10;
const MAX_OF_INSTANCE = 500;

/** The data known about a new person. The address, if any, is proven and not taken. */
export type Known = Partial<Pick<Person, "id" | "email" | "name">>;

/** The sign-up of people who were not invited. */
export interface Newcomers {
  /** Whether anybody may sign up. */
  admitSome: boolean;
  /** Whether somebody who has proven this address, or none, may sign up. */
  admits(email: string | undefined): boolean;
  /** Counts a sign-up. `Problem` `rate_limited` if the address, or the instance, had too many. */
  count(address: string): Promise<void>;
  /** Creates a person and an account that they own. */
  welcome(tx: Transaction, known: Known): Promise<{ person: Person; user: User; account: Account }>;
}

/**
 * @param plansAt returns the plan of an account that is made at a time, and what follows it.
 * @param subjectOf maps an IP address to the subject that it is counted by.
 */
export function createNewcomers({
  store,
  clock,
  random,
  rule,
  plansAt,
  subjectOf,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  rule: SignUpRule;
  plansAt: (now: number) => Pick<Account, "plan" | "nextPlan">;
  subjectOf: (address: string) => string;
}): Newcomers {
  const hourly = createHourly({ store, clock, purpose: "sign-up" });
  return {
    admitSome: rule !== "invite",
    admits: (email) => admits(rule, email),
    count: (address) =>
      hourly.takeOrRefuse(
        { [subjectOf(address)]: MAX_OF_ADDRESS, instance: MAX_OF_INSTANCE },
        "Too many accounts were made within an hour.",
      ),
    async welcome(tx, known) {
      const createdAt = clock.now();
      const account: Account = {
        id: random.id("acc"),
        name: nameOf(known),
        ...plansAt(createdAt),
        createdAt,
      };
      const user: User = {
        id: random.id("usr"),
        accountId: account.id,
        email: known.email ?? nameOf(known),
        role: "owner",
        createdAt,
      };
      await tx.insert(accounts, GLOBAL, account.id, account);
      await schedulePlan(tx, account.id, { after: account.nextPlan, now: createdAt });
      await insertUser(tx, user);
      const proven = known.email === undefined ? {} : { emailProvenAt: createdAt };
      const person = await createPerson(tx, { clock, random }, { ...known, ...proven });
      return { ...(await join(tx, person, user)), account };
    },
  };
}

/** Returns how a sign-up is noted in the audit log. */
export function signedUp(account: Account) {
  return { action: "account.signed_up", after: { name: account.name, ...plansOf(account) } };
}

function nameOf({ name, email = "" }: Known): string {
  return name ?? email.slice(0, email.lastIndexOf("@"));
}
