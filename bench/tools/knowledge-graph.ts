import { hash } from "node:crypto";
import { systemClock } from "../../src/system/clock.ts";
import { generator, word, words } from "../data/made-up.ts";
import { jsonLines, readText } from "../data/rows.ts";
import { printTimes } from "../data/times.ts";
import { askProject } from "../servers/ask-project.ts";
import { startInProcess } from "../servers/in-process.ts";

const DATA = "07-graph";
const ENTITIES = 100_000;
const RELATIONSHIPS = 400_000;
/** Most items of one import. */
const CALL = 50_000;

/**
 * Measures over HTTP, on a server of its own: whether `impact` returns exactly the sets of the truth files,
 * and how long import, impact, search and a single add take with 100,000 entities and 400,000
 * relationships.
 */
export async function run(): Promise<void> {
  const server = await startInProcess();
  try {
    const account = await askProject(server.url, "default", "GET", "/api/v1/account");
    const limits = { requestsPerMinute: 1e6, requestsPerHour: 1e8, requestsPerDay: 1e9 };
    await askProject(server.url, "default", "PATCH", `/api/v1/accounts/${account.account.id}`, { limits });
    for (const name of ["npm_lock", "ts_imports", "wn18rr"]) await correctness(server.url, name);
    await speed(server.url);
  } finally {
    await server.close();
  }
}

interface ReachQuery {
  start: number;
  direction: "in" | "out" | "both";
  depth: number;
  count: number;
  by_depth: number[];
  sha1: string;
}

async function correctness(url: string, name: string): Promise<void> {
  const [nodes, edges, truth] = [`${name}_nodes.tsv`, `${name}_edges.tsv`, `${name}_reach.jsonl`].map(
    (file) => readText(DATA, file),
  );
  if (!nodes || !edges || !truth) return;
  const tool = (method: string, path: string, body?: unknown) =>
    askProject(url, name, method, `/api/v1/tools/knowledge-graph${path}`, body);
  const [names = "", ...lines] = edges.trimEnd().split("\n");
  const types = names.split("\t").slice(1);
  const entities = nodes.split("\n").flatMap((line) => {
    const [id, name, ...more] = line.split("\t");
    return id && name
      ? [{ id, type: "node", name: name.slice(0, 256), properties: { text: more.join(" ") } }]
      : [];
  });
  const relationships = lines.map((line) => {
    const [from = "", type = "", to = ""] = line.split("\t");
    return { from, to, type: types[Number(type)] ?? "related" };
  });
  for (const part of parts(entities)) await tool("POST", "/import", { entities: part });
  for (const part of parts(relationships)) await tool("POST", "/import", { relationships: part });

  const queries = jsonLines<ReachQuery>(truth);
  let exact = 0;
  for (const { start, direction, depth, count, by_depth, sha1 } of queries) {
    const found = await tool("GET", `/impact/${start}?direction=${direction}&depth=${depth}`);
    const ids: string[] = found.entities.map(({ id }: { id: string }) => id);
    const sorted = ids.map(Number).sort((a, b) => a - b);
    const same =
      ids.length === count &&
      by_depth.every((number, index) => found.counts[index + 1] === number) &&
      hash("sha1", sorted.join(","), "hex").startsWith(sha1);
    if (same) exact++;
  }
  const size = `${entities.length} entities, ${relationships.length} relationships`;
  console.log(`${name} (${size}): ${exact} of ${queries.length} reach sets exact (to beat: all)`);
  if (exact < queries.length) process.exitCode = 1;
}

/** Times operations on a uniformly random graph. Each entity is named by two words of 20,000 and described by eight. */
async function speed(url: string): Promise<void> {
  const tool = (method: string, path: string, body?: unknown) =>
    askProject(url, "speed", method, `/api/v1/tools/knowledge-graph${path}`, body);
  const random = generator(42);
  const aWord = () => word(random);
  const entities = Array.from({ length: ENTITIES }, (_, index) => ({
    id: `entity-${index}`,
    type: `type-${index % 12}`,
    name: words(random, 2),
    properties: { description: words(random, 8), version: index % 100 },
  }));
  const entity = () => `entity-${Math.floor(random() * ENTITIES)}`;
  const relationships = Array.from({ length: RELATIONSHIPS }, (_, index) => ({
    from: entity(),
    to: entity(),
    type: `relation-${index % 7}`,
  }));
  const add = (kind: string) => async (round: number) => {
    await tool("POST", "/entity", { id: `${kind}-${round}`, type: "added", name: words(random, 2) });
    await tool("POST", "/relationship", { from: `${kind}-${round}`, to: `${kind}-0`, type: "added" });
  };

  await printTimes("add an entity and a relationship, graph empty", add("early"));
  const [begin, used] = [systemClock.monotonic(), process.cpuUsage()];
  for (const part of parts(entities)) await tool("POST", "/import", { entities: part });
  for (const part of parts(relationships)) await tool("POST", "/import", { relationships: part });
  const seconds = (systemClock.monotonic() - begin) / 1000;
  const { user, system } = process.cpuUsage(used);
  console.log(
    `import of ${ENTITIES} entities and ${RELATIONSHIPS} relationships: ${seconds.toFixed(1)} s (to beat: 10), ` +
      `${((user + system) / 1e6).toFixed(1)} s of processor time, this client and compaction included`,
  );
  const cold = systemClock.monotonic();
  await tool("GET", "/search?q=first");
  console.log(`first read after it: ${(systemClock.monotonic() - cold).toFixed(0)} ms`);

  await printTimes("add an entity and a relationship, graph full", add("late"));
  await printTimes("impact, depth 3 (p95 to beat: 50 ms)", () => tool("GET", `/impact/${entity()}?depth=3`));
  await printTimes("path between two", () => tool("GET", `/path?from=${entity()}&to=${entity()}`));
  const search = (q: string) => tool("GET", `/search?q=${encodeURIComponent(q)}&limit=10`);
  await printTimes("search, two words (p95 to beat: 50 ms)", () => search(words(random, 2)));
  await printTimes("search, a word begun", () => search(aWord().slice(0, 3)));
  await printTimes("search, a typo", () => search(aWord().replace(/(.)(.)/, "$2$1")));
  await printTimes("search, a word of 100,000 entities", () => search("type"));
  await printTimes("add and search in turn", async (round) => {
    await tool("POST", "/entity", { id: `turn-${round}`, type: "added", name: words(random, 2) });
    await search(aWord());
  });
  const before = systemClock.monotonic();
  const { counts } = await tool("GET", "");
  console.log(
    `whole graph, ${counts.relationships} relationships: ${(systemClock.monotonic() - before).toFixed(0)} ms`,
  );
  console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB, this client included`);
}

function parts<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / CALL);
  return Array.from({ length: count }, (_, index) => items.slice(index * CALL, (index + 1) * CALL));
}
