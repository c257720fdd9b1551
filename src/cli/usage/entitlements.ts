import type { Entitlements } from "../../client/entitlements/entitlements.ts";
import type { GateAnswer } from "../../client/entitlements/gate.ts";
import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Output } from "../terminal/io.ts";
import { number, relativeTime } from "../ui/format.ts";
import { fields } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command
    .option("--check <gate>", "Answer for one gate or agent: exit 0 if it is open, 3 if not")
    .option("--offline", "Use what is cached; ask no server")
    .addHelpText(
      "after",
      examples(
        "tool entitlements",
        "tool entitlements --check agents.business && deploy",
        "tool entitlements --offline",
      ),
    )
    .action(run(show));
};

async function show(context: Context, options: { check?: string; offline?: boolean }): Promise<Outcome> {
  const { entitlements, progress, io } = context;
  const resolved = await progress.during(
    "Resolving entitlements",
    entitlements.resolve({ offline: options.offline === true, signal: io.interrupted }),
  );
  if (options.check) return answer(entitlements.check(options.check, resolved), resolved, context);
  const { document, source, standing, graceEndsAt } = resolved;
  return {
    document: { ...document, source, standing, graceEndsAt: iso(graceEndsAt) },
    lines: [...documentLines(resolved, io.out), ...standingLines(resolved, context)],
  };
}

function answer(gate: GateAnswer, resolved: Entitlements, context: Context): Outcome {
  const { style, symbols } = context.io.out;
  const mark = gate.allowed ? style.green(symbols.done) : style.red(symbols.failed);
  return {
    document: gate,
    lines: [`${mark} ${gate.reason}`, ...standingLines(resolved, context)],
    exitCode: gate.allowed ? EXIT.done : EXIT.negative,
  };
}

function documentLines({ document }: Entitlements, output: Output): string[] {
  const { plan, tier, account, project, features, agents, limits, policy } = document;
  const denied = agents.denied.map((agent) => `${agent} (${agents.required[agent] ?? "a higher plan"})`);
  return [
    `Account ${output.style.bold(account.name)} is on plan ${output.style.bold(plan)}`,
    "",
    ...fields(
      [
        [
          "Project",
          project ? `${project.id}${tier === plan ? "" : ` (its own gates: ${tier})`}` : "none named",
        ],
        ["Requests", requestLimits(limits)],
        ["Policy", `${policy.profile}, telemetry ${policy.telemetry.enabled ? "on" : "off"}`],
      ],
      output,
    ),
    "",
    output.style.bold("Open"),
    ...[...features].sort().map((gate) => `${output.style.green(output.symbols.done)} ${gate}`),
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

function standingLines(
  { source, standing, graceEndsAt, document }: Entitlements,
  context: Context,
): string[] {
  if (source === "server") return [];
  const { clock, io } = context;
  const resolved = relativeTime(Date.parse(document.resolvedAt), clock.now());
  if (standing === "expired") {
    return ["", io.out.style.yellow(`From the cache, resolved ${resolved}: past its grace period.`)];
  }
  return ["", io.out.style.dim(`From the cache, resolved ${resolved}; serves until ${iso(graceEndsAt)}.`)];
}
