import type * as z from "zod";
import { faultInWords } from "./fault-words.ts";
import { type Fault, Problem } from "./problem.ts";

/** Bounds on an error answer, whatever a client sends: faults listed, and characters of a member's path. */
const MAX_LISTED = 100;
const MAX_NAMED = 256;

/** Converts zod's issues to the API's faults: each path dotted, each unknown member by name. */
export function faultsOf({ issues }: { issues: readonly z.core.$ZodIssue[] }): Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: named([...issue.path, key]),
        message: "is not a known member",
      }));
    }
    return [{ path: named(issue.path), message: faultInWords(issue) }];
  });
}

function named(path: readonly PropertyKey[]): string {
  const name = path.map(String).join(".");
  return name.length > MAX_NAMED ? `${name.slice(0, MAX_NAMED)}…` : name;
}

/** Makes an `invalid_request` of the faults, with the first one in its detail. */
export function invalidRequest(faults: Fault[]): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const where = first?.path ? `"${first.path}": ` : "";
  return new Problem("invalid_request", `${where}${first?.message ?? "not valid"}${more}`, {
    errors: faults.slice(0, MAX_LISTED),
  });
}

/** Parses `given` by a schema. Throws `invalid_request` with every fault. */
export function checked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidRequest(faultsOf(parsed.error));
}
