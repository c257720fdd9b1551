import { chownSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { registryOf } from "../../src/server/tools/registry.ts";
import { fillStore } from "../../src/store/fill.ts";
import { giveToOwner } from "../../src/store/json-file/set-aside.ts";
import { makeReadOnly, makeWritable, openStore, readOnlyReason, readStore } from "../../src/store/open.ts";
import { collection, type OpenedStore, ReadOnly } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { startApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { STORES, temporaryDirectory } from "../support/store.ts";

const notes = collection<number>("notes");
const storeOptions = { clock: systemClock, log: createLog("silent") };
const options = { ...storeOptions, collections: [notes] };
const WHY = "it's being moved.";

const put = (store: OpenedStore, id: string) => store.transact((tx) => tx.put(notes, "acc", id, 1));
const get = (store: OpenedStore, id: string) => store.transact((tx) => tx.get(notes, "acc", id));

async function all(where: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of readStore(where, options)) found.push(JSON.stringify(item));
  return found;
}

describe.each(STORES)("%s that is made read only", (kind) => {
  const place = async () => (kind === "PostgreSQL" ? createDatabase() : temporaryDirectory());

  it("refuses writes but answers reads until it is made writable", async () => {
    const where = await place();
    const store = await openStore(where, options);
    onTestFinished(() => store.close());
    await put(store, "a");
    await makeReadOnly(where, WHY, systemClock);
    const refused = await put(store, "b").catch((error) => error);
    expect(refused).toBeInstanceOf(ReadOnly);
    expect(refused.message).toBe(WHY);
    await expect(store.transact((tx) => tx.increment("n", "acc", "n", 1))).rejects.toThrow(ReadOnly);
    expect(await get(store, "a")).toBe(1);
    const window = { key: "k", capacity: 1, kind: "fixed", windowMs: 60_000 } as const;
    expect((await store.admit([window])).admitted).toBe(true);
    const again = await openStore(await (kind === "PostgreSQL" ? where : place()), options);
    await again.close();
    await makeWritable(where);
    await expect
      .poll(() =>
        put(store, "b").then(
          () => get(store, "b"),
          () => "refused",
        ),
      )
      .toBe(1);
  });

  it("has to be there: an empty place is neither made read only nor writable", async () => {
    const where = await place();
    await expect(makeReadOnly(where, WHY, systemClock)).rejects.toThrow("There is no store in");
    await expect(makeWritable(where)).rejects.toThrow("There is no store in");
    expect(await readOnlyReason(where)).toBeUndefined();
    if (kind === "a directory") expect(readdirSync(where)).toEqual([]);
  });

  it("does not change once makeReadOnly() resolves, despite concurrent writers", async () => {
    const where = await place();
    const store = await openStore(where, options);
    onTestFinished(() => store.close());
    let acknowledged = 0;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; ; index++) {
        await put(store, `${writer}-${index}`);
        acknowledged++;
      }
    });
    const over = Promise.allSettled(writers);
    await expect.poll(() => acknowledged).toBeGreaterThan(50);
    await makeReadOnly(where, WHY, systemClock);
    const held = await all(where);
    for (const { status, reason } of (await over) as PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(reason).toBeInstanceOf(ReadOnly);
    }
    expect(held).toHaveLength(acknowledged);
    expect(await all(where)).toEqual(held);
  });

  it("is read only for a server that starts later", async () => {
    const where = await place();
    await (await openStore(where, options)).close();
    await makeReadOnly(where, WHY, systemClock);
    const store = await openStore(where, options);
    onTestFinished(() => store.close());
    await expect(put(store, "a")).rejects.toThrow(WHY);
  });

  it("reports the latest reason", async () => {
    const where = await place();
    await (await openStore(where, options)).close();
    expect(await readOnlyReason(where)).toBeUndefined();
    for (const why of [WHY, "Zurück um 12 Uhr."]) {
      await makeReadOnly(where, why, systemClock);
      expect(await readOnlyReason(where)).toBe(why);
    }
    await makeWritable(where);
    expect(await readOnlyReason(where)).toBeUndefined();
  });

  it("has a server that answers writes with 503 and the reason, and still answers reads", async () => {
    const where = await place();
    const app = await startApp(kind === "PostgreSQL" ? { databaseUrl: where } : { dataDirectory: where });
    const track = () => app.request("POST", "/api/v1/track", { body: { type: "api_calls" } });
    const memory = (method: string, path: string, body?: unknown) =>
      app.request(method, `/api/v1/tools/agent-memory${path}`, { body });
    expect((await track()).status).toBe(200);
    expect((await memory("POST", "/store", { content: "The ferry leaves at nine." })).status).toBe(201);
    await makeReadOnly(where, WHY, systemClock);
    const { status, headers, body } = await track();
    expect([status, body.error]).toEqual([503, "store_unavailable"]);
    expect(body.detail).toContain(WHY);
    expect(headers.get("Retry-After")).toBe("10");
    const usage = await app.request("GET", "/api/v1/usage");
    expect([usage.status, usage.body.totals.api_calls]).toEqual([200, 1]);
    const { body: recalled } = await memory("GET", "/recall?q=ferry");
    expect(recalled.items).toMatchObject([{ memory: { content: "The ferry leaves at nine.", uses: 0 } }]);
    // The first document to be signed. The key exists already.
    expect((await app.request("GET", "/api/v1/entitlements/resolve")).status).toBe(200);
    expect((await app.request("GET", "/ready")).status).toBe(200);
    await makeWritable(where);
    await expect.poll(async () => (await track()).status).toBe(200);
  });
});

