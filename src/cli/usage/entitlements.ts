import type { Entitlements } from "../../client/entitlements/entitlements.ts";
import type { GateAnswer } from "../../client/entitlements/gate.ts";
import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { documentLines, standingLines } from "./entitlement-lines.ts";

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
  if (options.check !== undefined)
    return answer(entitlements.check(options.check, resolved), resolved, context);
  const { document, source, standing, graceEndsAt } = resolved;
  return {
    document: { ...document, source, standing, graceEndsAt: iso(graceEndsAt) },
    lines: [...documentLines(resolved, io.out), ...standingLines(resolved, context)],
  };
}

function answer(gate: GateAnswer, resolved: Entitlements, context: Context): Outcome {
  const { marks } = context.io.out;
  const mark = gate.allowed ? marks.done : marks.failed;
  return {
    document: gate,
    lines: [`${mark} ${gate.reason}`, ...standingLines(resolved, context)],
    exitCode: gate.allowed ? EXIT.done : EXIT.negative,
  };
}
