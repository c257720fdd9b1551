import { systemClock } from "../src/system/clock.ts";
import { generator, words } from "./data/made-up.ts";
import { median } from "./data/times.ts";
import { startMonitored } from "./servers/monitored.ts";
import { OWNER } from "./servers/start.ts";

const MEMORIES = 100_000;
const ENTITIES = 100_000;
const RELATIONSHIPS = 400_000;
const CALL = 1000;
const LINES = 50_000;
/** The longest that the main loop may be blocked. */
const MAX_HELD_MS = 20;

type Server = Awaited<ReturnType<typeof startMonitored>>;

/**
 * Measures how long requests on 100,000 memories, and on 100,000 entities and 400,000 relationships, block
 * the server's main loop, and how long input made to be expensive does.
 */
export async function run(): Promise<void> {
  const server = await startMonitored();
  try {
    const held = measuring(server);
    await memories(server, held);
    await graph(server, held);
    await hardMemories(server, held);
    await hardGraph(server, held);
  } finally {
    await server.stop();
  }
}

type Measure = (what: string, work: () => Promise<unknown>, rounds?: number) => Promise<void>;

function measuring(server: Server): Measure {
  return async (what, work, rounds = 1) => {
    await server.report();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begin = systemClock.monotonic();
      await work();
      times.push(systemClock.monotonic() - begin);
    }
    const { maxMs, heapUsed } = await server.report();
    const verdict = maxMs > MAX_HELD_MS ? "  TOO LONG" : "";
    console.log(
      `${what}: ${median(times).toFixed(0)} ms, loop held ${maxMs.toFixed(1)} ms at most, heap ${(heapUsed / 1e6).toFixed(0)} MB${verdict}`,
    );
  };
}

async function memories(server: Server, held: Measure): Promise<void> {
  const random = generator(42);
  const wordsOf = (count: number) => words(random, count);
  const call = caller(server, "memories");
  await held(`store ${MEMORIES} memories, ${CALL} a call`, async () => {
    for (let start = 0; start < MEMORIES; start += CALL) {
      const memories = Array.from({ length: CALL }, (_, index) => ({
        content: wordsOf(index % 10 === 0 ? 120 : 20),
        ...(index % 3 === 0 && { thread: `thread-${Math.floor((start + index) / 150)}` }),
      }));
      await call("POST", "agent-memory/store-many", { memories });
    }
  });
  await server.restart();
  await held("first recall after a start", () => call("GET", "agent-memory/recall?q=first"));
  const recall =
    (count: number, more = "") =>
    () =>
      call("GET", `agent-memory/recall?q=${encodeURIComponent(wordsOf(count))}${more}`);
  await held("recall, three words", recall(3), 100);
  await held("recall, a thousand words", recall(1000), 10);
  await held("recall, 200 items", recall(3, "&limit=200"), 20);
  await held("recall, no words", () => call("GET", "agent-memory/recall"), 10);
  await held("stats", () => call("GET", "agent-memory/stats"), 20);
  await held("store", () => call("POST", "agent-memory/store", { content: wordsOf(20) }), 100);
  const long = Array.from({ length: 200 }, (_, index) => ({ content: `long ${index} ${wordsOf(6000)}` }));
  for (let start = 0; start < long.length; start += 50) {
    await call("POST", "agent-memory/store-many", { memories: long.slice(start, start + 50) });
  }
  await held("recall, 200 items of 64 KiB", () => call("GET", "agent-memory/recall?q=long&limit=200"), 3);
}

async function graph(server: Server, held: Measure): Promise<void> {
  const random = generator(42);
  const wordsOf = (count: number) => words(random, count);
  const call = caller(server, "graph");
  const entity = () => `entity-${Math.floor(random() * ENTITIES)}`;
  const entities = Array.from({ length: ENTITIES }, (_, index) => ({
    id: `entity-${index}`,
    type: `type-${index % 12}`,
    name: wordsOf(2),
    properties: { description: wordsOf(8), version: index % 100 },
  }));
  const relationships = Array.from({ length: RELATIONSHIPS }, (_, index) => ({
    // Every tenth relationship starts at the same entity.
    from: index % 10 === 0 ? "entity-0" : entity(),
    to: entity(),
    type: `relation-${index % 7}`,
  }));
  const lines = [
    ...entities.map((entity) => JSON.stringify({ entity })),
    ...relationships.map((relationship) => JSON.stringify({ relationship })),
  ];
  await held("import in lines", async () => {
    for (let start = 0; start < lines.length; start += LINES) {
      await call("POST", "knowledge-graph/import", lines.slice(start, start + LINES).join("\n"));
    }
  });
  const object = { entities: entities.slice(0, 25_000), relationships: relationships.slice(0, 25_000) };
  await held("import as an object", () => call("POST", "knowledge-graph/import", object));
  await server.restart();
  await held("first search after a start", () => call("GET", "knowledge-graph/search?q=first"));
  await held("search, two words", () => call("GET", `knowledge-graph/search?q=${wordsOf(2)}`), 50);
  await held("search, one letter, 200 items", () => call("GET", "knowledge-graph/search?q=k&limit=200"), 10);
  await held("impact, depth 3", () => call("GET", `knowledge-graph/impact/${entity()}?depth=3`), 50);
  await held("impact, all", () => call("GET", "knowledge-graph/impact/entity-0?depth=20"), 3);
  await held("path", () => call("GET", `knowledge-graph/path?from=${entity()}&to=${entity()}`), 50);
  for (const format of ["json", "mermaid", "dot", "graphml"]) {
    await held(`whole graph as ${format}`, () => call("GET", `knowledge-graph?format=${format}`));
  }
  await held("delete an entity with 40,000 relationships", () =>
    call("DELETE", "knowledge-graph/entity/entity-0"),
  );
}

/** Stores 250 memories that differ only in their last word. */
async function hardMemories(server: Server, held: Measure): Promise<void> {
  const call = caller(server, "hard");
  const random = generator(7);
  const same = words(random, 9000).slice(0, 60_000);
  const memories = Array.from({ length: 250 }, (_, index) => ({ content: `${same} w${index}` }));
  await held("store 250 memories that differ in one word", () =>
    call("POST", "agent-memory/store-many", { memories }),
  );
  await held("and again", () => call("POST", "agent-memory/store-many", { memories }));
  await held("recall one of them", () => call("GET", "agent-memory/recall?q=w7"));
}

/** Imports 2,800 entities, each with 16 KB of words that no other entity has. */
async function hardGraph(server: Server, held: Measure): Promise<void> {
  const call = caller(server, "hard");
  let next = 36 ** 4;
  const text = () => Array.from({ length: 2600 }, () => (next++).toString(36)).join(" ");
  const lines = Array.from({ length: 2800 }, (_, index) => {
    const entity = { id: `e${index}`, type: "t", name: `n${index}`, properties: { text: text() } };
    return JSON.stringify({ entity });
  });
  await held("import 2,800 entities of 16 KB of words of their own", () =>
    call("POST", "knowledge-graph/import", lines.join("\n")),
  );
  await held("search them", () => call("GET", "knowledge-graph/search?q=1000a"));
  await held("search them again", () => call("GET", "knowledge-graph/search?q=1000a"));
}

function caller(server: Server, project: string) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const isText = typeof body === "string";
    const response = await fetch(`${server.url()}/api/v1/tools/${path}`, {
      method,
      headers: {
        ...OWNER,
        "X-Project-Id": project,
        ...(isText && { "Content-Type": "application/x-ndjson" }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) console.log(`${method} ${path.slice(0, 60)}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
}
