import { Box } from "ink";
import { useEffect, useState } from "react";
import type { Clock } from "../../system/clock.ts";
import type { Output } from "../terminal/io.ts";
import { changeLines } from "../tools/pair/changed-lines.ts";
import { roles, type Session } from "../tools/pair/roles.ts";
import type { WatchView } from "../tools/pair/watch-view.ts";
import { count } from "./format.ts";
import { draw, Text, useWrite } from "./ink.tsx";
import { shorten } from "./width.ts";

/** Eight frames a second; at most ten are allowed anywhere. */
const FRAME_MS = 125;

/** The state that is drawn. It is changed from outside and read for each frame. */
export interface Watched {
  /** Permanent lines that are not on the screen yet. */
  lines: string[];
  session: Session | undefined;
  trouble: string | undefined;
}

/** Returns the live view of a session: every change as a coloured diff, above the participants and their roles. */
export function watchFrames(output: Output, clock: Clock, most: number): WatchView {
  const watched: Watched = { lines: [], session: undefined, trouble: undefined };
  const app = draw(<WatchFrame {...{ output, clock, watched }} />, output);
  return {
    received() {
      watched.trouble = undefined;
    },
    session(session) {
      watched.session = session;
    },
    change(before, change) {
      if (watched.session) watched.session = { ...watched.session, sequence: change.sequence };
      watched.lines.push("", ...changeLines(before, change, output, most).map((line) => `  ${line}`));
    },
    trouble(message) {
      watched.trouble = message;
    },
    end() {
      app.erase();
      for (const line of [...watched.lines.splice(0), ...lastLines(watched, output)]) output.line(line);
    },
  };
}

/** Returns the lines that stay on the screen at the end. */
function lastLines({ session }: Watched, { style, marks }: Output): string[] {
  if (!session) return [];
  const ended = session.state === "ended";
  const changes = count(session.sequence, "change");
  return [
    "",
    `  ${style.bold(nameOf(session))}`,
    `  ${ended ? `${marks.done} The session has ended after ${changes}` : style.dim(`${changes} so far`)}`,
  ];
}

function nameOf({ id, title }: Session): string {
  return title === undefined ? id : title;
}

interface WatchFrameProps {
  output: Pick<Output, "columns" | "symbols">;
  clock: Clock;
  watched: Watched;
}

export function WatchFrame({ output, clock, watched }: WatchFrameProps) {
  const write = useWrite();
  const [frame, setFrame] = useState(0);
  useEffect(
    () =>
      clock.every(FRAME_MS, () => {
        const lines = watched.lines.splice(0);
        if (lines.length > 0) write(`${lines.join("\n")}\n`);
        setFrame((count) => count + 1);
      }),
    [clock, watched, write],
  );
  const { session, trouble } = watched;
  if (!session) return null;
  const { symbols, columns } = output;
  return (
    <Box flexDirection="column" paddingLeft={2} marginTop={1}>
      <Text bold>{shorten(nameOf(session), columns - 4, symbols.ellipsis)}</Text>
      <Text>{roles(session, output)}</Text>
      {trouble !== undefined && <Text color="yellow">{`${symbols.attention} ${trouble}`}</Text>}
      <Text>
        <Text color="cyan">{symbols.spinner[frame % symbols.spinner.length]}</Text>
        <Text dimColor>{` ${count(session.sequence, "change")} ${symbols.dot} ctrl+c stops`}</Text>
      </Text>
    </Box>
  );
}
