import { expect, it } from "vitest";
import { type OpenMedium, opened } from "./medium.ts";

export function openingsConformance(medium: OpenMedium): void {
  it("knows its own opening as open, one before it as closed, and none that never was", async () => {
    const { store, reopen } = await opened(medium);
    const before = store.opening;
    expect(await store.isOpen(before)).toBe(true);
    expect(await store.isOpen("opening_0")).toBe(false);
    const again = await reopen();
    expect(again.opening).not.toBe(before);
    expect([await again.isOpen(again.opening), await again.isOpen(before)]).toEqual([true, false]);
  });
}
