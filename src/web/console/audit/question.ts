import { AuditQuestion } from "../../../audit/contract.ts";
import type { AuditFilter } from "../../../audit/filter.ts";
import { parseTime } from "../../../system/clock.ts";
import { queryParam } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";

export const PATH = "/audit";

/**
 * Returns the valid filters of the address. Invalid ones are ignored, so that a mistyped address still shows the log.
 */
export function filterOf(view: View): AuditFilter {
  const valid = <Name extends keyof typeof AuditQuestion>(name: Name) => {
    const parsed = AuditQuestion[name].safeParse(queryParam(view, name));
    return parsed.success ? (parsed.data as string | undefined) : undefined;
  };
  const time = (name: "since" | "until") => {
    const at = parseTime(queryParam(view, name) ?? "");
    return Number.isNaN(at) ? undefined : at;
  };
  return {
    action: valid("action"),
    actor: valid("actor"),
    target: valid("target"),
    outcome: valid("outcome") as AuditFilter["outcome"],
    since: time("since"),
    until: time("until"),
    query: valid("query"),
  };
}
