import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { createErrorRecorder } from "../../../src/server/telemetry/error-recorder.ts";
import { registryOf } from "../../../src/server/tools/registry.ts";
import { GLOBAL, StoreUnavailable } from "../../../src/store/store.ts";
import { type Clock, systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { listErrors } from "../../../src/tools/observability/list.ts";
import { startOnFailingStore } from "../../hardness/app-on-store.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { openTestStore } from "../../support/store.ts";

const ERRORS = "/api/v1/tools/observability/errors";
const TRACE = "0af7651916cd43dd8448eb211c80319c";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
function bodyOf(response: Response): Promise<any> {
  return response.json();
}

async function start() {
  const lines: string[] = [];
  const app = await startOnFailingStore(createLog("debug", { write: (line) => void lines.push(line) }));
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { method, headers: { Authorization: `Bearer ${OWNER_KEY}`, ...headers } });
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
  async function errors(headers: Record<string, string> = {}): Promise<any[]> {
    return bodyOf(await call("GET", ERRORS, headers)).then(({ items }) => items);
  }
  return {
    ...app,
    lines,
    call,
    errors,
    /** Makes the store operations of a function of the server fail. */
    failIn(name: string, error: () => Error | undefined) {
      app.failWith(() => (new Error().stack?.includes(name) ? error() : undefined));
    },
    async eventually(count: number, headers = {}) {
      for (;;) {
        const found = await errors(headers);
        if (found.length >= count) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

describe("an error of the server itself", () => {
  it("is recorded in the caller's project with route, trace and stack, and without secrets", async () => {
    const app = await start();
    app.failIn("searchPage", () => new TypeError(`no row for password=correcthorse of ${OWNER_KEY}`));
    const headers = { "X-Project-Id": "shop", traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const answers = await Promise.all([1, 2, 3].map(() => app.call("GET", "/api/v1/users", headers)));
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    app.failWith(undefined);
    const [error, ...others] = await app.eventually(1, { "X-Project-Id": "shop" });
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      type: "TypeError",
      message: expect.stringContaining("password=[masked]"),
      count: 3,
      source: "server",
      route: "GET /api/v1/users",
      stack: expect.stringContaining("searchPage"),
      traceId: TRACE,
    });
    expect(await app.errors()).toEqual([]);
    const failed = app.lines.filter((line) => line.includes("request failed"));
    expect(failed).toHaveLength(3);
    expect(JSON.parse(failed[0] as string).traceId).toBe(TRACE);
  });

  it("is kept while the store is unavailable, and recorded when it is back", async () => {
    const app = await start();
    app.failWith(() => new StoreUnavailable("away"));
    const answers = await Promise.all([1, 2].map(() => app.call("GET", "/api/v1/users")));
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    app.failWith(undefined);
    const [error] = await app.eventually(1);
    expect(error).toMatchObject({ type: "StoreUnavailable", message: "away", count: 2, source: "server" });
  });

  it("without a caller is shown to operators only", async () => {
    const app = await start();
    const made = await fetch(`${app.url}/api/v1/keys`, {
      method: "POST",
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "reader", scopes: ["admin"] }),
    });
    const reader = { Authorization: `Bearer ${(await bodyOf(made)).secret}` };
    app.failIn("createSigningKeys", () => new Error("no key for anybody"));
    app.failWith(() =>
      new Error().stack?.includes("current") ? new Error("no key for anybody") : undefined,
    );
    expect((await fetch(`${app.url}/.well-known/jwks.json`)).status).toBe(500);
    app.failIn("searchPage", () => new Error("no list"));
    expect((await app.call("GET", "/api/v1/users")).status).toBe(500);
    app.failWith(undefined);
    const seen = await app.eventually(2, { "X-Project-Id": "default" });
    expect(seen.map(({ message }) => message).sort()).toEqual(["no key for anybody", "no list"]);
    expect(await app.errors({ ...reader, "X-Project-Id": "elsewhere" })).toEqual([]);
    const [own, ...more] = await app.errors(reader);
    expect(more).toEqual([]);
    expect(own.message).toBe("no list");
    expect(own.stack).toBeUndefined();
  });

  it("in the middle of an answer is recorded, and the answer is cut off", async () => {
    const app = await start();
    const graph = "/api/v1/tools/knowledge-graph";
    const properties = { text: "x".repeat(16_000) };
    const entities = Array.from({ length: 20 }, (_, n) => ({ type: "page", name: `page ${n}`, properties }));
    const imported = await fetch(`${app.url}${graph}/import`, {
      method: "POST",
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify({ entities }),
    });
    expect(imported.status).toBe(200);
    await (await app.call("GET", graph)).text();
    let reads = 0;
    app.failIn("whole-graph.ts", () => {
      reads++;
      return undefined;
    });
    await (await app.call("GET", graph)).text();
    app.failIn("whole-graph.ts", () => (--reads > 0 ? undefined : new Error("lost in the middle")));
    const cut = await app.call("GET", graph);
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
    app.failWith(undefined);
    expect(await app.eventually(1)).toMatchObject([
      { message: "lost in the middle", route: `GET ${graph}`, source: "server" },
    ]);
    expect(app.lines.some((line) => line.includes("lost in the middle"))).toBe(true);
  });
});

describe("createErrorRecorder()", () => {
  /** @param clock the clock of the recorder's timeouts. */
  async function open(clock: Clock = systemClock) {
    const store = await openTestStore({ clock: systemClock, collections: registryOf().collections });
    const lines: string[] = [];
    let away = false;
    const recorder = createErrorRecorder({
      store: {
        ...store,
        transact: (work) => (away ? Promise.reject(new StoreUnavailable("away")) : store.transact(work)),
      },
      clock,
      log: createLog("warn", { write: (line) => void lines.push(line) }),
      getOrCreateProject: async () => {},
      raise: async () => {},
    });
    const exchange = { endpoint: "test", req: { method: "GET", headers: {} } } as Exchange;
    return {
      note: (error: unknown) => recorder.note(error, exchange),
      close: () => recorder.close(),
      leave() {
        away = true;
      },
      errors: async () => (await listErrors(store, [GLOBAL], { limit: 200 }, clock.now())).items,
      said: () => lines.join(""),
    };
  }

  it("writes pending errors when it is closed", async () => {
    const { note, close, errors } = await open();
    note(new Error("the last one"));
    await close();
    expect(await errors()).toMatchObject([{ message: "the last one", route: "GET test" }]);
  });

  it("closes without waiting for an unavailable store, and logs how many errors were lost", async () => {
    const { note, close, leave, errors, said } = await open();
    leave();
    note(new Error("one"));
    note(new Error("two"));
    await close();
    expect(await errors()).toEqual([]);
    expect(JSON.parse(said())).toMatchObject({ errors: 2, msg: "errors were logged and not recorded" });
  });

  it("records any thrown value, and drops errors beyond its capacity", async () => {
    const patient: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };
    const { note, close, errors, said } = await open(patient);
    const hostile = Object.create(Error.prototype, {
      message: {
        get() {
          throw new Error("not even that");
        },
      },
    });
    for (const thrown of [undefined, null, 5, "text", Symbol("s"), Object.create(null), hostile])
      note(thrown);
    for (let index = 0; index < 100_000; index++) note(new Error("storm"));
    await close();
    expect(said()).toContain("too many at once");
    const found = Object.fromEntries((await errors()).map(({ message, count }) => [message, count]));
    expect(found).toMatchObject({ undefined: 1, null: 1, "5": 1, text: 1, "Symbol(s)": 1 });
    expect(found.storm).toBeGreaterThan(900);
    expect(found.storm).toBeLessThanOrEqual(1000);
  });
});
