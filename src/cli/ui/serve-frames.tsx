import { Box } from "ink";
import { useEffect, useState } from "react";
import type { Clock } from "../../system/clock.ts";
import { createLog, type LogLevel } from "../../system/log.ts";

import { DEFAULT_BASE_URL } from "../settings/settings.ts";
import type { Output } from "../terminal/io.ts";
import { bytes, count, duration, number } from "./format.ts";
import { type Drawing, draw, Text, useWrite } from "./ink.tsx";
import type { ServeView } from "./serve-view.ts";
import { createTraffic, type Measure, type Served, type Traffic } from "./traffic.ts";
import { columnsOf, shorten } from "./width.ts";

const FRAME_MS = 250;
const MEASURE_MS = 2000;

/** The live view of a server: where it is, one line a request, and a footer of figures. */
export function serveFrames(output: Output, clock: Clock, level: LogLevel): ServeView {
  const traffic = createTraffic();
  const notes: string[] = [];
  let app: Drawing | undefined;
  const quiet = level !== "info" && level !== "debug";
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

interface ServeFrameProps {
  output: Output;
  clock: Clock;
  traffic: Traffic;
  notes: string[];
  measure: Measure;
}

export function ServeFrame({ output, clock, traffic, notes, measure }: ServeFrameProps) {
  const write = useWrite();
  const [footer, setFooter] = useState("");
  const [measured, setMeasured] = useState<Awaited<ReturnType<Measure>>>();
  useEffect(
    () =>
      clock.every(FRAME_MS, () => {
        const { lines, skipped } = traffic.drain();
        const text = [
          ...notes.splice(0),
          ...(skipped > 0
            ? [output.style.dim(`  ${output.symbols.ellipsis} ${count(skipped, "more request")}`)]
            : []),
          ...lines.map((served) => requestLine(served, output)),
        ];
        if (text.length > 0) write(`${text.join("\n")}\n`);
        setFooter(footerText(traffic.rate(clock.now()), output));
      }),
    [clock, traffic, notes, output, write],
  );
  useEffect(() => {
    const look = () => void measure().then(setMeasured, () => {});
    look();
    return clock.every(MEASURE_MS, look);
  }, [clock, measure]);
  const dot = ` ${output.symbols.dot} `;
  return (
    <Box paddingLeft={2} marginTop={1}>
      <Text dimColor>
        {footer}
        {measured &&
          measured.devicesWaiting > 0 &&
          `${dot}${count(measured.devicesWaiting, "device")} waiting`}
        {measured && `${dot}store ${bytes(measured.storeBytes)}`}
        {`${dot}ctrl+c stops`}
      </Text>
    </Box>
  );
}

function footerText({ perSecond, p99Ms }: ReturnType<Traffic["rate"]>, { symbols }: Output): string {
  return `${number(perSecond)} requests/s ${symbols.dot} p99 ${milliseconds(p99Ms)}`;
}

const MAX_PATH_LENGTH = 48;
/** Of a line without path and account: margin, time, method, status, duration and what parts them. */
const FIXED = 2 + 8 + 2 + 7 + 2 + 3 + 2 + 8 + 2;
const ACCOUNT = 10;

/** Time, method, path, status, how long, who. */
export function requestLine(served: Served, output: Pick<Output, "style" | "symbols" | "columns">): string {
  const { style, symbols, columns } = output;
  const time = new Date(served.at).toTimeString().slice(0, 8);
  const room = Math.max(12, Math.min(MAX_PATH_LENGTH, columns - FIXED - ACCOUNT));
  const path = shorten(served.path, room, symbols.ellipsis);
  return [
    `  ${style.dim(time)}`,
    served.method.padEnd(7) + path + " ".repeat(room - columnsOf(path)),
    statusText(served.status, style),
    milliseconds(served.ms).padStart(8),
    served.account ?? style.dim("-"),
  ].join("  ");
}

function statusText(status: number, style: Output["style"]): string {
  if (status >= 500) return style.red(String(status));
  return status >= 400 ? style.yellow(String(status)) : style.green(String(status));
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : duration(ms);
}

/** A structured log line, in words. */
function noteLine(line: string, { style, symbols }: Output): string {
  const { level, msg, at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const more = Object.keys(rest).length > 0 ? style.dim(` ${JSON.stringify(rest)}`) : "";
  const colour = level === "error" ? style.red : style.yellow;
  return `  ${colour(`${symbols.attention} ${String(msg)}`)}${more}`;
}
