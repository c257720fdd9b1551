import type { ReceivedEvent } from "../../../client/event-parser.ts";
import { followEvents } from "../../../client/event-stream.ts";
import { Problem } from "../../../contract/problem.ts";
import { applied } from "../../../text/changed-lines.ts";
import type { Context } from "../../context.ts";
import { describeFailure } from "../../describe-failure.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Change, Session } from "./roles.ts";
import { watchLines } from "./watch-lines.ts";
import type { WatchView } from "./watch-view.ts";

export async function watch(
  context: Context,
  sessionId: string,
  { lines }: { lines: number },
): Promise<number> {
  const { io } = context;
  const view = await viewOf(context, lines);
  try {
    while (!(await followOnce(context, sessionId, view))) view.trouble("Some changes were missed.");
    return EXIT.done;
  } catch (error) {
    if (io.interrupted.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    view.end();
  }
}

/**
 * Follows a session from its current state. Returns false if it was disconnected so long that the server no longer
 * has the missed events.
 */
async function followOnce(context: Context, sessionId: string, view: WatchView): Promise<boolean> {
  const { client, clock, io, progress } = context;
  const signal = io.interrupted;
  const call = client.call("GET /api/v1/tools/pair/session/{sessionId}", { sessionId }, { signal });
  const { session, files } = await progress.during("Waiting", call);
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  view.session(session);
  const onEvent = (received: ReceivedEvent) => {
    view.received(received);
    if (received.event === "session") view.session(received.data as Session);
    if (received.event !== "change") return;
    const change = received.data as Change;
    const before = contents.get(change.path) ?? "";
    contents.set(change.path, applied(before, change.edits));
    view.change(before, change);
  };
  const path = `/api/v1/tools/pair/session/${encodeURIComponent(sessionId)}/events?since=${session.sequence}`;
  try {
    await followEvents(client, path, {
      clock,
      signal,
      onEvent,
      ready: io.out.whenRead,
      onTrouble: (error) => view.trouble(`${describeFailure(error).message} Trying again.`),
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.error === "invalid_state") return false;
    throw error;
  }
}

async function viewOf({ io, options, clock }: Context, lines: number): Promise<WatchView> {
  if (!io.out.live || options.json) return watchLines(io, lines, options.json === true);
  const { tellLibrariesAboutColour } = await import("../../terminal/io.ts");
  tellLibrariesAboutColour(io.out);
  const { watchFrames } = await import("../../ui/watch-frames.tsx");
  return watchFrames(io.out, clock, lines);
}
