import { Agent, request } from "undici";
import { eventParser } from "../../src/client/event-parser.ts";
import { startPostgres } from "../../test/support/services/postgres.ts";
import { quantile } from "../data/times.ts";
import { OWNER, type Server, startToolplane } from "../servers/start.ts";

const ROOT = "/api/v1/tools/pair/session";
const AUTHORS = 50;
const CHANGES = 40;
const LINE = 40;
const agent = new Agent({ connections: AUTHORS, bodyTimeout: 0 });

interface Change {
  sequence: number;
  path: string;
  edits: { from: number; to: number; insert: string }[];
}

/** Measures how many changes a second 50 authors record without losing any, and how soon a watcher receives each. */
export async function run(): Promise<void> {
  const alone = await startToolplane("JSON file store");
  await measure("one server, JSON file store", [alone]);
  alone.stop();
  const postgres = await startPostgres({});
  const env = { TOOL_DATABASE_URL: await postgres.createDatabase() };
  const two = [await startToolplane("one", env), await startToolplane("two", env)];
  await measure("two servers, one PostgreSQL database", two);
  for (const server of two) server.stop();
  await postgres.stop();
  await agent.close();
}

async function measure(what: string, servers: readonly Server[]): Promise<void> {
  console.log(`\n${what}`);
  const of = (index: number) => (servers[index % servers.length] as Server).url;
  const names = Array.from({ length: AUTHORS }, (_, index) => `author${index}`);
  const uploaded = names.map((name) => `${name.padEnd(LINE - 1)}\n`).join("");
  const start = async () => {
    const participants = names.map((id, index) => ({ id, role: index === 0 ? "driver" : "navigator" }));
    const body = { participants, files: [{ path: "a", content: uploaded }] };
    return (await call(of(0), "POST", "", body)).session.id as string;
  };

  for (const [manner, follows] of [
    ["each of whom goes on from the own last change", true],
    ["each of whom knows only the text as it was uploaded", false],
  ] as const) {
    const id = await start();
    const sentAt = new Map<string, number>();
    const delays: number[] = [];
    // The watcher follows the last server: with two, half of the changes that it receives were written on the other.
    const watcher = await follow(of(servers.length - 1), id, (change) => {
      const sent = sentAt.get(change.edits.map(({ insert }) => insert).join());
      if (sent !== undefined) delays.push(performance.now() - sent);
    });
    const times: number[] = [];
    const begun = performance.now();
    await Promise.all(
      names.map(async (author, index) => {
        let [baseRevision, at] = [0, (index + 1) * LINE - 1];
        for (let round = 0; round < CHANGES; round++) {
          const insert = ` ${author}/${round}`;
          const begin = performance.now();
          sentAt.set(insert, begin);
          const body = { author, path: "a", baseRevision, edits: [{ from: at, to: at, insert }] };
          const { change, revision } = await call(of(index), "POST", `/${id}/change`, body);
          times.push(performance.now() - begin);
          if (follows) [baseRevision, at] = [revision, change.edits[0].from + insert.length];
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    const all = AUTHORS * CHANGES;
    console.log(`  ${all} changes by ${AUTHORS} authors at once, ${manner}:`);
    console.log(`    ${(all / seconds).toFixed(0)}/s, ${spread(times)}`);
    await until(() => delays.length === all);
    console.log(`    known to a watcher, from sending to hearing: ${spread(delays)}`);
    watcher.abort();
    await requireAll(of(0), id, uploaded, names);
  }

  const lone = await start();
  const heard: number[] = [];
  let sent = 0;
  const quiet = await follow(of(servers.length - 1), lone, () => void heard.push(performance.now() - sent));
  for (let round = 0; round < 100; round++) {
    sent = performance.now();
    await call(of(0), "POST", `/${lone}/change`, {
      author: "author0",
      path: "a",
      baseRevision: round,
      edits: [{ from: 0, to: 0, insert: "x" }],
    });
    await until(() => heard.length > round);
  }
  quiet.abort();
  console.log(
    `  one change at a time${servers.length > 1 ? ", heard at the other server" : ""}: ${spread(heard)}`,
  );
}

/** Throws unless every insertion is there, in its line and in its author's order. */
async function requireAll(
  url: string,
  id: string,
  uploaded: string,
  names: readonly string[],
): Promise<void> {
  const begin = performance.now();
  const view = await call(url, "GET", `/${id}`);
  const took = performance.now() - begin;
  const lines = names.map((name) => {
    const rounds = Array.from({ length: CHANGES }, (_, round) => ` ${name}/${round}`);
    return `${name.padEnd(LINE - 1)}${rounds.join("")}\n`;
  });
  const replayed = (view.changes as Change[]).reduce(
    (text, { edits }) =>
      edits.reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text),
    uploaded,
  );
  const content = view.files[0].content;
  if (content !== lines.join("") || content !== replayed) throw new Error("a change was lost");
  console.log(
    `  all of them there, in order; the session with all its changes is read in ${took.toFixed(0)} ms`,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read without their types
async function call(url: string, method: "GET" | "POST", path: string, body?: unknown): Promise<any> {
  const answer = await request(`${url}${ROOT}${path}`, {
    method,
    headers: OWNER,
    dispatcher: agent,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(text);
  return JSON.parse(text);
}

async function follow(url: string, id: string, onChange: (change: Change) => void): Promise<AbortController> {
  const stop = new AbortController();
  const answer = await request(`${url}${ROOT}/${id}/events?since=0`, {
    headers: OWNER,
    dispatcher: new Agent({ bodyTimeout: 0 }),
    signal: stop.signal,
  });
  const parse = eventParser(({ event, data }) => {
    if (event === "change") onChange(data as Change);
  });
  answer.body.on("data", parse).on("error", () => {});
  return stop;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

function spread(times: number[]): string {
  const at = (share: number) => quantile(times, share).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
