import { list, readJson, remove, writeJson } from "../private-files.ts";
import type { Batch, RefusedBatch } from "./batches.ts";

/** A sealed batch in the directory: its name says how many events it holds. */
export interface SealedFile {
  name: string;
  /** What `writeBatch` was given. */
  key: string;
  events: number;
}

const SEALED = /^batch-(.+)\.(\d+)\.json$/;
const REFUSED = /^refused-(.+)\.(\d+)\.json$/;

export function sealedFiles(directory: string): SealedFile[] {
  return matching(directory, SEALED);
}

/** Undefined where another process has removed it since. */
export function readBatch(directory: string, { name }: SealedFile): Batch | undefined {
  return readJson<Batch>(directory, name);
}

/** `key` orders the files and is unique. */
export function writeBatch(directory: string, key: string, batch: Batch): void {
  writeJson(directory, `batch-${key}.${batch.events}.json`, batch);
}

export function refusedFiles(directory: string): SealedFile[] {
  return matching(directory, REFUSED);
}

export function readRefused(directory: string): RefusedBatch[] {
  return refusedFiles(directory).flatMap(({ name }) => readJson<RefusedBatch>(directory, name) ?? []);
}

/** Keeps a batch, or the events of it that were refused, for people to look at. */
export function setAside(directory: string, { key }: SealedFile, refused: RefusedBatch): void {
  writeJson(directory, `refused-${key}.${refused.events}.json`, refused);
}

/** Deletes the batches that were made of one sealed journal. */
export function removeBatchesOf(directory: string, journal: string): void {
  for (const name of list(directory)) if (name.startsWith(`batch-${journal}-`)) remove(directory, name);
}

function matching(directory: string, pattern: RegExp): SealedFile[] {
  return list(directory).flatMap((name) => {
    const [, key, events] = pattern.exec(name) ?? [];
    return key === undefined ? [] : [{ name, key, events: Number(events) }];
  });
}
