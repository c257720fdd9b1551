import { isObject } from "../../system/is-object.ts";

/** A line with the answer to a request, cut in two at its id. */
export interface AnswerLine {
  id: number;
  before: Buffer;
  behind: Buffer;
}

const EDGE_BYTES = 256;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
/** The members of an answer before its result, and its id if that is among them. */
const BEGINNING =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*(\d+)\s*,\s*)?"(?:result|error)"\s*:/d;
/** The id at the very end, as the official SDK writes it, where nothing within the result can be. */
const END = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}$/d;

/** Returns the JSON-RPC message of a line; undefined if it is none. */
export function messageIn(line: Buffer): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line.toString("utf8"));
    if (!isObject(message)) return undefined;
    const { id, method } = message;
    const isNamed = id === undefined || id === null || typeof id === "number" || typeof id === "string";
    return isNamed && (method === undefined || typeof method === "string") ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the answer of a line that is not parsed; undefined if there may be something else in it. */
export function answerIn(line: Buffer): AnswerLine | undefined {
  let length = line.length;
  while (length > 0 && (line[length - 1] as number) <= SPACE) length--;
  const answer = line.subarray(0, length);
  // It would end a line of an event stream.
  if (answer.includes(CARRIAGE_RETURN)) return undefined;
  const end = answer.toString("latin1", Math.max(0, length - EDGE_BYTES));
  const found = idOfAnswer(answer.toString("latin1", 0, EDGE_BYTES), end);
  if (!found) return undefined;
  const offset = found.isBehind ? length - end.length : 0;
  const [from, to] = found.at;
  return { id: found.id, before: answer.subarray(0, offset + from), behind: answer.subarray(offset + to) };
}

/** Returns the id of the request that a line answers, from its two ends, and where in one of them it stands. */
export function idOfAnswer(
  beginning: string,
  end: string,
): { id: number; isBehind: boolean; at: [number, number] } | undefined {
  const begins = BEGINNING.exec(beginning);
  if (!begins) return undefined;
  const isBehind = begins[1] === undefined;
  const found = isBehind ? END.exec(end) : begins;
  const at = found?.indices?.[1];
  return at && { id: Number(found?.[1]), isBehind, at };
}
