import { expect, it } from "vitest";
import type { OpenedStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { withClient } from "../../support/postgres.ts";
import { type Databases, eventually, openInstances } from "./databases.ts";

export function presenceSuite({ borrow }: Databases): void {
  it("see each other, and when one is closed", async () => {
    const url = await borrow();
    const [one, two] = (await openInstances(url, 2, [])) as [OpenedStore, OpenedStore];
    expect([await one.isOpen(two.opening), await two.isOpen(one.opening)]).toEqual([true, true]);
    await two.close();
    await eventually(async () => !(await one.isOpen(two.opening)));
  });

  it("no longer see one that hangs after a few seconds", async () => {
    const url = await borrow();
    const [one] = (await openInstances(url, 1, [])) as [OpenedStore];
    const standing = { ...systemClock, every: () => () => {} };
    const [hung] = (await openInstances(url, 1, [], { clock: standing })) as [OpenedStore];
    expect(await one.isOpen(hung.opening)).toBe(true);
    await eventually(async () => !(await one.isOpen(hung.opening)));
  });

  it("see one again whose connection was cut", async () => {
    const url = await borrow();
    const [one, two] = (await openInstances(url, 2, [])) as [OpenedStore, OpenedStore];
    await withClient(url, (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    );
    await eventually(async () => one.isOpen(two.opening).catch(() => false));
    await eventually(async () => two.isOpen(one.opening).catch(() => false));
  });
}
