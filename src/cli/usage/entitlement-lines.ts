import type { Entitlements } from "../../client/entitlements/entitlements.ts";
import { planNameIn } from "../../client/plan-names.ts";
import { endInWords, iso } from "../../system/clock.ts";
import type { Context } from "../context.ts";
import type { Output } from "../terminal/io.ts";
import { number, relativeTime } from "../ui/format.ts";
import { fields } from "../ui/table.ts";

export function documentLines({ document }: Entitlements, output: Output): string[] {
  const { plan, nextPlan, tier, account, project, features, agents, limits, policy } = document;
  const nameOf = (id: string) => planNameIn(document, id);
  const denied = agents.denied.map((agent) => {
    const required = agents.required[agent];
    return `${agent} (${required === undefined ? "a higher plan" : nameOf(required)})`;
  });
  return [
    `Account ${output.style.bold(account.name)} is on plan ${output.style.bold(nameOf(plan))}` +
      (nextPlan ? ` until ${endInWords(Date.parse(nextPlan.at))}, then ${nameOf(nextPlan.plan)}` : ""),
    "",
    ...fields(
      [
        [
          "Project",
          project ? `${project.id}${tier === plan ? "" : ` (its own gates: ${nameOf(tier)})`}` : "none named",
        ],
        ["Requests", requestLimits(limits)],
        ...usesPerMonth(limits.usesPerMonth),
        ["Policy", `${policy.profile}, telemetry ${policy.telemetry.enabled ? "on" : "off"}`],
      ],
      output,
    ),
    "",
    output.style.bold("Open"),
    ...[...features].sort().map((gate) => `${output.marks.done} ${gate}`),
    ...(denied.length > 0
      ? [
          "",
          output.style.bold("Closed: the agent, and the plan that has it"),
          ...denied.map((agent) => `${output.style.dim(output.symbols.failed)} ${agent}`),
        ]
      : []),
  ];
}

function requestLimits(limits: Entitlements["document"]["limits"]): string {
  const { requestsPerMinute, requestsPerHour, requestsPerDay, burst } = limits;
  return `${number(requestsPerMinute)} a minute (bursts of ${number(burst)}), ${number(requestsPerHour)} an hour, ${number(requestsPerDay)} a day`;
}

function usesPerMonth(limits: Entitlements["document"]["limits"]["usesPerMonth"] = {}): [string, string][] {
  const uses = Object.entries(limits).map(([type, most]) => `${number(most)} ${type}`);
  return uses.length > 0 ? [["Uses", `${uses.join(", ")} a month`]] : [];
}

export function standingLines(
  { source, standing, graceEndsAt, document }: Entitlements,
  context: Context,
): string[] {
  if (source === "server") return [];
  const { clock, io } = context;
  const resolved = relativeTime(document.resolvedAt, clock.now());
  if (standing === "expired") {
    return ["", io.out.style.yellow(`From the cache, resolved ${resolved}: past its grace period.`)];
  }
  return ["", io.out.style.dim(`From the cache, resolved ${resolved}; serves until ${iso(graceEndsAt)}.`)];
}
