import { describe } from "vitest";
import { changesConformance } from "./changes.ts";
import { copyConformance } from "./copy.ts";
import { countersConformance } from "./counters.ts";
import { documentsConformance } from "./documents.ts";
import { expiryConformance } from "./expiry.ts";
import { limitsConformance } from "./limits.ts";
import { listsConformance } from "./lists.ts";
import type { OpenMedium } from "./medium.ts";
import { openingsConformance } from "./openings.ts";
import { racesConformance } from "./races.ts";
import { storageConformance } from "./storage.ts";
import { transactionsConformance } from "./transactions.ts";

/** Property tests open a store many times, and a medium may be slow. */
const TIMEOUT_MS = 120_000;

/** Declares the tests that every store must pass, whatever medium it uses. */
export function describeStore(name: string, medium: OpenMedium, { times = 1 } = {}): void {
  describe(`store conformance: ${name}`, { timeout: TIMEOUT_MS }, () => {
    describe("documents", () => documentsConformance(medium));
    describe("lists", () => listsConformance(medium, times));
    describe("expiry", () => expiryConformance(medium));
    describe("counters", () => countersConformance(medium));
    describe("transactions", () => transactionsConformance(medium));
    describe("races", () => racesConformance(medium));
    describe("changes", () => changesConformance(medium));
    describe("limits", () => limitsConformance(medium, times));
    describe("storage", () => storageConformance(medium, times));
    describe("openings", () => openingsConformance(medium));
    describe("copies", () => copyConformance(medium));
  });
}
