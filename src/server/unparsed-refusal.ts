import type { Problem } from "../contract/problem.ts";
import type { Windows } from "../metering/windows.ts";
import type { Random } from "../system/random.ts";
import { commonHeaders } from "./answer.ts";
import { subjectOf } from "./client-address.ts";
import type { LimitEnforcer } from "./enforce-limits.ts";
import { problemAnswer } from "./problems.ts";

/** An answer for a socket on which there is no response object. */
export interface RawAnswer {
  status: number;
  reason: string;
  headers: [name: string, value: string][];
  body: string;
}

/** The answer to bytes that are no request, from an address. */
export function unparsedRefusal({
  enforcer,
  windows,
  random,
  baseUrl,
}: {
  enforcer: Pick<LimitEnforcer, "look">;
  windows: Pick<Windows, "ofAddress">;
  random: Random;
  baseUrl: () => string;
}) {
  return async function refuse(address = "unknown", problem: Problem): Promise<RawAnswer> {
    const requestId = random.id("req");
    const limits = await enforcer.look(windows.ofAddress(subjectOf(address)));
    const { status, contentType, headers, body } = problemAnswer(problem, requestId, baseUrl());
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
  };
}

/** Names and values in turn, as pairs. */
export function inPairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, flat[index + 1] as string]] : [],
  );
}
