import { type Ask, isFull, MiB, range, uniqueWords, type WorstCases } from "./worst-case.ts";

/** Bytes of nearly the longest body that is allowed. */
const longest = () => (isFull() ? 60 : 0.25) * MiB;

const SESSION = "/api/v1/tools/pair/session";

const LINE =
  "const query = 'SELECT * FROM t WHERE a = ' + req.query.a + ' AND b = ' + x[y(z)]; eval(query);\n";

export const codeReview: WorstCases<"codeReview"> = {
  review: {
    request: () => {
      const content = LINE.repeat(Math.floor(Math.min(MiB, longest() / 4) / LINE.length));
      const files = range(isFull() ? 20 : 1, (index) => ({ path: `b${index}.js`, content }));
      const small = files.map(({ path }) => `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+${LINE}`).join("");
      return { body: { diff: diffOf(longest() / 2) + small, files } };
    },
    times: 2,
  },
};

/** Returns a diff of one file, with lines that rules look at closely. */
function diffOf(bytes: number): string {
  const count = Math.floor(bytes / (LINE.length + 1));
  return `--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,${count} @@\n${`+${LINE}`.repeat(count)}`;
}

export const anomalies: WorstCases<"anomalies"> = {
  analyze: {
    request: () => ({
      raw: `{"metrics":{${range(
        1000,
        (index) => `"m${index}":[${range(1000, (at) => (at * 7919 + index) % 1000).join(",")}]`,
      ).join(",")}}}`,
    }),
    times: 2,
  },
  history: { request: () => ({ query: { limit: "200", state: "dismissed" } }) },
  show: { request: () => ({ path: { id: "ano_none" } }) },
  reopen: { request: () => ({ path: { id: "ano_none" }, body: {} }) },
  dismiss: { request: () => ({ path: { id: "ano_none" }, body: { reason: "r".repeat(1000) } }) },
  apply: { request: () => ({ path: { id: "ano_none" }, body: {} }) },
  settings: { request: () => ({ query: { limit: "200" } }) },
  changeSettings: { request: () => ({ body: { metric: "m".repeat(256), low: 1, high: 2 } }) },
};

export const contextOptimizer: WorstCases<"contextOptimizer"> = {
  optimize: {
    request: () => ({
      body: {
        content: uniqueWords(Math.min(15 * MiB, longest()), 1),
        query: uniqueWords(16_000, 2),
        budget: { ratio: 0.5 },
      },
    }),
    times: 2,
  },
  locate: {
    request: () => ({
      body: {
        query: uniqueWords(16_000, 1),
        segments: range(8, (index) => ({
          id: `f${index}.ts`,
          content: uniqueWords(Math.min(15 * MiB, longest()) / 8, 1 + (index % 2)),
        })),
      },
    }),
    times: 2,
  },
};

/** Returns the names of all models, those that take the longest prompts first. */
async function modelNames(ask: Ask): Promise<string[]> {
  const { items } = (await ask("GET", "/api/v1/tools/models")).body;
  return (items as { provider: string; id: string; contextTokens: number }[])
    .sort((one, other) => other.contextTokens - one.contextTokens)
    .map(({ provider, id }) => `${provider}/${id}`);
}

export const models: WorstCases<"models"> = {
  list: { request: () => ({}), times: 10 },
  select: {
    prepare: modelNames,
    request: (names: string[]) => ({
      body: {
        task: { kind: "code", prompt: "é".repeat(isFull() ? 5 * MiB : 1_000_000) },
        constraints: { models: { deny: names.slice(20, 520) } },
      },
    }),
    times: 3,
  },
  outcome: {
    prepare: modelNames,
    request: ([model]: string[]) => ({ body: { model, kind: "code", outcome: "success" } }),
  },
};

function clock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

