import { Problem } from "../../contract/problem.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import { requestIdOf } from "../answer.ts";
import type { ApiClient } from "../api-client.ts";
import { UnexpectedAnswer } from "../errors.ts";
import { remove } from "../private-files.ts";
import { readBatch, type SealedFile, setAside } from "./batch-files.ts";
import type { Batch } from "./batches.ts";

/** The number of events of one batch that the server accepted, and that it refused. */
export interface Delivered {
  sent: number;
  refused: number;
}

export interface DeliveryOptions {
  directory: string;
  api: Pick<ApiClient, "request">;
  clock: Pick<Clock, "now">;
  signal?: AbortSignal;
}

/** The server remembers an Idempotency-Key of `/track` for a day. One hour less allows for clock differences. */
const TRACK_KEY_MS = 23 * HOUR_MS;

/**
 * Sends one sealed batch and removes its file after the answer. Events that the server finds invalid are set aside.
 * On any other error the file is kept and the error thrown. The caller must hold the lock.
 */
export async function deliver(file: SealedFile, options: DeliveryOptions): Promise<Delivered> {
  const { directory, api, clock, signal } = options;
  const batch = readBatch(directory, file);
  if (!batch) {
    // Files are written atomically, so it was damaged from outside and cannot be sent.
    remove(directory, file.name);
    return { sent: 0, refused: 0 };
  }
  const refuse = (refusal: Omit<Refusal, "file" | "batch">) =>
    setAsideAndRemove({ file, batch, ...refusal }, options);
  if (batch.path === "/api/v1/track" && clock.now() - Date.parse(batch.oldestAt) > TRACK_KEY_MS) {
    return refuse({
      error: "unanswered",
      detail: "No answer came for a day. It may have been counted, and would be twice if it were sent again.",
    });
  }
  try {
    const answer = await api.request("POST", batch.path, {
      body: batch.body,
      idempotencyKey: batch.id,
      projectId: batch.projectId ?? null,
      signal,
    });
    if (!isReceipt(batch, answer.body)) {
      const message = `${batch.path} was answered, but not as a Toolplane server does: is the base URL right?`;
      throw new UnexpectedAnswer(answer.status, message, answer.requestId);
    }
    const rejected = rejectedIn(batch, answer.body);
    if (rejected) return refuse({ ...rejected, requestId: answer.requestId });
    remove(directory, file.name);
    return { sent: batch.events, refused: 0 };
  } catch (error) {
    if (!(error instanceof Problem) || !isRefusal(error)) throw error;
    const faults = error.extras.errors?.map(({ path, message }) => `${path}: ${message}`) ?? [];
    return refuse({
      error: error.error,
      detail: [error.detail, ...faults].join(" "),
      requestId: requestIdOf(error),
    });
  }
}

/**
 * Whether the server itself says that it has the batch. A proxy's sign-in page, or another program on its port, may
 * answer with 200 as well.
 */
function isReceipt({ path }: Batch, answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  return path === "/api/v1/track"
    ? "recorded" in answer
    : "results" in answer && Array.isArray(answer.results);
}

/** Statuses for which a repeat would be refused in the same way. */
const REFUSALS = new Set([400, 413, 415, 422]);

/** Only the server itself can refuse a batch for good, and all of its answers have a request id. */
function isRefusal(problem: Problem): boolean {
  if (requestIdOf(problem) === undefined) return false;
  return REFUSALS.has(problem.status) || problem.error === "project_archived";
}

interface Refusal {
  file: SealedFile;
  batch: Batch;
  error: string;
  detail: string;
  requestId?: string;
  /** The refused events, where the rest of the batch was accepted. */
  only?: { body: unknown; events: number };
}

function setAsideAndRemove(
  { file, batch, only, ...reason }: Refusal,
  { directory, clock }: DeliveryOptions,
): Delivered {
  const refused = { ...batch, ...only };
  setAside(directory, file, { ...refused, ...reason, refusedAt: iso(clock.now()) });
  remove(directory, file.name);
  return { sent: batch.events - refused.events, refused: refused.events };
}

/** Returns the events of a batch that the server rejected individually. */
function rejectedIn(batch: Batch, answer: unknown): Omit<Refusal, "file" | "batch"> | undefined {
  const { results = [] } = answer as { results?: { index: number; status: string; error?: string }[] };
  const rejected = results.filter(({ status }) => status === "rejected");
  if (rejected.length === 0) return undefined;
  const body = batch.body as { events: unknown[] };
  const events = rejected.map(({ index }) => body.events[index]);
  const reasons = new Set(rejected.map(({ error = "no reason given" }) => error));
  return {
    error: "rejected",
    detail: [...reasons].join(" "),
    only: { body: { ...body, events }, events: events.length },
  };
}
