import { expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { contributions } from "../../../src/tools/learning/documents.ts";
import { openLearning } from "./learning.ts";

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

it("each account opts in at most a hundred projects, and one more for each that opts out", async () => {
  const { optIn, optOut } = await openLearning();
  await optIn(...names("mine/p", 100));
  await optIn("mine/p0");
  await expect(optIn("mine/more")).rejects.toMatchObject({
    error: "conflict",
    detail: expect.stringContaining("100 projects"),
  });
  await optIn(...names("other/p", 100));
  await expect(optIn("other/more")).rejects.toMatchObject({ error: "conflict" });
  await optOut("mine/p1", "mine/p1", "mine/never");
  await optIn("mine/more");
  await expect(optIn("mine/p1")).rejects.toMatchObject({ error: "conflict" });
});

it("an account shares a thousand patterns at most, in all its projects together", async () => {
  const { optIn, optOut, share, store } = await openLearning();
  const projects = names("mine/p", 6);
  await optIn(...projects, "other/p");
  for (const project of projects.slice(0, 5)) {
    await Promise.all(names("", 200).map((title) => share(project, { title: `t${title}` })));
  }
  await expect(share("mine/p5")).rejects.toMatchObject({
    error: "conflict",
    detail: expect.stringContaining("1000 shared patterns"),
  });
  await share("other/p");
  await optOut("mine/p0");
  await share("mine/p5");
  await optOut(...projects, "other/p");
  expect(await store.transact((tx) => tx.list(contributions, GLOBAL))).toEqual([]);
});
