import type { z } from "zod";
import { accountsCollections } from "../../src/accounts/collections.ts";
import { type Account, accounts } from "../../src/accounts/model.ts";
import { createProjects, type Projects } from "../../src/accounts/projects/projects.ts";
import { auditCollections } from "../../src/audit/model.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { type Endpoint, type Handler, Reply } from "../../src/contract/endpoint.ts";
import { meteringCollections } from "../../src/metering/collections.ts";
import { meteringContract } from "../../src/metering/contract.ts";
import { createEntitlements, usableMs } from "../../src/metering/entitlements.ts";
import { meteringHandlers } from "../../src/metering/handlers.ts";
import type { BoundsPorts } from "../../src/metering/limits/bounds-report.ts";
import { createUseLimits, type MonthlyUses, type UseLimits } from "../../src/metering/limits/use-limits.ts";
import { type Catalogue, loadCatalogue } from "../../src/metering/plans.ts";
import { createSigningKeys, type SigningKeys } from "../../src/metering/signing-keys/signing-keys.ts";
import { GLOBAL, type Store } from "../../src/store/store.ts";
import { testTrail } from "../support/accounts/audit.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore } from "../support/store.ts";

/** The use of an account that has computed nothing. */
export const nothingUsed: BoundsPorts["computeUse"] = (_, { computeSecondsPerMinute }) => ({
  computeSecondsLeft: computeSecondsPerMinute,
  jobsInFlight: 0,
});

/** Of an account whose uses in a month are not limited. */
export const noUseLimits: BoundsPorts["useLimits"] = { all: async () => [] };

type Contract = typeof meteringContract;

export interface Answer<T> {
  body: T;
  headers: Record<string, string>;
  /** Text that the handler formatted itself. */
  raw: string | undefined;
}

/** Metering's endpoints as the server calls them: schemas parse input and output. */
export type MeteringApi = {
  [Name in keyof Contract]: (
    input: unknown,
    caller?: Partial<Caller>,
  ) => Promise<Answer<z.output<Contract[Name]["output"]>>>;
};

export interface Metering {
  api: MeteringApi;
  store: Store;
  clock: FakeClock;
  catalogue: Catalogue;
  signingKeys: SigningKeys;
  projects: Projects;
  useLimits: UseLimits;
  /** What was said of the use of limits by the month, for alerts. */
  watched: MonthlyUses[];
  /** Changes the default caller's account. */
  setAccount(change: Partial<Account>): Promise<void>;
}

export const ACCOUNT = "acc_one";
export const ISSUER = "https://control.example";

export async function openMetering(
  options: { clock?: FakeClock; store?: Store; catalogue?: Catalogue } = {},
): Promise<Metering> {
  const clock = options.clock ?? fakeClock();
  const collections = [...accountsCollections, ...auditCollections, ...meteringCollections];
  const store = options.store ?? (await openTestStore({ clock, collections }));
  const catalogue = options.catalogue ?? loadCatalogue();
  const signingKeys = createSigningKeys({
    store,
    audit: testTrail(store, clock),
    clock,
    lifetimeMs: usableMs(catalogue),
  });
  const projects = createProjects({ store, audit: testTrail(store, clock), clock, plans: catalogue.tiers });
  const watched: MonthlyUses[] = [];
  const watch: UseLimits["watch"] = (_accountId, uses) => void watched.push(...(uses as MonthlyUses[]));
  const useLimits = createUseLimits({ store, clock, catalogue, watch });
  const handlers = meteringHandlers({
    store,
    bounded: store,
    computeUse: nothingUsed,
    useLimits,
    onCounted: () => {},
    openStreams: () => 0,
    clock,
    random: seededRandom(clock),
    catalogue,
    signingKeys,
    entitlements: createEntitlements({ store, clock, catalogue, signingKeys, issuer: () => ISSUER }),
    projects,
  });

  let account: Account = { id: ACCOUNT, name: "One", plan: "team", createdAt: clock.now() };
  const setAccount = (change: Partial<Account>) => {
    account = { ...account, ...change };
    return store.transact((tx) => tx.put(accounts, GLOBAL, ACCOUNT, account));
  };
  await setAccount({});
  return {
    api: asServed(handlers),
    store,
    clock,
    catalogue,
    signingKeys,
    projects,
    useLimits,
    watched,
    setAccount,
  };
}

function asServed(handlers: Record<keyof Contract, unknown>): MeteringApi {
  const entries = Object.entries(meteringContract).map(([name, endpoint]: [string, Endpoint]) => {
    const handler = handlers[name as keyof Contract] as Handler;
    return [
      name,
      async (input: unknown, caller: Partial<Caller> = {}): Promise<Answer<unknown>> => {
        const result = await handler(endpoint.input.parse(input), { ...CALLER, ...caller });
        const reply = result instanceof Reply ? result : new Reply(result);
        const raw = reply.extras.raw === undefined ? undefined : await wholeOf(reply.extras.raw);
        const sent = raw ?? JSON.stringify(reply.body);
        const { headers = {} } = reply.extras;
        if (headers["Content-Type"]?.startsWith("text/csv")) return { body: undefined, headers, raw };
        endpoint.output.parse(JSON.parse(sent));
        return { body: JSON.parse(sent), headers, raw };
      },
    ];
  });
  return Object.fromEntries(entries) as MeteringApi;
}

async function wholeOf(raw: NonNullable<Reply["extras"]["raw"]>): Promise<string> {
  if (typeof raw === "string" || Buffer.isBuffer(raw)) return raw.toString();
  let whole = "";
  for await (const piece of raw) whole += piece;
  return whole;
}

export const CALLER: Caller = {
  accountId: ACCOUNT,
  userId: "usr_one",
  credential: { kind: "api_key", id: "key_one", scopes: ["write"] },
  projectId: "default",
  projectNamed: false,
  address: "192.0.2.1",
  userAgent: "test",
  requestId: "req_test",
  signal: new AbortController().signal,
};

/** Returns a caller that names a project, as the header `X-Project-Id` does. */
export function inProject(projectId: string): Partial<Caller> {
  return { projectId, projectNamed: true };
}
