import { describe, expect, it } from "vitest";
import { accountSource } from "../../../src/accounts/export/account.ts";
import { exportInTurn, exportLines, exportPage } from "../../../src/accounts/export/pages.ts";
import { projects as projectDocuments } from "../../../src/accounts/model.ts";
import { accountSpace, type Collection, collection, projectSpace } from "../../../src/store/store.ts";
import { COLLECTIONS, callerFor, problem, startServices, stranger } from "../fixture.ts";

const notes = collection<{ text: string; secretHash?: string }>("exported_notes");
const KEPT: readonly Collection<unknown>[] = [...COLLECTIONS, notes];

async function start() {
  const services = await startServices({ collections: [notes] });
  const founder = await stranger(services);
  const by = callerFor(founder);
  const { key, secret } = await services.apiKeys.create(by, { name: "ci", scopes: ["write"] });
  await services.projects.update(by, "shop", { name: "Shop" });
  const space = projectSpace(founder.accountId, "shop");
  await services.store.transact(async (tx) => {
    for (let index = 0; index < 250; index++) await tx.insert(notes, space, `n${index}`, { text: "kept" });
  });
  return { ...services, founder, key, secret, space };
}

describe("the export of an account", () => {
  it("contains each document once, no secrets and nothing of another account", async () => {
    const { store, founder, space, secret, key } = await start();
    await store.transact((tx) => tx.put(notes, space, "hashed", { text: "x", secretHash: "h" }));
    const { accountId } = founder;
    let text = "";
    for await (const lines of exportLines((cursor) =>
      exportPage(store, accountSource(store, KEPT, accountId), cursor),
    ))
      text += lines;
    const documents = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ofShop = documents.filter((each) => each.collection === notes.name);
    expect(ofShop).toHaveLength(251);
    expect(new Set(ofShop.map(({ id }) => id)).size).toBe(251);
    expect(ofShop.every(({ projectId }) => projectId === "shop")).toBe(true);
    expect(documents[0]).toMatchObject({ collection: "accounts", value: { name: "Elsewhere" } });
    expect(documents).toContainEqual(expect.objectContaining({ collection: "api_keys", id: key.id }));
    expect(text).not.toContain("secretHash");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("owner@localhost");
  });

  it("continues behind a cursor and is empty behind the last collection", async () => {
    const { store, founder } = await start();
    const from = (cursor?: string) =>
      exportPage(
        store,
        accountSource(store, KEPT, founder.accountId),
        cursor && Buffer.from(cursor).toString("base64url"),
      );
    const { items } = await from();
    for (const cursor of ["[null,null,1]", `["${founder.accountId}",null,0,null]`])
      expect((await from(cursor)).items.slice(0, 5)).toEqual(items.slice(1, 6));
    expect(await from(`["${founder.accountId}","shop",99]`)).toEqual({ items: [] });
  });

  it("leaves out no project and repeats none when others are made and deleted between two pages", async () => {
    const { store, founder, projects } = await start();
    const { accountId } = founder;
    const names = Array.from({ length: 12 }, (_, index) => `project${String(index).padStart(2, "0")}`);
    for (const name of names) {
      await projects.update(callerFor(founder), name, { name });
      await store.transact((tx) => tx.insert(notes, projectSpace(accountId, name), "note", { text: name }));
    }
    const exported: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await exportPage(store, accountSource(store, KEPT, accountId), cursor);
      for (const { collection, value } of items)
        if (collection === notes.name) exported.push((value as { text: string }).text);
      if (pages++ === 2) await projects.update(callerFor(founder), "another", { name: "Another" });
      if (pages === 4)
        await store.transact(async (tx) => {
          for (const id of ["another", "project00"])
            await tx.delete(projectDocuments, accountSpace(accountId), id);
        });
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(4);
    expect(exported.filter((text) => text !== "kept")).toEqual(names);
  });

  it("limits the size of a page and continues behind it", async () => {
    const { store, founder, space } = await start();
    const text = "x".repeat(200_000);
    await store.transact(async (tx) => {
      for (let index = 0; index < 30; index++) await tx.put(notes, space, `long${index}`, { text });
    });
    const lengths: number[] = [];
    for await (const lines of exportLines((cursor) =>
      exportPage(store, accountSource(store, KEPT, founder.accountId), cursor),
    ))
      lengths.push(lines.length);
    expect(Math.max(...lengths)).toBeLessThan(5_500_000);
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(30 * text.length);
  });

  it("reads one page of an account at a time, however many are asked for", async () => {
    const { store, founder } = await start();
    let reads = 0;
    const counting = {
      ...store,
      transact: ((work, as) => {
        reads++;
        return store.transact(work, as);
      }) as typeof store.transact,
    };
    const inTurn = exportInTurn(counting);
    const source = accountSource(counting, KEPT, founder.accountId);
    const page = (who: string) => inTurn(who, source, undefined);
    const alone = await page(founder.accountId);
    const ofOne = reads;
    reads = 0;
    const several = [1, 2, 3].map(() => page(founder.accountId));
    expect(await several[0]).toEqual(alone);
    // The second has just begun.
    expect(reads).toBeLessThanOrEqual(ofOne + 1);
    expect(await Promise.all(several)).toEqual([alone, alone, alone]);
  });

  it("reads no page, and no more of one, that nobody waits for any more", async () => {
    const { store, founder } = await start();
    let reads = 0;
    const gone = new AbortController();
    const counting = {
      ...store,
      transact: ((work, as) => {
        if (++reads === 3) gone.abort(problem("overloaded"));
        return store.transact(work, as);
      }) as typeof store.transact,
    };
    const inTurn = exportInTurn(counting);
    const source = accountSource(counting, KEPT, founder.accountId);
    const asked = [1, 2, 3].map(() => inTurn(founder.accountId, source, undefined, gone.signal));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(reads).toBe(3);
    expect((await inTurn(founder.accountId, source, undefined)).items).not.toEqual([]);
  });

  it("refuses further pages if too many are asked for at once", async () => {
    const { store, founder } = await start();
    const page = exportInTurn(store);
    const source = accountSource(store, KEPT, founder.accountId);
    const asked = Array.from({ length: 200 }, () => page(founder.accountId, source, undefined));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(50);
    expect(refused[0]).toMatchObject({ reason: problem("overloaded") });
    expect(outcomes[0]?.status).toBe("fulfilled");
  });

  it.each([
    "",
    "nonsense",
    ...[
      "{}",
      "[0,null,0]",
      "[null,0,0]",
      "[null,null,-1]",
      "[null,null,0.5]",
      "[null,null]",
      "[null,null,0,5]",
      '[null,null,"0"]',
      '["another account",null,0]',
      '[null,"a\\u0000b",0]',
      '[null,null,0,"a\\u0000b"]',
      '[null,null,0,"a\\ud800b"]',
    ].map((text) => Buffer.from(text).toString("base64url")),
  ])("refuses the invalid cursor %j", async (cursor) => {
    const { store, founder } = await start();
    await expect(
      exportPage(store, accountSource(store, KEPT, founder.accountId), cursor),
    ).rejects.toMatchObject(problem("invalid_request"));
  });
});
