import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../test/support/postgres.ts";
import { fill } from "./growth/fill.ts";
import { begin, OPERATIONS, type Operation, seed } from "./growth/operations.ts";
import { type Line, picture } from "./growth/picture.ts";
import { median, startOn } from "./servers/start.ts";

/** Documents in the store: powers of ten up to this. `BENCH_DOCUMENTS=100000` is a quicker look. */
const MOST = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const LEAST = 100;
const ROUNDS = 5;
const ASKED = 400;
/** A login takes several requests. */
const LOGINS = 60;
const PICTURE = join(import.meta.dirname, "../docs/pictures/growth.svg");

/**
 * What one write, one recall, one resolve and one login cost a caller who comes alone, with 100 to a million
 * documents of other accounts in the store, on both stores: medians of rounds in which the operations take turns.
 * `npm run bench -- growth draw` draws docs/pictures/growth.svg of it.
 */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const postgres = await startPostgres({});
  const lines: Line[] = [];
  try {
    for (const [store, where] of [
      ["a directory", join(root, "data")],
      ["PostgreSQL", await postgres.createDatabase()],
    ] as const) {
      const found = await measured(store, where);
      for (const operation of OPERATIONS)
        lines.push({ store, operation, points: found.get(operation) ?? [] });
    }
  } finally {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
  if (process.argv[3] === "draw") writeFileSync(PICTURE, picture(lines));
}

type Points = Line["points"];

async function measured(store: string, where: string): Promise<Map<Operation, Points>> {
  const points = new Map<Operation, Points>(OPERATIONS.map((operation) => [operation, []]));
  console.log(
    `\n${store}${" ".repeat(26 - store.length)}${OPERATIONS.map((each) => each.padStart(22)).join("")}`,
  );
  for (let documents = LEAST, there = 0; documents <= MOST; there = documents, documents *= 10) {
    if (there === 0) {
      const empty = await startOn(store, where);
      await seed(empty.url).finally(() => empty.stop());
    }
    await fill(where, there, documents);
    const server = await startOn(store, where);
    try {
      const times = await timesOn(server.url);
      for (const [operation, ms] of times) points.get(operation)?.push({ documents, ms });
    } finally {
      await server.stop();
    }
    const cells = OPERATIONS.map((operation) => cellOf(points.get(operation) ?? []).padStart(22));
    console.log(`${documents.toLocaleString("en").padStart(14)} documents  ${cells.join("")}`);
  }
  return points;
}

/** The newest, and how it compares with the first. */
function cellOf(points: Points): string {
  const [first, last] = [points[0]?.ms ?? Number.NaN, points.at(-1)?.ms ?? Number.NaN];
  return `${last.toFixed(2)} ms (${(last / first).toFixed(2)} x)`;
}

async function timesOn(url: string): Promise<Map<Operation, number>> {
  const operations = await begin(url);
  const rounds = new Map<Operation, number[]>(OPERATIONS.map((operation) => [operation, []]));
  // The first is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const operation of OPERATIONS) {
      const ms = await medianOf(operations.run[operation], operation === "login" ? LOGINS : ASKED);
      if (round > 0) rounds.get(operation)?.push(ms);
    }
  }
  await operations.end();
  return new Map(OPERATIONS.map((operation) => [operation, median(rounds.get(operation) ?? [])]));
}

async function medianOf(work: () => Promise<void>, count: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
