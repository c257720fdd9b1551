import { describe } from "vitest";
import { changesConformance } from "./conformance/changes.ts";
import { copyConformance } from "./conformance/copy.ts";
import { countersConformance } from "./conformance/counters.ts";
import { documentsConformance } from "./conformance/documents.ts";
import { expiryConformance } from "./conformance/expiry.ts";
import { limitsConformance } from "./conformance/limits.ts";
import { listsConformance } from "./conformance/lists.ts";
import type { OpenMedium } from "./conformance/medium.ts";
import { openingsConformance } from "./conformance/openings.ts";
import { racesConformance } from "./conformance/races.ts";
import { storageConformance } from "./conformance/storage.ts";
import { transactionsConformance } from "./conformance/transactions.ts";

/** What every store does, whatever it keeps its data on. */
export function storeConformance(name: string, medium: OpenMedium): void {
  describe(`store conformance: ${name}`, () => {
    describe("documents", () => documentsConformance(medium));
    describe("lists", () => listsConformance(medium));
    describe("expiry", () => expiryConformance(medium));
    describe("counters", () => countersConformance(medium));
    describe("transactions", () => transactionsConformance(medium));
    describe("races", () => racesConformance(medium));
    describe("changes", () => changesConformance(medium));
    describe("limits", () => limitsConformance(medium));
    describe("storage", () => storageConformance(medium));
    describe("openings", () => openingsConformance(medium));
    describe("copies", () => copyConformance(medium));
  });
}
