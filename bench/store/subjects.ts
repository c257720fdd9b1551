import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { JSONFilePreset } from "lowdb/node";
import { openStore } from "../../src/store/open.ts";
import { collection } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";

export interface Document {
  text: string;
}

/** A way to keep documents in a directory that is measured. */
export interface Subject {
  put(id: string, document: Document): Promise<void>;
  /** Increments three counters, as `/track` does. Absent if the subject has no counters. */
  track?(): Promise<void>;
  close(): Promise<void>;
}

export type OpenSubject = (directory: string) => Promise<Subject>;

const documents = collection<Document>("documents");

export const subjects = {
  store: async (directory) => {
    const store = await openStore(directory, {
      collections: [documents],
      clock: systemClock,
      log: createLog("warn"),
    });
    return {
      put: (id, document) => store.transact((tx) => tx.put(documents, "acc_1/web", id, document)),
      track: () =>
        store.transact(async (tx) => {
          for (const at of ["2026-01-15T12", "2026-01-15", "2026-01"]) {
            await tx.increment("usage", "acc_1/web", `${at}/api_calls`, 1);
          }
        }),
      close: () => store.close(),
    };
  },
  /** Used as its README shows: each write rewrites the whole file, without waiting for the disk. */
  lowdb: async (directory) => {
    const file = join(directory, "db.json");
    const db = await JSONFilePreset<Record<string, Document>>(file, {});
    return {
      put: async (id, document) => {
        db.data[id] = document;
        await db.write();
      },
      close: async () => {},
    };
  },
} satisfies Record<string, OpenSubject>;

/** Returns a unique document of about 250 bytes on disk. */
export function document(): Document {
  return { text: randomBytes(85).toString("hex") };
}

export function idOf(index: number): string {
  return `doc_${String(index).padStart(16, "0")}`;
}
