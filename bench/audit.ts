import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditFilter, createAuditLog, type Whose } from "../src/audit/log.ts";
import { auditCollections } from "../src/audit/model.ts";
import { createAuditTrail } from "../src/audit/trail.ts";
import { openStore } from "../src/store/open.ts";
import { systemClock } from "../src/system/clock.ts";
import { createLog } from "../src/system/log.ts";
import { createRandom } from "../src/system/random.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { timesOf } from "./data/times.ts";

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000);
const OF_ONE_COMMIT = 500;
const ASKED = 40;

/** Pages of an audit log with a million entries, on both stores, and what the JSON store needs for them. */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const postgres = await startPostgres();
  try {
    await measure("a directory", root);
    await measure("PostgreSQL", postgres.url);
  } finally {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function measure(name: string, where: string): Promise<void> {
  let now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const store = await openStore(where, { clock, collections: auditCollections, log: createLog("silent") });
  const random = createRandom({ now: () => now });
  const trail = createAuditTrail({ store, random, log: { info: () => {} } });
  global.gc?.();
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  for (let index = 0; index < ENTRIES; index += OF_ONE_COMMIT) {
    now += 30_000_000_000 / (ENTRIES / OF_ONE_COMMIT);
    // As the server itself, whom no bound of a day holds up.
    await trail.transact({ accountId: "acc_bench", address: "", requestId: "" }, async (_, note) => {
      for (let each = index; each < index + OF_ONE_COMMIT; each++) note(changeOf(each));
    });
  }
  const seconds = (performance.now() - begun) / 1000;
  global.gc?.();
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
  console.log(`\n${name}: ${ENTRIES} entries written in ${seconds.toFixed(0)} s`);
  if (where.startsWith("/")) console.log(`  memory of the store: ${megabytes.toFixed(0)} MB`);

  const log = createAuditLog({ store });
  const month = { since: now - 60 * 86_400_000, until: now - 30 * 86_400_000 };
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
    console.log(`  ${what.padEnd(28)} ${await timesOf(ask, ASKED)}`);
  }
  await store.close();
}

function changeOf(index: number) {
  return {
    by: {
      accountId: "acc_bench",
      userId: `usr_${index % 1000}`,
      credential: { kind: "session" as const, id: `ses_${index % 5000}` },
      address: "192.0.2.1",
      // No bound of a day holds up what the server does by itself.
      requestId: "",
    },
    action: ["key.created", "user.updated", "session.started", "project.updated"][index % 4] as string,
    target: { kind: "key", id: `key_${index % 10_000}`, name: `key ${index % 10_000}` },
    before: { name: `before ${index}` },
    after: { name: `after ${index}` },
  };
}
