import { list, readJson, remove, writeJson } from "../private-files.ts";
import type { Batch, RefusedBatch } from "./batches.ts";

/** A sealed batch in the directory. Its file name contains the number of its events. */
export interface SealedFile {
  name: string;
  /** The key that was given to `writeBatch`. */
  key: string;
  events: number;
}

const SEALED = /^batch-(.+)\.(\d+)\.json$/;
const REFUSED = /^refused-(.+)\.(\d+)\.json$/;

export function sealedFiles(directory: string): SealedFile[] {
  return matching(directory, SEALED);
}

/** Returns undefined if another process has removed the file since, or if it is damaged. */
export function readBatch(directory: string, { name }: SealedFile): Batch | undefined {
  const value = readJson<Batch>(directory, name);
  return isBatch(value) ? value : undefined;
}

/** Whether a file holds what can be sent and shown. */
function isBatch(value: Partial<Batch> | null | undefined): value is Batch {
  if (typeof value?.path !== "string" || typeof value.events !== "number") return false;
  const areTexts = [value.id, value.projectId].every(
    (text) => text === undefined || typeof text === "string",
  );
  return areTexts && isTime(value.oldestAt) && isBody(value.path, value.body);
}

/** A batch of events is read and divided, also when a full queue drops the oldest. */
function isBody(path: Batch["path"], body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return path === "/api/v1/track" || ("events" in body && Array.isArray(body.events));
}

/** Writes a batch. `key` must be unique and orders the files. */
export function writeBatch(directory: string, key: string, batch: Batch): void {
  writeJson(directory, `batch-${key}.${batch.events}.json`, batch);
}

export function refusedFiles(directory: string): SealedFile[] {
  return matching(directory, REFUSED);
}

export function readRefused(directory: string): RefusedBatch[] {
  return refusedFiles(directory).flatMap((file) => {
    const batch = readBatch(directory, file) as RefusedBatch | undefined;
    return batch && isTime(batch.refusedAt) ? batch : [];
  });
}

/** Keeps a batch, or its refused events, for inspection. */
export function setAside(directory: string, { key }: SealedFile, refused: RefusedBatch): void {
  writeJson(directory, `refused-${key}.${refused.events}.json`, refused);
}

/** Deletes the batches made from one sealed journal. */
export function removeBatchesOf(directory: string, journal: string): void {
  for (const name of list(directory)) if (name.startsWith(`batch-${journal}-`)) remove(directory, name);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function matching(directory: string, pattern: RegExp): SealedFile[] {
  return list(directory).flatMap((name) => {
    const [, key, events] = pattern.exec(name) ?? [];
    return key === undefined ? [] : [{ name, key, events: Number(events) }];
  });
}
