import type { Problem } from "../../../src/contract/problem.ts";
import { projectSpace, type Transaction } from "../../../src/store/store.ts";
import {
  changes,
  fileKey,
  files,
  pairCollections,
  type SessionDocument,
  sessions,
  snapshots,
} from "../../../src/tools/pair/documents.ts";
import type { HistoryLimits } from "../../../src/tools/pair/history.ts";
import { readSession } from "../../../src/tools/pair/read-session.ts";
import { recordChange } from "../../../src/tools/pair/record-change.ts";
import type { Edit, Participant } from "../../../src/tools/pair/session-contract.ts";
import { startSession } from "../../../src/tools/pair/start-session.ts";
import { openTestStore } from "../../support/store.ts";

export const SPACE = projectSpace("acc", "one");
export const ID = "pair_1";
const UNBOUNDED: HistoryLimits = { changes: 1e9, weight: 1e9 };

export const insert = (at: number, text: string): Edit => ({ from: at, to: at, insert: text });
const PAIR: Participant[] = [
  { id: "ann", role: "driver" },
  { id: "bob", role: "navigator" },
];

export async function refusal(work: Promise<unknown>): Promise<Problem> {
  try {
    await work;
  } catch (error) {
    return error as Problem;
  }
  throw new Error("It was done.");
}

/** Opens a session with files by path, without a server. */
export async function openSession(
  given: Record<string, string> = {},
  limits = UNBOUNDED,
  participants = PAIR,
) {
  const store = await openTestStore({ collections: pairCollections });
  const list = Object.entries(given).map(([path, content]) => ({ path, content }));
  const began = await store.transact((tx) => startSession(tx, SPACE, ID, { participants, files: list }, 0));
  let now = 0;
  const in_ = <T>(work: (tx: Transaction) => Promise<T>) => store.transact(work);
  return {
    began,
    store,
    in: in_,
    change: (path: string, edits: Edit[], baseRevision = 0, author = "ann") =>
      in_((tx) =>
        recordChange(tx, SPACE, { sessionId: ID, author, path, baseRevision, edits }, ++now, limits),
      ),
    session: () => in_((tx) => tx.get(sessions, SPACE, ID)) as Promise<SessionDocument>,
    file: (path: string) => in_((tx) => tx.get(files, SPACE, fileKey(ID, path))),
    snapshot: (path: string) => in_((tx) => tx.get(snapshots, SPACE, fileKey(ID, path))),
    show: (more = {}) => in_((tx) => readSession(tx, SPACE, { sessionId: ID, ...more })),
    kept: async () => {
      const found = await in_((tx) => tx.ids(changes, SPACE));
      return found.map((id) => Number(id.slice(ID.length + 1)));
    },
  };
}
