import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { iso, systemClock } from "../../src/system/clock.ts";
import { analyse } from "../../src/tools/anomalies/detecting/analyse.ts";
import { dataFile, readRows } from "../data/rows.ts";
import { OWNER, startToolplane } from "../servers/start.ts";

const DATA = "01-anomaly";
const POINTS = 1_000_000;

/** Measures the Numenta Anomaly Benchmark (NAB) at the shipped thresholds, time a point, and a million over HTTP. */
export async function run(): Promise<void> {
  const rows = readRows<Row>(DATA, "nab");
  if (rows) {
    quality(rows, "with the times of the points", true);
    quality(rows, "without times", false);
    console.log(`  published detectors on these series: ${published()}`);
  }
  await overHttp();
}

interface Row {
  id: string;
  n: number;
  /** Seconds since the epoch. */
  t0: number;
  /** Runs of equal intervals between points. */
  dt_runs: [seconds: number, count: number][];
  values: number[];
  /** First and last index of each labelled window. */
  windows: [first: number, last: number][];
  /** Number of points at the start that are not scored. */
  probation: number;
}

function quality(rows: readonly Row[], how: string, timed: boolean): void {
  let points = 0;
  let microseconds = 0;
  const verdicts = rows.map((row) => {
    const times = timed ? timesOf(row) : new Float64Array(row.n).fill(Number.NaN);
    const values = Float64Array.from(row.values);
    const metric = { name: row.id, values, times, settings: {}, weights: {} };
    const before = process.cpuUsage();
    const [result] = analyse({ metrics: [metric], sensitivity: "medium" });
    microseconds += process.cpuUsage(before).user;
    points += row.n;
    return { row, reported: new Set(result?.findings.map(({ index }) => index)) };
  });
  const found = verdicts.map(({ row, reported }) => windowsFound(row, reported));
  const windows = rows.reduce((sum, row) => sum + row.windows.length, 0);
  const falseAlarms = verdicts.reduce((sum, { row, reported }) => sum + outsideWindows(row, reported), 0);
  console.log(
    `NAB ${how}: ${PROFILES.map((profile) => `${profile.name} ${normalised(verdicts, profile).toFixed(1)}`).join(", ")} ` +
      `(to beat on these: standard 72); ${found.reduce((sum, each) => sum + each, 0)} of ${windows} windows, ` +
      `${falseAlarms} reports outside of them; ${(microseconds / points).toFixed(1)} µs of one core a point (to beat: 10)`,
  );
  const [looked, notLooked] = [true, false].map((wanted) =>
    normalised(
      verdicts.filter(({ row }) => wasLookedAt(row) === wanted),
      PROFILES[0] as Profile,
    ).toFixed(1),
  );
  console.log(`  standard on the half that was looked at ${looked}, on the other ${notLooked}`);
}

/** Whether a series is in the half used for tuning. The other half is for checking alone. */
function wasLookedAt({ id }: Row): boolean {
  return (createHash("sha256").update(id).digest()[0] as number) % 2 === 0;
}

/** NAB's application profiles (Lavin and Ahmad 2015, §IV): the weights of hits, misses and false alarms. */
const PROFILES = [
  { name: "standard", hit: 1, miss: 1, falseAlarm: 0.11 },
  { name: "few false alarms", hit: 1, miss: 1, falseAlarm: 0.22 },
  { name: "few misses", hit: 1, miss: 2, falseAlarm: 0.11 },
];
type Profile = (typeof PROFILES)[number];

interface Verdict {
  row: Row;
  reported: ReadonlySet<number>;
}

/** Computes NAB's score: 100 for a report at the start of every window and none elsewhere, 0 for no report at all. */
function normalised(verdicts: readonly Verdict[], profile: Profile): number {
  let score = 0;
  let windows = 0;
  for (const { row, reported } of verdicts) {
    const scored = row.windows.filter(([, last]) => last >= row.probation);
    const best = scored.map(() => -profile.miss);
    windows += row.windows.length;
    for (const index of reported) {
      if (index < row.probation) continue;
      const inside = scored.findIndex(([first, last]) => index >= first && index <= last);
      if (inside >= 0) {
        const [first, last] = scored[inside] as [number, number];
        const value = (sigmoid(-(last - index + 1) / (last - first + 1)) / sigmoid(-1)) * profile.hit;
        best[inside] = Math.max(best[inside] as number, value);
      } else {
        const previous = row.windows.filter(([, last]) => last < index).at(-1);
        score += previous ? afterWindow(index, previous) * profile.falseAlarm : -profile.falseAlarm;
      }
    }
    score += best.reduce((sum, each) => sum + each, 0);
  }
  return (100 * (score + profile.miss * windows)) / ((profile.hit + profile.miss) * windows);
}

/** Returns the value of a false alarm behind a window, which is less negative shortly behind it. */
function afterWindow(index: number, [first, last]: readonly [number, number]): number {
  return sigmoid((index - last) / (last - first));
}

/** Falls from 1 long before the end of a window, over 0 at its end, to -1. */
function sigmoid(place: number): number {
  return place > 3 ? -1 : 2 / (1 + Math.exp(5 * place)) - 1;
}

function windowsFound({ windows, probation }: Row, reported: ReadonlySet<number>): number {
  return windows.filter(([first, last]) =>
    [...reported].some((index) => index >= Math.max(first, probation) && index <= last),
  ).length;
}

function outsideWindows({ windows, probation }: Row, reported: ReadonlySet<number>): number {
  return [...reported].filter(
    (index) => index >= probation && !windows.some(([first, last]) => index >= first && index <= last),
  ).length;
}

/** Lists the standard scores of the detectors that NAB publishes, each at its own best threshold. */
function published(): string {
  const { dev } = JSON.parse(readFileSync(dataFile(DATA, "nab_split_anchors.json"), "utf8")) as {
    dev: Record<string, { standard: number }>;
  };
  return Object.entries(dev)
    .sort(([, one], [, other]) => other.standard - one.standard)
    .map(([name, { standard }]) => `${name} ${standard.toFixed(1)}`)
    .join(", ");
}

function timesOf({ t0, dt_runs }: Row): Float64Array {
  const times = [t0 * 1000];
  for (const [seconds, count] of dt_runs) {
    for (let step = 0; step < count; step++) times.push((times.at(-1) as number) + seconds * 1000);
  }
  return Float64Array.from(times);
}

async function overHttp(): Promise<void> {
  const points = Array.from({ length: POINTS }, (_, index) => ({
    at: iso(Date.UTC(2026, 0, 1) + index * 60_000),
    value:
      100 + 20 * Math.sin(index / 230) + ((index * 7919) % 1009) / 100 + (index % 91_117 === 5000 ? 90 : 0),
  }));
  const body = JSON.stringify({ metrics: { load: points } });
  const server = await startToolplane();
  try {
    const begin = systemClock.monotonic();
    const response = await fetch(`${server.url}/api/v1/tools/anomalies/analyze`, {
      method: "POST",
      headers: OWNER,
      body,
    });
    const answer = (await response.json()) as { anomalies?: unknown[] };
    const seconds = (systemClock.monotonic() - begin) / 1000;
    if (!answer.anomalies) throw new Error(JSON.stringify(answer));
    console.log(
      `${POINTS} points over HTTP (${(body.length / 1e6).toFixed(0)} MB): ${seconds.toFixed(1)} s (to beat: 10), ${answer.anomalies.length} anomalies`,
    );
  } finally {
    server.stop();
  }
}
