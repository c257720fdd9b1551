import { Problem } from "../../../contract/problem.ts";
import { StoreUnavailable } from "../../../store/store.ts";

const RECORDS_NOTHING: ReadonlySet<string> = new Set(["quota_exceeded", "project_archived"]);

/**
 * Calls `answer` with recording, and once more without if the record cannot be written: for lack of quota or
 * disk space, or because the project is archived or the store is read-only.
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
