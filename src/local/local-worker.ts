import { parentPort, workerData } from "node:worker_threads";
import { refusalOf } from "../contract/refusal.ts";
import { answerLocally, type LocalRequest } from "./answer-locally.ts";
import type { LocalAnswer } from "./ask-locally.ts";

/** Handles one request in a thread: posts the text, or the refusal. */
answerLocally(workerData as LocalRequest).then(
  (text) => parentPort?.postMessage({ text } satisfies LocalAnswer),
  (error) => parentPort?.postMessage({ refusal: refusalOf(error) } satisfies LocalAnswer),
);
