import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { commandsIn } from "../terminal/present.ts";
import { count } from "../ui/format.ts";
import { hanging } from "../ui/width.ts";
import { examine } from "./checks.ts";

export const define: Define = (command, run) => {
  command.addHelpText("after", examples("tool doctor", "tool doctor --json")).action(run(doctor));
};

const NAME = 12;

async function doctor(context: Context): Promise<Outcome> {
  const checks = await context.progress.during("Checking", examine(context));
  const failed = checks.filter(({ status }) => status === "failed").length;
  const { style, marks, symbols, columns: all } = context.io.out;
  const columns = all - 2;
  const markOf = { ...marks, ok: marks.done, skipped: style.dim(symbols.dot) };
  return {
    document: { ok: failed === 0, checks },
    lines: [
      ...checks.flatMap(({ name, status, detail, next }) => [
        hanging(`${markOf[status]} ${name.padEnd(NAME)} `, detail, columns),
        ...(next ? [hanging(" ".repeat(2 + NAME + 1), commandsIn(next, style), columns)] : []),
      ]),
      "",
      failed === 0 ? "Nothing to fix." : `${count(failed, "check")} failed.`,
    ],
    exitCode: failed === 0 ? EXIT.done : EXIT.failed,
  };
}
