import { inject, vi } from "vitest";

/**
 * Before each file of tests: a mutant of what a module makes when it is loaded is there only once that is loaded
 * again, and gone only then.
 */
const given = inject as (key: string) => unknown;
const loaded = globalThis as { mutantLoaded?: unknown };

const mutant = given("mutantActivation") === "static" ? given("activeMutant") : undefined;
if (mutant !== loaded.mutantLoaded) vi.resetModules();
loaded.mutantLoaded = mutant;
