import { Option } from "commander";
import type { Batch } from "../../client/telemetry/batches.ts";
import { type FlushReport, flushQueue } from "../../client/telemetry/flush-queue.ts";
import { queueDirectory } from "../../client/telemetry/telemetry-queue.ts";
import { iso } from "../../system/clock.ts";
import { addOptions, type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { describeFailure, type Failure } from "../describe-failure.ts";
import { EXIT } from "../exit-codes.ts";
import { timeSpan } from "../options.ts";
import { giveQueueToCurrent } from "../sign-in/queue-of-account.ts";
import { count, duration, relativeTime } from "../ui/format.ts";
import { OFF, RECORD_OPTIONS, recordEvent } from "./record-event.ts";

export const define: Define = (command, run) => {
  const recording = command
    .command("record <name>")
    .description("Write an event to the queue; it is sent in the background.")
    .addHelpText(
      "after",
      examples(
        "tool events record agent.invoked",
        "tool events record mcp.tool.call --count 3 --payload tool=recall",
      ),
    )
    .action(run(recordEvent));
  addOptions(recording, RECORD_OPTIONS);
  command
    .command("list")
    .description("Show what waits, exactly as it would be sent.")
    .addHelpText("after", examples("tool events list", "tool events list --json"))
    .action(run(list));
  command
    .command("flush")
    .description("Send everything that waits now, and wait for the server's answer.")
    .addOption(
      new Option("--timeout <time>", "Give up after this long, and leave the rest: 10s, 5m")
        .argParser(timeSpan(1, 3600, "10s or 5m, an hour at most"))
        .default(60, "60s"),
    )
    .addHelpText("after", examples("tool events flush", "tool events flush --timeout 10s"))
    .action(run(flush));
  command
    .command("discard")
    .description("Delete the events that the server refused, and the count of those that were dropped.")
    .addHelpText("after", examples("tool events discard"))
    .action(run(discard));
};

async function list({ queue, io, clock }: Context): Promise<Outcome> {
  const contents = queue.contents();
  const { style } = io.out;
  const { batches, refused, events, aside, dropped, off, trouble } = contents;
  return {
    document: {
      ...contents,
      ...(trouble && { trouble: { ...trouble, at: iso(trouble.at), nextAt: iso(trouble.nextAt) } }),
    },
    lines: [
      events === 0 ? "Nothing waits to be sent." : style.bold(`${count(events, "event")} waiting`),
      ...(aside > 0
        ? [
            `${count(aside, "event")} of accounts that you are not in now, sent once you are: tool login, tool auth switch`,
          ]
        : []),
      ...(trouble ? [`Last attempt ${relativeTime(trouble.at, clock.now())}: ${trouble.reason}`] : []),
      ...(off ? [`Telemetry is off: ${OFF[off]}.`] : []),
      ...(dropped > 0
        ? [
            style.yellow(`${count(dropped, "event")} dropped because the queue was full.`),
            "Once you have seen it: tool events discard",
          ]
        : []),
      ...batches.flatMap((batch) => ["", ...batchLines(batch, style.dim)]),
      ...refused.flatMap((batch) => [
        "",
        `${style.red("Refused")} ${batch.error}: ${batch.detail}`,
        ...batchLines(batch, style.dim),
      ]),
      ...(refused.length > 0 ? ["", "Delete what was refused with: tool events discard"] : []),
    ],
  };
}

function batchLines(batch: Batch, dim: (text: string) => string) {
  const project = batch.projectId ? ` for project ${batch.projectId}` : "";
  return [
    dim(`POST ${batch.path}${project}, ${batch.id ? `batch ${batch.id}` : "not sealed yet"}`),
    ...JSON.stringify(batch.body, null, 2).split("\n"),
  ];
}

async function flush(context: Context, { timeout }: { timeout: number }): Promise<Outcome> {
  const { client, clock, random, settings, progress, queue, io, trust } = context;
  // Not while sending, where a refusal would count as the server's failure and delay later senders.
  await trust.ensure();
  await giveQueueToCurrent(context);
  const report = await progress.during(
    `Sending ${count(queue.contents().events, "event")} to ${client.baseUrl}`,
    flushQueue({
      directory: queueDirectory(settings.directories.data, client.baseUrl),
      api: client,
      clock,
      random,
      signal: io.interrupted,
      timeoutMs: timeout * 1000,
      onBusy: () => progress.note("Another process is sending: waiting for its end."),
    }),
  );
  return describeFlush(context, report, timeout);
}

function describeFlush({ io, queue }: Context, report: FlushReport, timeout: number): Outcome {
  const { marks } = io.out;
  const { sent, batches, refused, waiting, busy } = report;
  const failure = failureOf(report, timeout);
  const { error, message, next, requestId, exitCode } = failure ?? {};
  const lines = [
    sent > 0 || !failure
      ? `${marks.done} ${sent === 0 ? "Nothing waited to be sent." : `${count(sent, "event")} sent in ${count(batches, "batch", "batches")}.`}`
      : undefined,
    refused > 0 ? `${marks.failed} ${count(refused, "event")} refused; see: tool events list` : undefined,
    failure ? `${marks.failed} ${failure.message} ${count(waiting, "event")} still waiting.` : undefined,
    failure?.next,
  ].filter((line) => line !== undefined);
  const { dropped } = queue.contents();
  return {
    document: { sent, batches, refused, waiting, dropped, busy, error, message, next, requestId, exitCode },
    lines,
    exitCode: exitCode ?? (refused > 0 ? EXIT.failed : EXIT.done),
  };
}

function failureOf({ busy, late, error }: FlushReport, timeout: number): Failure | undefined {
  if (busy) return { exitCode: EXIT.failed, error: "busy", message: "Another process is sending still." };
  if (late) {
    const message = `Not all was answered for within ${duration(timeout * 1000)}.`;
    const next = "What waits is sent in the background, or give it more time with --timeout.";
    return { exitCode: EXIT.unreachable, error: "unreachable", message, next };
  }
  return error === undefined ? undefined : describeFailure(error);
}

async function discard({ queue, io }: Context): Promise<Outcome> {
  const { refused, dropped } = queue.discard();
  const forgotten = dropped > 0 ? ` The count of ${count(dropped, "dropped event")} begins anew.` : "";
  return {
    document: { discarded: refused, dropped },
    lines: [`${io.out.marks.done} ${count(refused, "refused event")} deleted.${forgotten}`],
  };
}
