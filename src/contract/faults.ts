import type { z } from "zod";
import { faultInWords } from "./fault-words.ts";
import { type Fault, Problem } from "./problem.ts";

/** So many are listed, and so much of a member's name, however many and long a client sends. */
const MAX_LISTED = 100;
const MAX_NAMED = 256;

/** What validation found, in the words of the API: each path in dots, unknown members by name. */
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

/** `invalid_request` with the faults, the first of them in words. */
export function invalidRequest(faults: Fault[]): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const where = first?.path ? `"${first.path}": ` : "";
  return new Problem("invalid_request", `${where}${first?.message ?? "not valid"}${more}`, {
    errors: faults.slice(0, MAX_LISTED),
  });
}

/** What was given, as a schema takes it; `Problem` `invalid_request` with each fault. */
export function checked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidRequest(faultsOf(parsed.error));
}
