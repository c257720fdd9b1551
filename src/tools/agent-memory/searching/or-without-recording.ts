import { Problem } from "../../../contract/problem.ts";
import { StoreUnavailable } from "../../../store/store.ts";

const RECORDS_NOTHING: ReadonlySet<string> = new Set(["quota_exceeded", "project_archived"]);

/**
 * For what had better answer without recording that it did than not at all: where there is no room for the
 * record, on the disk either, the project is archived or the store is read only, it is asked once more, and records
 * nothing.
 */
export async function orWithoutRecording<T>(answer: (records: boolean) => Promise<T>): Promise<T> {
  try {
    return await answer(true);
  } catch (error) {
    if (error instanceof StoreUnavailable) return answer(false);
    if (error instanceof Problem && RECORDS_NOTHING.has(error.error)) return answer(false);
    throw error;
  }
}
