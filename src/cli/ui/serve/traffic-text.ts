import type { Output } from "../../terminal/io.ts";
import { duration, number } from "../format.ts";
import { columnsOf, shorten } from "../width.ts";
import type { Served, Traffic } from "./traffic.ts";

export function footerText({ perSecond, p99Ms }: ReturnType<Traffic["rate"]>, { symbols }: Output): string {
  return `${number(perSecond)} requests/s ${symbols.dot} p99 ${milliseconds(p99Ms)}`;
}

const MAX_PATH_LENGTH = 48;
const MIN_PATH_LENGTH = 12;
/** The columns of what stands between path and account, and before the path: margin, method, status, duration and gaps. */
const FIXED = 2 + 7 + 2 + 3 + 2 + 8;
/** The columns of the time and of its gap, and those that an account's name has at least. */
const TIME = 8 + 2;
const ACCOUNT = 2 + 10;

/** Formats a request: time, method, path, status, duration, account. Time and account are left out without room. */
export function requestLine(served: Served, output: Pick<Output, "style" | "symbols" | "columns">): string {
  const { style, symbols, columns } = output;
  const time = new Date(served.at).toTimeString().slice(0, 8);
  const isWhole = columns >= FIXED + TIME + ACCOUNT + MIN_PATH_LENGTH;
  const left = columns - FIXED - (isWhole ? TIME + ACCOUNT : 0);
  const room = Math.max(MIN_PATH_LENGTH, Math.min(MAX_PATH_LENGTH, left));
  const path = shorten(served.path, room, symbols.ellipsis);
  const account = shorten(served.account ?? "", columns - FIXED - TIME - 2 - room, symbols.ellipsis);
  const line = [
    served.method.padEnd(7) + path + " ".repeat(room - columnsOf(path)),
    statusText(served.status, style),
    milliseconds(served.ms).padStart(8),
  ];
  return `  ${(isWhole ? [style.dim(time), ...line, account || style.dim("-")] : line).join("  ")}`;
}

function statusText(status: number, style: Output["style"]): string {
  if (status >= 500) return style.red(String(status));
  return status >= 400 ? style.yellow(String(status)) : style.green(String(status));
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : duration(ms);
}
