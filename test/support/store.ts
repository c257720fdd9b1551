import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../../src/store/open.ts";
import type { Collection, OpenedStore } from "../../src/store/store.ts";
import type { Clock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { fakeClock } from "./clock.ts";
import { createDatabase } from "./services/shared-postgres.ts";

/** Kinds of stores, for tests that run on both. */
export const STORES = ["a directory", "PostgreSQL"] as const;

/** Opens a new store, in a directory by default, and closes it after the test. Call it inside a test. */
export async function openTestStore(
  options: {
    clock?: Clock;
    collections?: readonly Collection<unknown>[];
    on?: (typeof STORES)[number] | undefined;
  } = {},
): Promise<OpenedStore> {
  const where = options.on === "PostgreSQL" ? await createDatabase() : temporaryDirectory();
  const store = await openStore(where, {
    collections: options.collections ?? [],
    clock: options.clock ?? fakeClock(),
    log: createLog("silent"),
  });
  onTestFinished(() => store.close());
  return store;
}

/** Creates an empty directory, which is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-"));
  // Retried, since a background sender of the program may still be writing to its queue there.
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return directory;
}
