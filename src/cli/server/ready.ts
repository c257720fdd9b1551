import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { readinessOf } from "../readiness.ts";

const PAUSE_MS = 250;

export const define: Define = (command, run) => {
  command
    .description(
      "Ask whether a server reads and writes: the health check of a container, the first line of a script.",
    )
    .option("--wait <seconds>", "Keep asking for this long", wholeNumber(0, 3600), 0)
    .addHelpText("after", examples("tool ready", "tool ready --wait 30 --base-url http://127.0.0.1:4242"))
    .action(run(ready));
};

async function ready(context: Context, { wait }: { wait: number }): Promise<Outcome> {
  const { clock, settings, progress, io } = context;
  const url = settings.baseUrl.value;
  const until = clock.monotonic() + wait * 1000;
  let found = await readinessOf(url);
  while (!found.ready && clock.monotonic() < until) {
    await progress.during(`Waiting for ${url}`, clock.sleep(PAUSE_MS));
    found = await readinessOf(url);
  }
  const { marks } = io.out;
  return {
    document: { url, ...found },
    lines: [`${found.ready ? marks.done : marks.failed} ${url} ${found.detail}`],
    exitCode: found.ready ? EXIT.done : EXIT.failed,
    isRecorded: false,
  };
}
