import { once } from "node:events";
import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import { pairContract } from "../../../src/tools/pair/contract.ts";
import type { Change, Edit } from "../../../src/tools/pair/session-contract.ts";
import {
  OWNER_KEY,
  type RequestOptions,
  startApp,
  type TestApp,
  type TestResponse,
} from "../../support/app.ts";

export const ROOT = "/api/v1/tools/pair/session";

type View = z.infer<typeof pairContract.show.output>;

export interface TestPair {
  app: TestApp;
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Starts a session of alice, who drives, and others, with files by path. Returns its id. */
  start(files?: Record<string, string>, others?: string[]): Promise<string>;
  change(id: string, change: NewChange, options?: RequestOptions): Promise<TestResponse>;
  /** Like `change`, but must succeed. */
  changed(id: string, change: NewChange): Promise<z.infer<typeof pairContract.change.output>>;
  show(id: string, query?: string): Promise<View>;
  content(id: string, path?: string): Promise<string | undefined>;
}

export interface NewChange {
  author?: string;
  path?: string;
  baseRevision?: number;
  edits?: unknown[];
  message?: string;
}

export const FILE = "src/a.ts";

export async function openPair(server: Parameters<typeof startApp>[0] = {}): Promise<TestPair> {
  const app = await startApp(server);
  const send: TestPair["send"] = (method, path, options) => app.request(method, ROOT + path, options);
  const done = async (response: Promise<TestResponse>) => {
    const { status, body, text } = await response;
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const pair: TestPair = {
    app,
    send,
    async start(files = { [FILE]: "" }, others = ["bob"]) {
      const participants = [
        { id: "alice", role: "driver" },
        ...others.map((id) => ({ id, role: "navigator" })),
      ];
      const body = {
        participants,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
      };
      return (await done(send("POST", "", { body }))).session.id;
    },
    change: (id, { author = "alice", path = FILE, baseRevision = 0, edits = [], message }, options) =>
      send("POST", `/${id}/change`, {
        body: { author, path, baseRevision, edits, ...(message !== undefined && { message }) },
        ...options,
      }),
    changed: (id, change) => done(pair.change(id, change)),
    show: async (id, query = "") =>
      pairContract.show.output.parse(await done(send("GET", `/${id}${query && `?${query}`}`))),
    content: async (id, path = FILE) =>
      (await pair.show(id)).files.find((file) => file.path === path)?.content,
  };
  return pair;
}

/** Applies edits from the last to the first, so that none moves another. */
export function applied(content: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
    content,
  );
}

/** Replays changes on the uploaded files. Returns the contents by path. */
export function replayed(
  uploaded: Record<string, string>,
  changes: readonly Change[],
): Record<string, string> {
  const contents = { ...uploaded };
  for (const [index, { sequence, path, edits }] of changes.entries()) {
    if (index > 0) expect(sequence).toBe((changes[index - 1]?.sequence ?? 0) + 1);
    contents[path] = applied(contents[path] ?? "", edits);
  }
  return contents;
}

export function byPath({ files }: Pick<View, "files">): Record<string, string> {
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

/** Pieces that some text libraries would normalise. */
const PIECES = ["a", "bc", "\n", "\r\n", "\r", "\u0000", "\ud83d", "\ude00", "😀", "\u2028", "é"];
export const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(""));

/** Generates edits of a text of this length: sorted, not overlapping, none without effect. */
export function editsOf(length: number, most = 3): fc.Arbitrary<Edit[]> {
  return fc
    .tuple(
      fc.array(fc.tuple(fc.nat(length), fc.nat(length)), { minLength: 1, maxLength: most }),
      fc.array(text, { minLength: most, maxLength: most }),
    )
    .map(([places, inserts]) => {
      const bounds = places.flat().sort((left, right) => left - right);
      return places
        .map((_, index) => ({
          from: bounds[2 * index] as number,
          to: bounds[2 * index + 1] as number,
          insert: inserts[index] as string,
        }))
        .filter(({ from, to, insert }) => from < to || insert !== "");
    })
    .filter((edits) => edits.length > 0);
}

export interface TestEvent {
  id?: string;
  event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events without their types
  data?: any;
}

export interface TestStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Returns the next event, or undefined at the end. */
  next(): Promise<TestEvent | undefined>;
  /** Returns all events from here to the end. */
  rest(): Promise<TestEvent[]>;
  /** Returns the number of comments so far. */
  comments(): number;
  close(): void;
}

/** Follows a session on a new connection, with a parser of the stream's format that shares no code with the client. */
export async function openStream(
  app: TestApp,
  id: string,
  { query = "", key = OWNER_KEY, headers = {} }: { query?: string; key?: string; headers?: Headers } = {},
): Promise<TestStream> {
  const request = get(`${app.url}${ROOT}/${id}/events${query && `?${query}`}`, {
    agent: false,
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let comments = 0;
  const events = eventsIn(response, () => comments++);
  const next = async () => (await events.next()).value as TestEvent | undefined;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async rest() {
      const all: TestEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    comments: () => comments,
    close: () => request.destroy(),
  };
}

type Headers = Record<string, string>;

async function* eventsIn(body: IncomingMessage, onComment: () => void): AsyncGenerator<TestEvent> {
  let text = "";
  for await (const piece of body.setEncoding("utf8")) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event: TestEvent = {};
      for (const line of text.slice(0, end).split("\n")) {
        const [name, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)];
        if (name === "") onComment();
        else if (name === "data") event.data = JSON.parse(value);
        else if (name === "id" || name === "event") event[name] = value;
      }
      text = text.slice(end + 2);
      if (event.data) yield event;
    }
  }
}
