import { type Answer, type Ask, KiB, nearlySame, range, uniqueWords, type WorstCases } from "./worst-case.ts";

const MEMORY = "/api/v1/tools/agent-memory";
const GRAPH = "/api/v1/tools/knowledge-graph";

/** Stores as many memories of this size as a free plan keeps, each of unique words. */
async function fillMemories(ask: Ask): Promise<void> {
  for (let part = 0; part < 3; part++) {
    const memories = range(60, (index) => ({ content: uniqueWords(16 * KiB, part * 60 + index) }));
    await ask("POST", `${MEMORY}/store-many`, { body: { memories } });
  }
}

async function oneMemory(ask: Ask): Promise<string> {
  const body = { content: uniqueWords(64 * KiB, 9) };
  return (await ask("POST", `${MEMORY}/store`, { body })).body.memory.id;
}

/** Imports entities with as many unique words as an entity may have, each related to the next. */
async function fillGraph(ask: Ask): Promise<void> {
  for (let part = 0; part < 3; part++) {
    const ids = range(250, (index) => `e${part * 250 + index}`);
    await ask("POST", `${GRAPH}/import`, {
      body: {
        entities: ids.map((id, index) => ({
          id,
          type: "t",
          name: `name ${index}`,
          properties: { text: uniqueWords(15 * KiB, part * 250 + index) },
        })),
        relationships: ids.map((from, index) => ({ from, to: ids[(index + 1) % ids.length], type: "r" })),
      },
    });
  }
}

/** Imports as many entities and relationships as are drawn, each related to others near and far. */
async function fillTangle(ask: Ask): Promise<void> {
  const ids = range(2000, (index) => `tangled${index}`);
  const far = range(10_000, (index) => ({
    from: ids[index % 2000],
    to: ids[(index * 7919 + Math.floor(index / 2000)) % 2000],
    type: `r${index % 3}`,
  }));
  const entities = ids.map((id) => ({ id, type: "t", name: id }));
  await ask("POST", `${GRAPH}/import`, { body: { entities, relationships: far } });
}

export const agentMemory: WorstCases<"agentMemory"> = {
  store: { request: () => ({ body: { content: uniqueWords(64 * KiB, Math.floor(Math.random() * 1e6)) } }) },
  storeMany: {
    request: () => ({ body: { memories: nearlySame(250, 55 * KiB).map((content) => ({ content })) } }),
    times: 2,
  },
  recall: {
    prepare: fillMemories,
    request: () => ({ query: { q: uniqueWords(6 * KiB, 3), limit: "100" } }),
  },
  stats: { prepare: fillMemories, request: () => ({}) },
  list: { prepare: fillMemories, request: () => ({ query: { sort: "importance", limit: "200" } }) },
  show: { prepare: oneMemory, request: (memoryId: string) => ({ path: { memoryId } }) },
  correct: {
    prepare: oneMemory,
    request: (memoryId: string) => ({ path: { memoryId }, body: { content: uniqueWords(64 * KiB, 7) } }),
  },
  forget: { request: () => ({ path: { memoryId: "mem_none" } }) },
};

