import { expect } from "vitest";

/** Whether the path of the current test, within the repository, begins with `IN_PROCESS_TESTS`. */
export function isInProcess(): boolean {
  const tests = process.env.IN_PROCESS_TESTS;
  return tests !== undefined && (expect.getState().testPath?.includes(`/${tests}`) ?? false);
}
