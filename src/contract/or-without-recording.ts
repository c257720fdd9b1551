import { Problem } from "./problem.ts";

/**
 * For what had better answer without recording that it did than not at all: where there is no room for the
 * record it is asked once more, and records nothing.
 */
export async function orWithoutRecording<T>(answer: (records: boolean) => Promise<T>): Promise<T> {
  try {
    return await answer(true);
  } catch (error) {
    if (error instanceof Problem && error.error === "quota_exceeded") return answer(false);
    throw error;
  }
}
