import { parentPort, workerData } from "node:worker_threads";
import { mergeOldJournal } from "./merge.ts";

/** The thread of a compaction. Posts the size of the new snapshot, or ends with its error. */
parentPort?.postMessage(mergeOldJournal(workerData as string));
