import { inject, vi } from "vitest";

/**
 * Runs before each test file. A mutant in code that runs when a module is loaded takes effect, and is undone, only
 * when the module is loaded again.
 */
const given = inject as (key: string) => unknown;
const loaded = globalThis as { mutantLoaded?: unknown };

const mutant = given("mutantActivation") === "static" ? given("activeMutant") : undefined;
if (mutant !== loaded.mutantLoaded) vi.resetModules();
loaded.mutantLoaded = mutant;
