import { startCrowd } from "../test/support/accounts/crowd.ts";
import { startPostgres } from "../test/support/services/postgres.ts";
import { type Visitor, visitor } from "../test/web/support/visitor.ts";
import { timesOf } from "./data/times.ts";

const ASKED = 20;
const SIZE = {
  users: 10_000,
  invited: 5_000,
  keys: Number(process.env.BENCH_KEYS ?? 10_000),
  days: 365,
  usesAnHour: 20,
  auditEntries: 1_000,
};

const API = [
  "/api/v1/users?limit=50",
  "/api/v1/users?limit=50&status=invited",
  "/api/v1/users?limit=50&query=person.9876",
  "/api/v1/users?limit=50&query=nobody-is-called-that",
  "/api/v1/keys?limit=50",
  "/api/v1/keys?limit=50&query=number 9876",
  "/api/v1/keys?limit=50&query=nothing-is-called-that",
  "/api/v1/keys?limit=50&sort=name",
  "/api/v1/keys?limit=50&sort=-lastUsedAt",
  "/api/v1/usage?granularity=hour",
  "/api/v1/usage?granularity=hour&groupBy=key",
  "/api/v1/usage?granularity=day&from=YEAR&groupBy=key",
  "/api/v1/usage?granularity=day&from=YEAR&groupBy=key&format=csv",
  "/api/v1/usage?granularity=day&from=YEAR",
];

const PAGES = [
  "/people",
  "/people?status=invited",
  "/people?query=person.9876",
  "/keys",
  "/keys?query=number+9876",
  "/keys?sort=-lastUsedAt",
  "/usage",
  "/usage?by=key&period=12m",
  "/usage?by=user&period=90d",
];

/** Measures an account of 10,000 users, half of them invited, 10,000 keys and a year of usage, on both stores. */
export async function run(): Promise<void> {
  await measure("a directory");
  const postgres = await startPostgres();
  try {
    await measure("PostgreSQL", postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function measure(name: string, database?: string): Promise<void> {
  const begun = performance.now();
  const crowd = await startCrowd(SIZE, database);
  console.log(`\n${name}: filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  try {
    const owner = visitor(crowd.url);
    const link = new URL(crowd.signInUrl);
    await owner.send(await owner.get(link.pathname + link.search), "/sign-in");
    const from = new Date(Date.now() - 364 * 24 * 60 * 60_000).toISOString().slice(0, 10);
    const headers = { authorization: `Bearer ${crowd.key}` };
    for (const path of API) await ask(owner, path.replace("YEAR", from), headers);
    for (const path of PAGES) await ask(owner, path);
  } finally {
    await crowd.close();
  }
}

async function ask(browser: Visitor, path: string, headers = {}): Promise<void> {
  let bytes = 0;
  const times = await timesOf(async () => {
    const { status, html } = await browser.get(path, headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${html.slice(0, 300)}`);
    bytes = html.length;
  }, ASKED);
  console.log(`  ${path.padEnd(64)} ${(bytes / 1024).toFixed(0).padStart(5)} KB  ${times}`);
}
