import { systemClock } from "../../src/system/clock.ts";
import { generator, words } from "../data/made-up.ts";
import { readRows } from "../data/rows.ts";
import { printTimes } from "../data/times.ts";
import { askProject } from "../servers/ask-project.ts";
import { startInProcess } from "../servers/in-process.ts";
import { inOtherWords } from "./memory/other-words.ts";

const DATA = "04-memory";
const MEMORIES = 100_000;
const CALL = 1000;

/**
 * Measures corrections and questions in other words. Then measures over HTTP, on a server of its own, how much of
 * the evidence for a question is recalled (LoCoMo, with a conversation's turns as one thread or a thread a session;
 * Cranfield, abstracts in no thread), and how long storing and recalling take with 100,000 memories.
 */
export async function run(): Promise<void> {
  inOtherWords();
  const server = await startInProcess();
  try {
    const account = await askProject(server.url, "default", "GET", "/api/v1/account");
    const limits = { requestsPerMinute: 1e6, requestsPerHour: 1e8, requestsPerDay: 1e9 };
    await askProject(server.url, "default", "PATCH", `/api/v1/accounts/${account.account.id}`, { limits });
    await conversations(server.url, "conversation");
    await conversations(server.url, "session");
    await documents(server.url);
    await speed(server.url);
  } finally {
    await server.close();
  }
}

interface Conversation {
  conv: string;
  sessions: {
    n: number;
    date: string;
    turns: [id: string, speaker: string, text: string, caption?: string][];
  }[];
  qa: { question: string; evidence: string[] }[];
}

async function conversations(url: string, thread: "conversation" | "session"): Promise<void> {
  const all = readRows<Conversation>(DATA, "locomo");
  if (!all) return;
  for (const order of ["relevance", "weighed"]) {
    const sums = { five: 0, ten: 0, questions: 0 };
    for (const { conv, sessions, qa } of all) {
      const project = `${conv}-${thread}-${order}`;
      const memories = sessions.flatMap(({ n, date, turns }) =>
        turns.map(([turn, agent, content, caption]) => ({
          content,
          agent,
          thread: thread === "session" ? `session-${n}` : "all",
          at: dateOf(date),
          metadata: { turn: [turn], ...(caption !== undefined && { caption }) },
        })),
      );
      await storeAll(url, project, memories);
      for (const { question, evidence } of qa) {
        if (evidence.length === 0) continue;
        const path = `/recall?q=${encodeURIComponent(question)}&limit=10&order=${order}`;
        const { items } = await tool(url, project, "GET", path);
        const turns: string[] = items.map(
          (item: { memory: { metadata: { turn: string[] } } }) => item.memory.metadata.turn[0],
        );
        const needed = [...new Set(evidence)];
        const recalled = (count: number) =>
          needed.filter((id) => turns.slice(0, count).includes(id)).length / needed.length;
        sums.five += recalled(5);
        sums.ten += recalled(10);
        sums.questions++;
      }
    }
    const [five, ten] = [sums.five / sums.questions, sums.ten / sums.questions].map((value) =>
      value.toFixed(3),
    );
    console.log(
      `LoCoMo, a thread a ${thread}, order=${order}: R@5 ${five}, R@10 ${ten} (BM25 .577, .659; to reach .71, .79)`,
    );
  }
}

/** Parses `1:56 pm on 8 May, 2023`. Ignores the time of day. */
function dateOf(text: string): string {
  return new Date(`${text.replace(/^.* on /, "")} 12:00 UTC`).toISOString();
}

async function documents(url: string): Promise<void> {
  const docs = readRows<{ id: string; title: string; text: string }>(DATA, "cranfield_docs");
  const queries = readRows<{ text: string; relevant: Record<string, number> }>(DATA, "cranfield_queries");
  if (!docs || !queries) return;
  const memories = docs
    .filter(({ text }) => text.trim() !== "")
    .map(({ id, text }) => ({ content: text, tags: [`document-${id}`] }));
  await storeAll(url, "cranfield", memories);
  for (const order of ["relevance", "weighed"]) {
    let sum = 0;
    for (const { text, relevant } of queries) {
      const path = `/recall?q=${encodeURIComponent(text)}&limit=10&order=${order}`;
      const { items } = await tool(url, "cranfield", "GET", path);
      const ids: string[] = items.map((item: { memory: { tags: string[] } }) =>
        item.memory.tags[0]?.slice(9),
      );
      const best = Object.values(relevant).sort((a, b) => b - a);
      sum += gainOf(ids.map((id) => relevant[id] ?? 0)) / gainOf(best.slice(0, 10));
    }
    console.log(
      `Cranfield, order=${order}: nDCG@10 ${(sum / queries.length).toFixed(3)} (BM25 .372; to reach .415)`,
    );
  }
}

function gainOf(gains: number[]): number {
  return gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
}

/**
 * Times operations on memories made of 20,000 words, the frequent ones far more frequent. A third are in threads of
 * 50; a tenth are as long as an abstract.
 */
async function speed(url: string): Promise<void> {
  const random = generator(42);
  const memory = (index: number) => ({
    content: words(random, index % 10 === 0 ? 120 : 20),
    agent: `agent-${index % 7}`,
    ...(index % 3 === 0 && { thread: `thread-${Math.floor(index / 150)}` }),
  });
  const begin = systemClock.monotonic();
  await storeAll(
    url,
    "speed",
    Array.from({ length: MEMORIES }, (_, index) => memory(index)),
  );
  console.log(
    `${MEMORIES} memories in calls of ${CALL}: ${((systemClock.monotonic() - begin) / 1000).toFixed(1)} s`,
  );
  const cold = systemClock.monotonic();
  await tool(url, "speed", "GET", "/recall?q=first");
  console.log(`first read after it: ${(systemClock.monotonic() - cold).toFixed(0)} ms`);
  const ask = (count: number) => () =>
    tool(url, "speed", "GET", `/recall?q=${encodeURIComponent(words(random, count))}`);
  await printTimes("recall, three words (p95 to beat: 30 ms)", ask(3));
  await printTimes("recall, twelve words (p95 to beat: 30 ms)", ask(12));
  await printTimes("recall, a hundred words", ask(100));
  await printTimes("store (p95 to beat: 5 ms)", (round) =>
    tool(url, "speed", "POST", "/store", memory(round)),
  );
  await printTimes("store and recall in turn", async (round) => {
    await tool(url, "speed", "POST", "/store", memory(round + 1));
    await ask(5)();
  });
  await printTimes("stats", () => tool(url, "speed", "GET", "/stats"), 20);
  console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB, this client included`);
}

async function storeAll(url: string, project: string, memories: readonly unknown[]): Promise<void> {
  for (let start = 0; start < memories.length; start += CALL) {
    await tool(url, project, "POST", "/store-many", { memories: memories.slice(start, start + CALL) });
  }
}

function tool(url: string, project: string, method: string, path: string, body?: unknown) {
  return askProject(url, project, method, `/api/v1/tools/agent-memory${path}`, body);
}
