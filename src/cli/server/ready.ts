import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";

const ASK_MS = 4_000;
const PAUSE_MS = 250;
/** In characters. */
const MAX_READ = 1_000;

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
  let found = await look(url);
  while (!found.ready && clock.monotonic() < until) {
    await progress.during(`Waiting for ${url}`, clock.sleep(PAUSE_MS));
    found = await look(url);
  }
  const { style, symbols } = io.out;
  return {
    document: { url, ...found },
    lines: [`${found.ready ? style.green(symbols.done) : style.red(symbols.failed)} ${url} ${found.detail}`],
    exitCode: found.ready ? EXIT.done : EXIT.failed,
    isRecorded: false,
  };
}

/** Asks without a credential, so the server needs no trust. */
async function look(url: string): Promise<{ ready: boolean; detail: string }> {
  try {
    const answer = await fetch(`${url}/ready`, { redirect: "error", signal: AbortSignal.timeout(ASK_MS) });
    if (answer.ok) {
      await answer.body?.cancel();
      return { ready: true, detail: "is ready" };
    }
    const { read, write } = await ablenessIn(answer);
    const isReadOnly = read === true && write === false;
    return {
      ready: false,
      detail: isReadOnly ? "reads, writes nothing" : `answers ${answer.status} to /ready`,
    };
  } catch {
    return { ready: false, detail: "does not answer" };
  }
}

/** Returns the abilities in the answer; none if another kind of server answers, perhaps without end. */
async function ablenessIn({ body }: Response): Promise<{ read?: unknown; write?: unknown }> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_READ) return {};
    }
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
