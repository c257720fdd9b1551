import { Problem } from "../../contract/problem.ts";
import { problemsOf } from "../../contract/problems-of.ts";
import type { ApiOperation } from "./api-operation.ts";

/** Wraps an operation so that it throws if it fails with a problem that its endpoint does not declare. */
export function checkingProblems(operation: ApiOperation): ApiOperation {
  const { endpoint } = operation;
  return {
    endpoint,
    async perform(exchange, submission) {
      try {
        return await operation.perform(exchange, submission);
      } catch (error) {
        if (!(error instanceof Problem) || problemsOf(endpoint).includes(error.error)) throw error;
        throw new Error(
          `${endpoint.name} answered with "${error.error}", which its \`errors\` do not name.`,
          {
            cause: error,
          },
        );
      }
    },
  };
}
