import { expect } from "vitest";

/** Whether the test that runs is one of those whose paths `IN_PROCESS_TESTS` begins. */
export function isInProcess(): boolean {
  const tests = process.env.IN_PROCESS_TESTS;
  return tests !== undefined && (expect.getState().testPath?.includes(`/${tests}`) ?? false);
}
