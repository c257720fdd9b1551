import { expect, it, onTestFinished } from "vitest";
import { startCrowd } from "../support/accounts/crowd.ts";
import { consolePaths } from "./support/console-paths.ts";
import { visitor } from "./support/visitor.ts";

const MOST_BYTES = 200 * 1024;

it("pages stay under 200 KiB with 1,000 users, 10,000 keys, a year of usage, 100,000 audit entries", async () => {
  const crowd = await startCrowd();
  onTestFinished(crowd.close);
  const owner = visitor(crowd.url);
  const link = new URL(crowd.signInUrl);
  await owner.send(await owner.get(link.pathname + link.search), "/sign-in");
  const paths = await consolePaths(owner);
  // The paths include the second page of each long list.
  for (const list of ["keys", "people", "audit"]) {
    expect(paths.some((path) => path.startsWith(`/${list}?after=`))).toBe(true);
  }
  const wrong: string[] = [];
  for (const path of paths) {
    const { status, html } = await owner.get(path);
    const bytes = Buffer.byteLength(html);
    if (status !== 200 || bytes > MOST_BYTES) wrong.push(`${path}: ${status}, ${bytes} bytes`);
  }
  expect(wrong).toEqual([]);
});