describe.each(STORES)("a server that starts on %s that is read only", (kind) => {
  const emptyPlace = async () =>
    kind === "PostgreSQL" ? { databaseUrl: await createDatabase() } : { dataDirectory: temporaryDirectory() };
  const owner = { email: "owner@localhost" };

  it.each([
    ["the owner has no way in yet", { owner }],
    ["the owner is given a password", { owner: { ...owner, password: "correct horse battery" } }],
    ["it is configured otherwise", { upstreams: ["files=https://mcp.example.com/mcp"] }],
  ])("becomes ready and logs that the store is read only, though %s", async (_, settings) => {
    const place = await emptyPlace();
    await (await startApp({ ...place, owner })).close();
    const where = place.databaseUrl ?? (place.dataDirectory as string);
    await makeReadOnly(where, WHY, systemClock);
    const lines: string[] = [];
    const log = createLog("warn", { write: (line) => void lines.push(line) });
    const app = await startApp({ ...place, ...settings, log });
    expect((await app.request("GET", "/ready")).status).toBe(200);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ why: WHY, msg: expect.stringContaining("the store is read only") }),
    );
  });

  it("fails with a hint to make the store writable if it has to write first", async () => {
    const place = await emptyPlace();
    const where = place.databaseUrl ?? (place.dataDirectory as string);
    await (await openStore(where, { ...storeOptions, collections: registryOf().collections })).close();
    await makeReadOnly(where, WHY, systemClock);
    await expect(startApp(place)).rejects.toThrow("`tool data writable`");
  });
});

it.skipIf(process.getuid?.() !== 0)(
  "fillStore() as root gives its files to the owner of the directory",
  async () => {
    const where = temporaryDirectory();
    chownSync(where, 12_345, 12_345);
    await fillStore(where, (async function* () {})(), { ...options, force: false, name: "it", instant: 0 });
    expect(statSync(join(where, "journal.jsonl")).uid).toBe(12_345);
    await fillStore(where, (async function* () {})(), { ...options, force: true, name: "it", instant: 0 });
    const [before = ""] = readdirSync(where).filter((name) => name.startsWith("before-"));
    for (const name of ["journal.jsonl", before, join(before, "journal.jsonl")]) {
      expect([name, statSync(join(where, name)).uid]).toEqual([name, 12_345]);
    }
  },
);

it.skipIf(process.getuid?.() !== 0)(
  "giveToOwner() as root gives away nothing that was there, nor what a link leads to",
  async () => {
    const elsewhere = join(temporaryDirectory(), "secret");
    writeFileSync(elsewhere, "");
    const where = temporaryDirectory();
    writeFileSync(join(where, "other"), "");
    for (const name of ["link", "store.json", "before-link"]) symlinkSync(elsewhere, join(where, name));
    chownSync(where, 12_345, 12_345);
    await giveToOwner(where);
    expect([statSync(elsewhere).uid, statSync(join(where, "other")).uid]).toEqual([0, 0]);
    expect(lstatSync(join(where, "store.json")).uid).toBe(12_345);
  },
);
