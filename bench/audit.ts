import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditFilter, Whose } from "../src/audit/filter.ts";
import { createAuditLog } from "../src/audit/log.ts";
import { auditCollections } from "../src/audit/model.ts";
import { createAuditTrail } from "../src/audit/trail.ts";
import { openStore, openUnsafeStore } from "../src/store/open.ts";
import type { Store } from "../src/store/store.ts";
import { systemClock } from "../src/system/clock.ts";
import { createLog } from "../src/system/log.ts";
import { createRandom } from "../src/system/random.ts";
import { startPostgres } from "../test/support/services/postgres.ts";
import { timesOf } from "./data/times.ts";

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000);
const DAY_MS = 86_400_000;
const OF_ONE_COMMIT = 500;
const ASKED = 40;
const END = Date.now();
const MOST_MS = 100;

/**
 * Measures pages of an audit log with a million entries on both stores, and the memory of the JSON store. The trail
 * writes the entries into a directory; they are copied from there to PostgreSQL, as `tool data copy` does.
 */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const postgres = await startPostgres();
  const options = { clock: systemClock, collections: auditCollections, log: createLog("silent") };
  try {
    const directory = await openUnsafeStore(root, options);
    await write(directory);
    await measure("A directory", directory);
    const database = await openStore(postgres.url, options);
    const begun = performance.now();
    await database.load(directory.dump());
    console.log(`\nCopied to PostgreSQL in ${secondsSince(begun)} s`);
    await directory.close();
    await measure("PostgreSQL", database);
    await database.close();
  } finally {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function write(store: Store): Promise<void> {
  let now = END - 350 * DAY_MS;
  const random = createRandom({ now: () => now });
  const trail = createAuditTrail({ store, random, log: { info: () => {} } });
  global.gc?.();
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  for (let index = 0; index < ENTRIES; index += OF_ONE_COMMIT) {
    now += (350 * DAY_MS) / (ENTRIES / OF_ONE_COMMIT);
    // Spread over 350 days, a million entries stay below the audit log's daily bounds.
    await trail.transact({ accountId: "acc_bench", address: "", requestId: "" }, async (_, note) => {
      for (let each = index; each < index + OF_ONE_COMMIT; each++) note(changeOf(each));
    });
  }
  global.gc?.();
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
  console.log(
    `${ENTRIES} entries written in ${secondsSince(begun)} s; memory of the store: ${megabytes.toFixed(0)} MB`,
  );
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(0);
}

async function measure(name: string, store: Store): Promise<void> {
  console.log(`\n${name}`);
  const log = createAuditLog({ store });
  const month = { since: END - 60 * DAY_MS, until: END - 30 * DAY_MS };
  const filters: [string, AuditFilter, Whose?][] = [
    ["the newest", {}],
    ["the newest of all accounts", {}, "all"],
    ["one action", { action: "user.updated" }],
    ["one user", { actor: "usr_7" }],
    ["one user, nothing like it", { actor: "usr_7", action: "session.started" }],
    ["one user, of all accounts", { actor: "usr_7" }, "all"],
    ["one target", { target: "key_4321" }],
    ["one target, a month", { target: "key_4321", ...month }],
    ["one month", month],
    ["what was refused", { outcome: "refused" }],
    ["what was done", { outcome: "done" }],
    ["text, of one key", { query: "KEY 4321" }],
    ["text, nowhere", { query: "nothing like it" }],
    ["text, of all accounts", { query: "nothing like it" }, "all"],
  ];
  for (const [what, filter, whose = { accountId: "acc_bench" }] of filters) {
    const ask = () => log.page(whose, filter, { limit: 50 });
    console.log(`  ${what.padEnd(28)} ${await timesOf(ask, ASKED, MOST_MS)}`);
  }
}

function changeOf(index: number) {
  return {
    by: {
      accountId: "acc_bench",
      userId: `usr_${index % 1000}`,
      credential: { kind: "session" as const, id: `ses_${index % 5000}` },
      address: "192.0.2.1",
      requestId: "",
    },
    action: ["key.created", "user.updated", "session.started", "project.updated"][index % 4] as string,
    target: { kind: "key", id: `key_${index % 10_000}`, name: `key ${index % 10_000}` },
    before: { name: `before ${index}` },
    after: { name: `after ${index}` },
  };
}
