import type { Output } from "../../terminal/io.ts";
import { duration, number } from "../format.ts";
import { columnsOf, shorten } from "../width.ts";
import type { Served, Traffic } from "./traffic.ts";

export function footerText({ perSecond, p99Ms }: ReturnType<Traffic["rate"]>, { symbols }: Output): string {
  return `${number(perSecond)} requests/s ${symbols.dot} p99 ${milliseconds(p99Ms)}`;
}

const MAX_PATH_LENGTH = 48;
/** The columns of a line without path and account: margin, time, method, status, duration and gaps. */
const FIXED = 2 + 8 + 2 + 7 + 2 + 3 + 2 + 8 + 2;
const ACCOUNT = 10;

/** Formats a request: time, method, path, status, duration, account. */
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