export const scheduler: WorstCases<"scheduler"> = {
  plan: {
    request: () => ({
      body: {
        tasks: range(20_000, (index) => ({
          id: `t${index}`,
          durationMs: 1 + ((index * 7919) % 997),
          dependsOn: range(Math.min(index, 20), (back) => `t${index - 1 - back}`),
          anyOf: [{ r: 1 + (index % 3) }, { s: 1 }],
        })),
        capacity: { r: 4, s: 1 },
        // The most intervals a day that `hours` allows, and further calendars for the resources.
        calendar: {
          start: "2026-11-23",
          timeZone: "Europe/Berlin",
          hours: range(50, (at) => `mon-sun ${clock(at * 28)}-${clock(at * 28 + 1)}`),
          resources: { r: { hours: ["mon-fri 08:00-18:00"] }, s: { hours: ["mon-sun 12:00-24:00"] } },
        },
        timeBudgetMs: isFull() ? 20_000 : 1000,
      },
    }),
    times: 2,
  },
};

export const selfHealing: WorstCases<"selfHealing"> = {
  diagnose: {
    request: () => ({
      body: {
        log: "Error: cannot find module 'x' at y (z.js:1:2)\n".repeat(Math.floor(longest() / 60)),
        exitCode: 1,
      },
    }),
    times: 2,
  },
  show: { request: () => ({ path: { diagnosisId: "dia_none" } }) },
  delete: { request: () => ({ path: { diagnosisId: "dia_none" } }) },
  record: {
    async prepare(ask) {
      const body = { log: "npm ERR! code ENOSPC\nnpm ERR! ENOSPC: no space left on device, write\n" };
      return (await ask("POST", "/api/v1/tools/self-healing/diagnose", { body })).body.diagnosisId;
    },
    request: (diagnosisId: string) => ({ body: { diagnosisId, outcome: "success", fix: "f".repeat(4000) } }),
  },
  history: { request: () => ({ query: { limit: "200" } }) },
};

const FILE = "x".repeat(MiB);
const DRIVER = { id: "me", role: "driver" };

export const pair: WorstCases<"pair"> = {
  start: {
    request: () => ({
      body: { participants: [DRIVER], files: range(4, (index) => ({ path: `f${index}`, content: FILE })) },
    }),
  },
  show: {
    async prepare(ask) {
      const files = range(4, (index) => ({ path: `f${index}`, content: FILE }));
      return (
        (await ask("POST", SESSION, { body: { participants: [DRIVER], files } })).body.session?.id ?? "none"
      );
    },
    request: (sessionId: string) => ({ path: { sessionId } }),
  },
  list: { request: () => ({ query: { state: "ended", limit: "200" } }) },
  recent: {
    async prepare(ask) {
      const lines = "line\n".repeat(20_000);
      const files = [{ path: "f", content: lines }];
      const { body } = await ask("POST", SESSION, { body: { participants: [DRIVER], files } });
      const id = body.session?.id ?? "none";
      for (let at = 0; at < 60; at++) {
        const edits = range(1000, (index) => ({ from: index * 50, to: index * 50 + 1, insert: "y" }));
        const change = { author: "me", path: "f", baseRevision: at, edits };
        await ask("POST", `${SESSION}/${id}/change`, { body: change });
      }
      return id;
    },
    request: (sessionId: string) => ({ path: { sessionId }, query: { limit: "50", path: "f" } }),
  },
  change: {
    async prepare(ask) {
      const { body } = await ask("POST", SESSION, {
        body: { participants: [DRIVER], files: [{ path: "f", content: "x".repeat(10_000) }] },
      });
      // There is no session if the account is already full.
      const id = body.session?.id ?? "none";
      // A change can be moved over ten of this size, and another one is sent at the same time.
      for (let at = 0; at < 9; at++) {
        const edits = range(1000, (index) => ({ from: index * 4 + 1, to: index * 4 + 2, insert: "y" }));
        const change = { author: "me", path: "f", baseRevision: at, edits };
        await ask("POST", `${SESSION}/${id}/change`, { body: change });
      }
      return id;
    },
    request: (sessionId: string) => ({
      path: { sessionId },
      body: {
        author: "me",
        path: "f",
        baseRevision: 0,
        edits: range(1000, (index) => ({ from: index * 4 + 3, to: index * 4 + 3, insert: "z" })),
      },
    }),
  },
  handoff: { request: () => ({ path: { sessionId: "none" }, body: {} }) },
  end: { request: () => ({ path: { sessionId: "none" }, body: {} }) },
  events: { request: () => ({ path: { sessionId: "none" } }) },
};
