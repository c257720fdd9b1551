import type { Clock } from "../../../system/clock.ts";
import { createLog, type LogLevel } from "../../../system/log.ts";
import { DEFAULT_BASE_URL } from "../../settings/settings.ts";
import type { Output } from "../../terminal/io.ts";
import { type Drawing, draw } from "../ink.tsx";
import { ServeFrame } from "./serve-frame.tsx";
import type { ServeView } from "./serve-view.ts";
import { createTraffic } from "./traffic.ts";

/** Returns the live view of a server: its address, one line per request, and a footer with figures. */
export function serveFrames(output: Output, clock: Clock, level: LogLevel): ServeView {
  const traffic = createTraffic();
  const notes: string[] = [];
  let app: Drawing | undefined;
  const quiet = level !== "info" && level !== "debug";
  // A terminal that is closed under it takes nothing more, and whoever is served has no part in that.
  output.outliveReader();
  return {
    log: createLog(level === "info" ? "warn" : level, {
      write: (line) => void notes.push(noteLine(line, output)),
    }),
    listening(server) {
      for (const line of heading(server, output)) output.line(line);
      app = draw(<ServeFrame {...{ output, clock, traffic, notes, measure: server.measure }} />, output);
    },
    served: (request) => traffic.observe(request, !quiet),
    stopping: () => void notes.push(`  ${output.style.dim("Stopping; requests in flight are finished.")}`),
    end() {
      app?.unmount();
      app = undefined;
      for (const note of notes.splice(0)) output.line(note);
    },
  };
}

function heading(
  { url, signInUrl, localSecret, where }: Parameters<ServeView["listening"]>[0],
  { style }: Output,
): string[] {
  return [
    `  ${style.bold("toolplane")} ${style.cyan(url)}`,
    ...(signInUrl
      ? [`  ${style.yellow("Sign in")}   ${style.cyan(signInUrl)}`, "            once, within 15 minutes"]
      : []),
    ...(localSecret === undefined
      ? []
      : [`  ${style.dim(`Here      tool login${url === DEFAULT_BASE_URL ? "" : ` --base-url ${url}`}`)}`]),
    `  ${style.dim(`Data      ${where}`)}`,
  ];
}

/** Formats a structured log line for people. */
function noteLine(line: string, { style, symbols }: Output): string {
  const { level, msg, at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const more = Object.keys(rest).length > 0 ? style.dim(` ${JSON.stringify(rest)}`) : "";
  const colour = level === "error" ? style.red : style.yellow;
  return `  ${colour(`${symbols.attention} ${String(msg)}`)}${more}`;
}
