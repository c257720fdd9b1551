import { expect, it } from "vitest";
import { GLOBAL, type OpenedStore } from "../../../src/store/store.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notes, openAt, put } from "./directory.ts";

const changes = (store: OpenedStore, since: string | undefined, maxBytes?: number) =>
  store.transact((tx) => tx.changes(notes, GLOBAL, since, maxBytes === undefined ? {} : { maxBytes }));

async function pageOf(...asked: Parameters<typeof changes>) {
  const page = await changes(...asked);
  if (page === "reset") expect.fail("it was told to begin anew");
  return page;
}

it("the change feed resets readers from before forgotten deletions, and serves later ones to the end", async () => {
  const store = await openAt(temporaryDirectory());
  for (const id of ["a", "b", "c"]) await put(store, id);
  const before = await pageOf(store, undefined);
  await store.transact(async (tx) => {
    for (let times = 0; times < 20_001; times++) {
      await tx.put(notes, GLOBAL, "brief", { text: "" });
      await tx.delete(notes, GLOBAL, "brief");
    }
  });
  expect(await changes(store, before.version)).toBe("reset");
  const ids: string[] = [];
  let page = await pageOf(store, undefined, 1);
  for (;;) {
    ids.push(...page.entries.map(({ id }) => id));
    if (!page.more) break;
    page = await pageOf(store, page.version, 1);
  }
  expect(ids.filter((id) => id !== "brief")).toEqual(["a", "b", "c"]);
  expect((await pageOf(store, page.version)).entries).toEqual([]);
});

it("the change feed answers reset to a cursor that it never gave out", async () => {
  const store = await openAt(temporaryDirectory());
  for (const id of ["a", "b"]) await put(store, id);
  const { version } = await pageOf(store, undefined, 1);
  const [opening, at, begun] = version.split(".");
  expect(await changes(store, `${opening}.${at}.${begun}`)).toMatchObject({ entries: [{ id: "b" }] });
  for (const since of [
    `other.${at}.${begun}`,
    `${opening}.${Number(begun) + 1}.${begun}`,
    `${opening}.${at}.${Number(begun) + 1}`,
    `${opening}.x.${begun}`,
    `${opening}.${at}`,
    "",
  ])
    expect([since, await changes(store, since)]).toEqual([since, "reset"]);
});
