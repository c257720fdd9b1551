import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { quantile } from "./data/times.ts";
import { document, idOf, subjects } from "./store/subjects.ts";

const CALLERS = 100;
const APPENDS = 100_000;
/** Enough for about 100 MB on disk. */
const DOCUMENTS = 400_000;

/**
 * Measures durable appends, compaction under load and start-up with 100 MB, beside lowdb with its own
 * file adapter (which does not wait for the disk) in the same run.
 */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const directory = (name: string) => mkdtempSync(join(root, `${name}-`));
  try {
    console.log(`\n${"documents of 250 bytes, one a commit".padEnd(44)}   a second   p50 ms   p99 ms`);
    const one = await subjects.store(directory("one"));
    report("store, 1 caller", await load(1, APPENDS / 20, (index) => one.put(idOf(index), document())));
    report(
      `store, ${CALLERS} callers`,
      await load(CALLERS, APPENDS, (index) => one.put(idOf(index), document())),
    );
    report(`store, three counters, ${CALLERS} callers`, await load(CALLERS, APPENDS, () => one.track()));
    await one.close();
    const lowdb = await subjects.lowdb(directory("lowdb"));
    report(
      `lowdb, ${CALLERS} callers, not durable`,
      await load(CALLERS, APPENDS / 20, (index) => lowdb.put(idOf(index), document())),
    );

    const large = directory("large");
    const largeLowdb = directory("large-lowdb");
    await compactUnderLoad(large);
    await writeOnceWithLowdb(largeLowdb);

    console.log(`\n${"start-up".padEnd(44)}        MB  seconds   RSS MB  of which bare`);
    await startUp("store", large);
    await startUp("lowdb", largeLowdb);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Load {
  perSecond: number;
  latencies: number[];
}

/** Calls `work` with 0 … count − 1, at most `callers` at once. */
async function load(callers: number, count: number, work: (index: number) => Promise<void>): Promise<Load> {
  const latencies: number[] = [];
  let next = 0;
  const call = async () => {
    while (next < count) {
      const begin = performance.now();
      await work(next++);
      latencies.push(performance.now() - begin);
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  return { perSecond: (count / (performance.now() - begin)) * 1000, latencies };
}

/** Fills a store, then rewrites its documents until a compaction has run, and measures that compaction. */
async function compactUnderLoad(directory: string): Promise<void> {
  const store = await subjects.store(directory);
  await load(CALLERS, DOCUMENTS, (index) => store.put(idOf(index), document()));
  const isCompacting = () => existsSync(join(directory, "journal.old.jsonl"));
  while (isCompacting()) await new Promise((resolve) => setTimeout(resolve, 10));

  const delay = monitorEventLoopDelay({ resolution: 1 });
  const latencies: number[] = [];
  let compacting = false;
  let took = 0;
  let began = 0;
  const watch = setInterval(() => {
    if (isCompacting() === compacting) return;
    compacting = !compacting;
    if (compacting) {
      began = performance.now();
      delay.enable();
    } else {
      took = performance.now() - began;
      delay.disable();
    }
  }, 5);
  for (let round = 0; took === 0; round++) {
    await load(CALLERS, 1000, async (index) => {
      const begin = performance.now();
      await store.put(idOf((round * 1000 + index) % DOCUMENTS), document());
      if (compacting) latencies.push(performance.now() - begin);
    });
  }
  clearInterval(watch);
  await store.close();
  console.log(
    `\ncompaction of ${megabytes(directory)} MB while ${CALLERS} callers write, in ${(took / 1000).toFixed(1)} s: ` +
      `${latencies.length} commits, p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms, ` +
      `longest ${at(latencies, 1)} ms; event-loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, ` +
      `longest ${(delay.max / 1e6).toFixed(1)} ms`,
  );
}

async function writeOnceWithLowdb(directory: string): Promise<void> {
  const all = Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, index) => [idOf(index), document()]));
  writeFileSync(join(directory, "db.json"), JSON.stringify(all));
  const lowdb = await subjects.lowdb(directory);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const { latencies } = await load(1, 3, (index) => lowdb.put(idOf(index), document()));
  delay.disable();
  console.log(
    `one write of lowdb with ${megabytes(directory)} MB: ${at(latencies, 0.5)} ms, ` +
      `event loop blocked for up to ${(delay.max / 1e6).toFixed(0)} ms`,
  );
}

async function startUp(name: keyof typeof subjects, directory: string): Promise<void> {
  const script = join(import.meta.dirname, "store/start.ts");
  const child = fork(script, [name, directory], { execArgv: ["--import", "tsx"] });
  const [{ openMs, rssMb, bareMb }] = (await once(child, "message")) as [Record<string, number>];
  await once(child, "exit");
  console.log(
    `${name.padEnd(44)} ${megabytes(directory).padStart(9)} ${((openMs ?? 0) / 1000).toFixed(2).padStart(8)} ` +
      `${(rssMb ?? 0).toFixed(0).padStart(8)} ${(bareMb ?? 0).toFixed(0).padStart(14)}`,
  );
}

function report(name: string, { perSecond, latencies }: Load): void {
  console.log(
    `${name.padEnd(44)} ${Math.round(perSecond).toLocaleString("en").padStart(10)} ` +
      `${at(latencies, 0.5).padStart(8)} ${at(latencies, 0.99).padStart(8)}`,
  );
}

function at(latencies: readonly number[], share: number): string {
  return quantile(latencies, share).toFixed(2);
}

function megabytes(directory: string): string {
  const bytes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  return (bytes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0);
}
