import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { Problem } from "../../../src/contract/problem.ts";
import { abortOf } from "../../../src/server/operations/request-caller.ts";
import { asProblem } from "../../../src/server/pipeline/problems.ts";

it("abortOf() aborts with a problem that is not logged as a failure when the client hangs up", () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;
  const signal = abortOf(res);
  expect(signal.aborted).toBe(false);
  res.emit("close");
  expect(signal.aborted).toBe(true);
  const failures: unknown[] = [];
  expect(asProblem(signal.reason, (failure) => failures.push(failure))).toBeInstanceOf(Problem);
  expect(failures).toEqual([]);
});
