import { describe, expect, it } from "vitest";
import { Problem } from "../../../../src/contract/problem.ts";
import { StoreUnavailable } from "../../../../src/store/store.ts";
import { orWithoutRecording } from "../../../../src/tools/agent-memory/searching/or-without-recording.ts";

/** Answers with whether it recorded, unless recording fails with an error. */
const unless = (error: Error) => async (records: boolean) => {
  if (records) throw error;
  return records;
};

describe("what is recalled", () => {
  it.each([
    ["the store is unavailable", new StoreUnavailable("the disk is full")],
    ["there is no quota left", new Problem("quota_exceeded", "")],
    ["the project is archived", new Problem("project_archived", "")],
  ])("is answered without a record if %s", async (_, error) => {
    expect(await orWithoutRecording(unless(error))).toBe(false);
  });

  it("is recorded otherwise, and fails with any other error", async () => {
    expect(await orWithoutRecording(async (records) => records)).toBe(true);
    for (const error of [new Problem("rate_limited", ""), new Error("a bug")]) {
      await expect(orWithoutRecording(unless(error))).rejects.toBe(error);
    }
  });
});
