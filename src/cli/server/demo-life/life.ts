import { createTransport } from "../../../client/transport/http-transport.ts";
import type { InternalControlPlane } from "../../../server/starting/assemble.ts";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import type { Random } from "../../../system/random.ts";
import { comeBy, type Stage } from "./actors.ts";
import { ACCOUNTS, type AccountRole } from "./cast.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Household, householdOf } from "./household.ts";
import type { PastClock } from "./past-clock.ts";
import { subscribe } from "./receivers.ts";
import { toolWork } from "./tool-work.ts";

export const DAYS = 60;
const SEED = 20_26;

/** The days on which an account exceeds its plan's limits, and the number of requests. */
const TOO_MUCH: readonly (readonly [day: number, account: number, requests: number])[] = [
  [24, 2, 60],
  [33, 2, 70],
  [46, 2, 85],
  [49, 1, 130],
  [53, 0, 140],
  [55, 1, 120],
  [57, 2, 75],
  [59, 2, 65],
];
const MISTYPED = [29, 29, 54];
/** The day on which somebody tries a revoked key that was in a build log. */
const LEAKED = 41;

/** A user to sign in as once the history is complete. */
export interface Way {
  as: string;
  email: string;
  /** A one-time link, valid for 15 minutes. */
  link: string;
}

export interface Lived {
  ways: Way[];
  accounts: { id: string; name: string; plan: string }[];
}

/**
 * Generates sixty days of three accounts and thirty people by making their requests to the server, and moves the clock
 * along. The result is the same each time except for ids, secrets and the day on which it ends.
 *
 * @param server a new, empty server that uses `clock` and trusts this program as its proxy
 * @param now the time at which the clock ends
 */
export async function live({
  server,
  clock,
  random,
  now,
  password,
  signal,
}: {
  server: Pick<InternalControlPlane, "app" | "url" | "signInUrl">;
  clock: PastClock;
  random: Random;
  now: number;
  /** The password of all users to sign in as. */
  password: string;
  signal: AbortSignal;
}): Promise<Lived> {
  const transport = createTransport();
  const stage: Stage = { server, clock, random, transport };
  const chance = chanceOf(SEED);
  const [first, ...others] = ACCOUNTS;
  const operator = await comeBy(stage, server.signInUrl ?? "", "read write admin operator", "198.51.100.100");
  await operator.api.call("PATCH /api/v1/accounts/{accountId}", {
    accountId: operator.accountId,
    name: first.name,
  });
  const homes = new Map<AccountRole, Household>();
  homes.set(first, householdOf(stage, { cast: first, owner: operator, chance, seat: 0 }));
  const work = toolWork(stage, chance);
  const { alerts } = server.app.services;
  const start = startOf(now);

  try {
    for (let day = 0; day <= DAYS; day++) {
      signal.throwIfAborted();
      const at = start + day * DAY_MS;
      const until = Math.min(now, at + DAY_MS - 1);
      const move = async (hour: number) => {
        await alerts.idle();
        await clock.moveTo(Math.min(until, at + hour * HOUR_MS));
        // Alerts that are due by now are sent at this hour.
        await alerts.idle();
      };
      await move(8);
      for (const [seat, cast] of others.entries()) {
        if (cast.people[0]?.day === day)
          homes.set(cast, await welcome(stage, cast, operator, chance, seat + 1));
      }
      for (const [cast, home] of homes) {
        if (day === 2 || day === (cast.people[0]?.day ?? 0) + 1) await nameProjects(cast, home);
        await home.meet(day);
        await home.keep(day);
      }
      await move(11);
      await changePlans(homes, operator.api, day);
      await subscribe(operator.api, day);
      const driver = homes.get(first)?.people.get("dmitri.volkov");
      await work.do(operator, driver, day, at, until);
      if (MISTYPED.includes(day)) await mistype(stage, MISTYPED.filter((each) => each === day).length);
      await move(15);
      await askTooMuch(homes, day);
      if (day === LEAKED) await tryRevoked(homes);
      await move(24);
      await Promise.all([...homes.values()].map((home) => home.use(day, at, until)));
    }
    await clock.moveTo(now);
    return { ways: await waysIn(stage, homes, operator.api, password), accounts: accountsOf(homes) };
  } finally {
    transport.close();
  }
}

/** Returns the start of the demo: midnight UTC, sixty days before today. */
export function startOf(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - DAYS * DAY_MS;
}

type Api = Household["programs"][number]["actor"]["api"];

