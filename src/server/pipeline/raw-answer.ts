import type { Problem } from "../../contract/problem.ts";
import type { LimitReport } from "../../metering/limits/rate-limit.ts";
import { commonHeaders } from "./answer.ts";
import { problemAnswer } from "./problems.ts";

/** An answer for a socket that has no response object. */
export interface RawAnswer {
  status: number;
  reason: string;
  headers: [name: string, value: string][];
  body: string;
}

/** Returns the refusal of bytes that are not a request. The connection ends after it. */
export function rawRefusal(
  problem: Problem,
  { requestId, limits, baseUrl }: { requestId: string; limits: LimitReport; baseUrl: string },
): RawAnswer {
  const { status, contentType, headers, body } = problemAnswer(problem, requestId, baseUrl);
  const text = JSON.stringify(body);
  return {
    status,
    reason: problem.title,
    headers: [
      ...inPairs(commonHeaders({ requestId, limits })),
      ...Object.entries(headers),
      ["Content-Type", contentType],
      ["Content-Length", String(Buffer.byteLength(text))],
      ["Connection", "close"],
    ],
    body: text,
  };
}

/** Returns headers, as `commonHeaders` lists them, in pairs. */
export function inPairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, flat[index + 1] as string]] : [],
  );
}
