import { expect, it } from "vitest";
import { type OpenMedium, opened } from "./medium.ts";

export function openingsConformance(medium: OpenMedium): void {
  it("reports its current opening as open, and an earlier or unknown one as closed", async () => {
    const { store, reopen } = await opened(medium);
    const before = store.opening;
    expect(await store.isOpen(before)).toBe(true);
    expect(await store.isOpen("opening_0")).toBe(false);
    const again = await reopen();
    expect(again.opening).not.toBe(before);
    expect([await again.isOpen(again.opening), await again.isOpen(before)]).toEqual([true, false]);
  });
}