async function welcome(
  stage: Stage,
  cast: AccountRole,
  operator: { api: Api },
  chance: Chance,
  seat: number,
): Promise<Household> {
  const owner = cast.people[0]?.name ?? "";
  const made = await operator.api.call("POST /api/v1/accounts", {
    name: cast.name,
    ownerEmail: `${owner}@${cast.domain}`,
    plan: cast.firstPlan ?? cast.plan,
  });
  const address = `198.51.100.${100 + seat * 40}`;
  const signed = await comeBy(stage, made.signInLink ?? "", "read write admin", address);
  return householdOf(stage, { cast, owner: signed, chance, seat });
}

async function nameProjects({ projects, people }: AccountRole, home: Household): Promise<void> {
  const owner = home.people.get(people[0]?.name ?? "");
  for (const { id, name } of projects)
    await owner?.api.call("PUT /api/v1/projects/{projectId}", { projectId: id, name });
}

/** Changes the second account's plan and limits, as the operator. */
async function changePlans(homes: ReadonlyMap<AccountRole, Household>, api: Api, day: number): Promise<void> {
  for (const [{ firstPlan, plan }, { accountId }] of homes) {
    if (firstPlan === undefined) continue;
    if (day === 28) await api.call("PATCH /api/v1/accounts/{accountId}", { accountId, plan });
    if (day === 45) {
      const limits = { requestsPerMinute: 60, burst: 90 };
      await api.call("PATCH /api/v1/accounts/{accountId}", { accountId, limits });
    }
  }
}

async function mistype({ server, random }: Stage, times: number): Promise<void> {
  const email = `ben.osei@${ACCOUNTS[0].domain}`;
  for (let time = 0; time < times; time++) {
    const visitor = { address: "192.0.2.200", userAgent: "curl/8.15.0", requestId: random.id("req") };
    await server.app.services.signIn.withPassword({ email, password: "not the password" }, visitor);
  }
}

/** Sends the requests all at once, so that those beyond the plan's burst are refused. */
async function askTooMuch(homes: ReadonlyMap<AccountRole, Household>, day: number): Promise<void> {
  for (const [when, account, requests] of TOO_MUCH) {
    const [program] = homes.get(ACCOUNTS[account] as AccountRole)?.programs ?? [];
    if (when !== day || !program) continue;
    const asked = Array.from({ length: requests }, () =>
      program.actor.api.call("GET /api/v1/agents", {}, { retry: false }).catch(() => undefined),
    );
    await Promise.all(asked);
  }
}

async function tryRevoked(homes: ReadonlyMap<AccountRole, Household>): Promise<void> {
  for (const { role, actor } of homes.get(ACCOUNTS[0])?.programs ?? []) {
    if (role.end !== "revoked") continue;
    await actor.api.call("GET /api/v1/agents", {}, { retry: false }).catch(() => undefined);
  }
}

/** Returns one user of each role that can sign in, with a password for later and a link for now. */
async function waysIn(
  stage: Stage,
  homes: ReadonlyMap<AccountRole, Household>,
  operator: Api,
  password: string,
): Promise<Way[]> {
  const { signIn } = stage.server.app.services;
  const ways: Way[] = [];
  for (const [cast, home] of homes) {
    const roles = cast === ACCOUNTS[0] ? ["owner", "admin", "member", "viewer"] : ["owner"];
    for (const role of roles) {
      const character = cast.people.find(({ role: is, name }) => is === role && home.people.has(name));
      const person = character && home.people.get(character.name);
      if (!person) continue;
      const { accountId, userId, address, email } = person;
      const target = { accountId, userId };
      const made = await operator.call("POST /api/v1/accounts/{accountId}/sign-in-link", target);
      const visitor = { address, userAgent: "", requestId: stage.random.id("req") };
      const secret = new URL(made.signInLink).searchParams.get("link") ?? "";
      const started = await signIn.consumeLink(secret, visitor);
      const signedIn = await signIn.lookUp(started?.secret ?? "");
      if (signedIn) await signIn.setPassword(signedIn, { password }, visitor);
      const { signInLink } = await operator.call("POST /api/v1/accounts/{accountId}/sign-in-link", target);
      const isOperator = role === "owner" && cast === ACCOUNTS[0];
      ways.push({
        as: `${isOperator ? "operator and owner" : role} of ${cast.name}`,
        email,
        link: signInLink,
      });
    }
  }
  return ways;
}

function accountsOf(homes: ReadonlyMap<AccountRole, Household>): Lived["accounts"] {
  return [...homes].map(([{ name, plan }, { accountId }]) => ({ id: accountId, name, plan }));
}
