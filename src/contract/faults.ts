import type * as z from "zod";
import { faultInWords } from "./fault-words.ts";
import { nearNames, questionOf } from "./near-names.ts";
import { type Fault, Problem } from "./problem.ts";

/** Bounds on an error answer, whatever a client sends: faults listed, and characters of a member's path. */
const MAX_LISTED = 100;
const MAX_NAMED = 256;
/** Whoever sends more unknown members has not mistyped them: comparing names takes time for each. */
const MAX_COMPARED = 5;

/**
 * Converts zod's issues to the API's faults: each path dotted, each unknown member by name.
 *
 * @param schema of an object, whose members are suggested for unknown ones like them.
 */
export function faultsOf({ issues }: { issues: readonly z.core.$ZodIssue[] }, schema?: z.ZodType): Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const members = issue.path.length === 0 && issue.keys.length <= MAX_COMPARED ? membersOf(schema) : [];
      return issue.keys.map((key) => ({
        path: named([...issue.path, key]),
        message: `is not a known member${questionOf(nearNames(key, members))}`,
      }));
    }
    return [{ path: named(issue.path), message: faultInWords(issue) }];
  });
}

function membersOf(schema: z.ZodType | undefined): string[] {
  return Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
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
  throw invalidRequest(faultsOf(parsed.error, schema));
}
