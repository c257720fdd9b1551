import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../test/support/services/postgres.ts";
import { median } from "./data/times.ts";
import { fill } from "./growth/fill.ts";
import { begin, OPERATIONS, seed } from "./growth/operations.ts";
import { type Line, picture } from "./growth/picture.ts";
import { startOn } from "./servers/start.ts";

/** Most documents in the store, which grows by powers of ten. `BENCH_DOCUMENTS=100000` makes a quicker run. */
const MOST = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const LEAST = 100;
const ROUNDS = 5;
const ASKED = 400;
/** Logins of one round: fewer than `ASKED`, since a login takes several requests. */
const LOGINS = 60;
const PICTURE = join(import.meta.dirname, "../docs/pictures/growth.svg");

/**
 * Measures one write, one recall, one resolve and one login of a single caller, with 100 to a million documents
 * of other accounts in the store, on both stores. Each measurement alternates with one on a second server whose
 * store has 100 documents, so that other load on the machine slows both.
 * `npm run bench -- growth draw` also draws docs/pictures/growth.svg.
 */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const postgres = await startPostgres({});
  const lines: Line[] = [];
  try {
    lines.push(...(await measured("a directory", join(root, "few"), join(root, "many"))));
    lines.push(
      ...(await measured("PostgreSQL", await postgres.createDatabase(), await postgres.createDatabase())),
    );
  } finally {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  }
  if (process.argv[3] === "draw") writeFileSync(PICTURE, picture(lines));
}

async function measured(store: string, few: string, many: string): Promise<Line[]> {
  const lines: Line[] = OPERATIONS.map((operation) => ({ store, operation, points: [] }));
  const titles = OPERATIONS.map((each) => each.padStart(22)).join("");
  console.log(`\n${store}${" ".repeat(26 - store.length)}${titles}`);
  for (const where of [few, many]) {
    const empty = await startOn(store, where);
    await seed(empty.url).finally(() => empty.stop());
    await fill(where, 0, LEAST);
  }
  const small = await startOn("few", few);
  try {
    for (let documents = LEAST, there = LEAST; documents <= MOST; there = documents, documents *= 10) {
      if (documents > there) await fill(many, there, documents);
      const server = await startOn("many", many);
      const costs = await costsOn(server.url, small.url).finally(() => server.stop());
      const cells = lines.map(({ operation, points }) => {
        const { ms, multiple } = costs.get(operation) as Cost;
        points.push({ documents, multiple });
        return `${ms.toFixed(2)} ms (${multiple.toFixed(2)} x)`.padStart(22);
      });
      console.log(`${documents.toLocaleString("en").padStart(14)} documents  ${cells.join("")}`);
    }
  } finally {
    await small.stop();
  }
  return lines;
}

interface Cost {
  ms: number;
  /** Ratio to the cost with `LEAST` documents. */
  multiple: number;
}

async function costsOn(url: string, besides: string): Promise<Map<string, Cost>> {
  const [many, few] = [await begin(url), await begin(besides)];
  const costs = new Map<string, Cost>();
  for (const operation of OPERATIONS) {
    const count = operation === "login" ? LOGINS : ASKED;
    const found: Cost[] = [];
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [ms, least] = await mediansOf([many.run[operation], few.run[operation]], count);
      if (round > 0) found.push({ ms, multiple: ms / least });
    }
    costs.set(operation, {
      ms: median(found.map(({ ms }) => ms)),
      multiple: median(found.map(({ multiple }) => multiple)),
    });
  }
  await Promise.all([many.end(), few.end()]);
  return costs;
}

/** Returns the median time of each of two operations, which take turns call by call. */
async function mediansOf(works: readonly (() => Promise<void>)[], count: number): Promise<[number, number]> {
  const times = works.map((): number[] => []);
  for (let index = 0; index < count; index++) {
    for (const [at, work] of works.entries()) {
      const started = performance.now();
      await work();
      times[at]?.push(performance.now() - started);
    }
  }
  return times.map(median) as [number, number];
}
