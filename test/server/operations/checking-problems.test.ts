import { expect, it } from "vitest";
import { z } from "zod";
import { endpoint } from "../../../src/contract/endpoint.ts";
import { Problem, type ProblemCode } from "../../../src/contract/problem.ts";
import type { ApiOperation, Submission } from "../../../src/server/operations/api-operation.ts";
import { checkingProblems } from "../../../src/server/operations/checking-problems.ts";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";

const declared = endpoint({
  name: "things.show",
  method: "GET",
  path: "/api/v1/things",
  summary: "Show things",
  scope: "read",
  errors: ["conflict"],
  input: z.strictObject({}),
  output: z.object({}),
});

function outcome(error: Error): Promise<unknown> {
  const operation: ApiOperation = { endpoint: declared, perform: () => Promise.reject(error) };
  const nothing = {} as Exchange & Submission;
  return checkingProblems(operation).perform(nothing, nothing);
}

it.each<ProblemCode>(["conflict", "invalid_request", "forbidden", "overloaded"])(
  "checkingProblems() passes on %s, which is declared or generic",
  async (code) => {
    const problem = new Problem(code, "No.");
    await expect(outcome(problem)).rejects.toBe(problem);
  },
);

it("checkingProblems() fails an endpoint with an undeclared problem, and names both", async () => {
  await expect(outcome(new Problem("not_found", "No."))).rejects.toThrow(/things\.show.*"not_found"/);
});

it("checkingProblems() passes on an error that is not a problem", async () => {
  const error = new Error("broken");
  await expect(outcome(error)).rejects.toBe(error);
});
