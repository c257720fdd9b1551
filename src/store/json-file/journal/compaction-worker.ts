import { parentPort, workerData } from "node:worker_threads";
import { mergeOldJournal } from "./merge.ts";

/** The thread of a compaction: answers with the size of the snapshot it made, or dies of its error. */
parentPort?.postMessage(mergeOldJournal(workerData as string));
