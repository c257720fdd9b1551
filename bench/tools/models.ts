import { systemClock } from "../../src/system/clock.ts";
import { dataFile, readRows } from "../data/rows.ts";
import { median } from "../data/times.ts";
import { startInProcess } from "../servers/in-process.ts";
import { OWNER_KEY } from "../servers/start.ts";
import { labelledRequests } from "./models/labelled-requests.ts";

const DATA = "08-routing";
const ROOT = "/api/v1/tools/models";
const AT_ONCE = 8;

type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/**
 * Measures the order of difficulty of requests. Then over HTTP: constraint queries on an external catalogue, and routing
 * by difficulty on labelled prompts.
 */
export async function run(): Promise<void> {
  labelledRequests();
  await queries();
  await routing();
}

interface Row {
  provider: string;
  id: string;
  reasoning: boolean;
  tool_call: boolean;
  attachment: boolean;
  open_weights: boolean;
  cost?: { input: number };
  limit: { context: number };
  modalities: { input: string[] };
}

const FLAGS = ["reasoning", "tool_call", "attachment", "open_weights"] as const;

async function queries(): Promise<void> {
  const rows = readRows<Row>(DATA, "models_dev_catalog");
  if (!rows) return;
  await withServer(dataFile(DATA, "models_dev_catalog.jsonl.gz"), async (ask) => {
    const providers = [...new Set(rows.map(({ provider }) => provider))];
    let [exact, asked] = [0, 0];
    const times: number[] = [];
    for (let index = 0; index < 300; index++) {
      const provider = index % 3 === 0 ? providers[index % providers.length] : undefined;
      const capability = index % 2 === 0 ? FLAGS[index % 4] : undefined;
      const modality = index % 5 < 2 ? ["text", "image", "audio", "video", "pdf"][index % 7] : undefined;
      const minContextTokens = index % 4 === 1 ? 8000 * (1 + (index % 40)) : undefined;
      const maxInputUsd = index % 4 > 1 ? (index % 23) / 5 : undefined;
      const given = Object.entries({ provider, capability, modality, minContextTokens, maxInputUsd });
      const query = given
        .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
        .join("&");
      const expected = rows.filter(
        (row) =>
          (provider === undefined || row.provider === provider) &&
          (capability === undefined || row[capability]) &&
          (modality === undefined || row.modalities.input.includes(modality)) &&
          (minContextTokens === undefined || row.limit.context >= minContextTokens) &&
          (maxInputUsd === undefined || (row.cost !== undefined && row.cost.input <= maxInputUsd)),
      );
      const begin = systemClock.monotonic();
      const { items } = await ask<{ items: Row[] }>("GET", `${ROOT}?${query}`);
      times.push(systemClock.monotonic() - begin);
      const namesOf = (all: readonly Row[]) =>
        JSON.stringify(all.map(({ provider, id }) => `${provider}/${id}`).sort());
      asked++;
      if (namesOf(items) === namesOf(expected)) exact++;
    }
    console.log(
      `${rows.length} models: ${exact} of ${asked} constraint queries exact (to beat: all), median ${median(times).toFixed(0)} ms`,
    );
  });
}

interface Labelled {
  set: string;
  prompt: string;
  weak: boolean;
  strong: boolean;
}

async function routing(): Promise<void> {
  const rows = readRows<Labelled>(DATA, "routellm_labels");
  if (!rows) return;
  await withServer(undefined, async (ask) => {
    for (const set of new Set(rows.map((row) => row.set))) {
      const labelled = rows.filter((row) => row.set === set);
      const begin = systemClock.monotonic();
      const scores = await inTurn(labelled, async ({ prompt }) => {
        const body = { task: { kind: "reasoning", prompt } };
        const { difficulty } = await ask<{ difficulty: { score: number } }>("POST", `${ROOT}/select`, body);
        return difficulty.score;
      });
      const each = (systemClock.monotonic() - begin) / labelled.length;
      const lengths = labelled.map(({ prompt }) => prompt.length);
      console.log(
        `${set}, ${labelled.length} prompts: APGR ${apgr(labelled, scores).toFixed(3)} by difficulty ` +
          `(by length ${apgr(labelled, lengths).toFixed(3)}, random about .50), ${each.toFixed(1)} ms a selection`,
      );
    }
  });
}

/**
 * Computes RouteLLM's average performance gap recovered (APGR). The hardest prompts go to the strong model, at
 * every share from none to all. The score is the mean gain in accuracy, as a share of the gap between the models.
 */
function apgr(rows: readonly Labelled[], scores: readonly number[]): number {
  const order = rows
    .map((row, index) => ({ row, score: scores[index] as number }))
    .sort((a, b) => b.score - a.score);
  const weak = rows.filter((row) => row.weak).length;
  const gap = rows.filter((row) => row.strong).length - weak;
  let right = weak;
  let sum = 0;
  for (const { row } of order) {
    right += Number(row.strong) - Number(row.weak);
    sum += (right - weak) / gap;
  }
  return sum / (rows.length + 1);
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  return results;
}

async function withServer(modelsFile: string | undefined, work: (ask: Ask) => Promise<void>): Promise<void> {
  const server = await startInProcess({ ...(modelsFile !== undefined && { modelsFile }) });
  const ask: Ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.status === 429) {
      await systemClock.sleep(1000 * Number(response.headers.get("Retry-After") ?? 1));
      return ask<T>(method, path, body);
    }
    if (!response.ok) throw new Error(await response.text());
    return response.json() as Promise<T>;
  };
  try {
    await work(ask);
  } finally {
    await server.close();
  }
}