export const knowledgeGraph: WorstCases<"knowledgeGraph"> = {
  show: { prepare: fillGraph, request: () => ({ query: { format: "graphml" } }), times: 2 },
  search: { prepare: fillGraph, request: () => ({ query: { q: uniqueWords(1000, 5), limit: "200" } }) },
  layout: { prepare: fillTangle, request: () => ({ query: { limit: "2000" } }), times: 2 },
  showEntity: { prepare: fillGraph, request: () => ({ path: { entityId: "e0" } }) },
  addEntity: {
    request: () => ({ body: { type: "t", name: "n", properties: { text: uniqueWords(15 * KiB, 1) } } }),
  },
  deleteEntity: {
    async prepare(ask) {
      const leaves = range(10_000, (index) => `leaf${index}`);
      await ask("POST", `${GRAPH}/import`, {
        body: {
          entities: ["hub", ...leaves].map((id) => ({ id, type: "t", name: id })),
          relationships: leaves.map((to) => ({ from: "hub", to, type: "r" })),
        },
      });
    },
    request: () => ({ path: { entityId: "hub" } }),
    times: 1,
  },
  addRelationship: { prepare: fillGraph, request: () => ({ body: { from: "e0", to: "e2", type: "r" } }) },
  deleteRelationship: { request: () => ({ query: { from: "e0", to: "e1", type: "none" } }) },
  deleteMany: {
    async prepare(ask) {
      const ids = range(9000, (index) => `e${index}`);
      const near = ids.map((from, index) => ({ from, to: ids[(index + 1) % ids.length], type: "r" }));
      await ask("POST", `${GRAPH}/import`, {
        body: { entities: ids.map((id) => ({ id, type: "t", name: id })), relationships: near },
      });
    },
    request: () => ({ body: { entities: range(10_000, (index) => `e${index}`) } }),
    times: 1,
  },
  import: {
    request: () => ({
      body: {
        entities: range(2000, (index) => ({
          id: `i${index}`,
          type: "t",
          name: "n",
          properties: { text: uniqueWords(15 * KiB, index) },
        })),
      },
    }),
    times: 2,
  },
  impact: {
    prepare: fillGraph,
    request: () => ({ path: { entityId: "e0" }, query: { depth: "20", direction: "both" } }),
  },
  path: { prepare: fillGraph, request: () => ({ query: { from: "e0", to: "e124" } }) },
};

function optIn(ask: Ask): Promise<Answer> {
  return ask("PUT", "/api/v1/projects/default", { body: { learningOptIn: true } });
}

export const learning: WorstCases<"learning"> = {
  benchmark: {
    prepare: optIn,
    request: () => ({ body: { type: "build_duration", value: Math.random() * 1000, unit: "seconds" } }),
  },
  pattern: {
    prepare: optIn,
    request: () => ({
      body: { title: "t".repeat(200), description: `${"a@b.c/".repeat(660)}`, category: "c".repeat(64) },
    }),
  },
  insights: { prepare: optIn, request: () => ({}) },
};

/** Reports a hundred errors with the most data that is kept of each. Returns their fingerprints. */
async function fillErrors(ask: Ask): Promise<string[]> {
  const root = "/api/v1/tools/observability";
  const { username, pathname } = new URL((await ask("GET", `${root}/config`)).body.errorTracking.dsn);
  const frames = range(50, (index) => ({ function: `f${index}`, filename: "x".repeat(150) }));
  for (let kind = 0; kind < 100; kind++) {
    const event = {
      exception: { values: [{ type: "T".repeat(200), value: "v ".repeat(1000), stacktrace: { frames } }] },
      release: `r${kind % 10}`.padEnd(100, "r"),
      tags: Object.fromEntries(range(10, (index) => [`t${index}`.padEnd(100, "t"), "u".repeat(100)])),
      fingerprint: [String(kind)],
    };
    await ask("POST", `/api${pathname}/store/?sentry_key=${username}`, { body: event });
  }
  const { items } = (await ask("GET", `${root}/errors?limit=100`)).body;
  return items.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
}

export const observability: WorstCases<"observability"> = {
  config: { request: () => ({ headers: { "X-Project-Id": `o${Math.random()}` } }) },
  errors: {
    prepare: fillErrors,
    request: () => ({ query: { limit: "200", sort: "count", query: "v v v v v no such word" } }),
  },
  showError: { prepare: fillErrors, request: ([fingerprint = ""]: string[]) => ({ path: { fingerprint } }) },
  resolveErrors: { prepare: fillErrors, request: (fingerprints) => ({ body: { fingerprints } }) },
  ignoreErrors: { prepare: fillErrors, request: (fingerprints) => ({ body: { fingerprints, more: 1 } }) },
  reopenErrors: { prepare: fillErrors, request: (fingerprints) => ({ body: { fingerprints } }) },
  sourceMaps: { request: () => ({ query: { limit: "200" } }) },
  deleteSourceMaps: { request: () => ({ path: { bundleId: "0".repeat(40) } }) },
  deleteError: {
    prepare: fillErrors,
    request: ([fingerprint = ""]: string[]) => ({ path: { fingerprint } }),
  },
};
