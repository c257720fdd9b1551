import type { z } from "zod";
import { type Fault, Problem } from "./problem.ts";

/** What validation found, in the words of the API: each path in dots, unknown members by name. */
export function faultsOf({ issues }: { issues: readonly z.core.$ZodIssue[] }): Fault[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "is not a known member" }));
    }
    return [{ path: path.join("."), message: issue.message }];
  });
}

/** `invalid_request` with all faults, the first of them in words. */
export function invalidRequest(faults: Fault[]): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const where = first?.path ? `"${first.path}": ` : "";
  return new Problem("invalid_request", `${where}${first?.message ?? "not valid"}${more}`, {
    errors: faults,
  });
}
