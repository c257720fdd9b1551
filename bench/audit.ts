import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditFilter, createAuditLog } from "../src/audit/log.ts";
import { auditCollections } from "../src/audit/model.ts";
import { createAuditTrail } from "../src/audit/trail.ts";
import { openStore } from "../src/store/open.ts";
import { systemClock } from "../src/system/clock.ts";
import { createLog } from "../src/system/log.ts";
import { createRandom } from "../src/system/random.ts";
import { startPostgres } from "../test/support/postgres.ts";

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000);
const OF_ONE_COMMIT = 500;
const ASKED = 20;

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
  const trail = createAuditTrail({ store, clock, random, log: { info: () => {} } });
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
  const filters: [string, AuditFilter][] = [
    ["the newest", {}],
    ["one user", { actor: "usr_7" }],
    ["one user's keys", { actor: "usr_7", action: "key.created" }],
    ["one target, a month", { target: "key_4321", since: now - 30 * 86_400_000 }],
    ["text, nowhere", { query: "nothing like it" }],
  ];
  for (const [what, filter] of filters) {
    const times: number[] = [];
    for (let round = 0; round < ASKED; round++) {
      const start = performance.now();
      await log.page({ accountId: "acc_bench" }, filter, { limit: 50 });
      times.push(performance.now() - start);
    }
    times.sort((left, right) => left - right);
    const [middle, last] = [times[ASKED / 2] ?? 0, times.at(-1) ?? 0];
    console.log(`  ${what.padEnd(24)} p50 ${middle.toFixed(1)} ms, worst ${last.toFixed(1)} ms`);
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
