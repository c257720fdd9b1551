import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import type { Exchange } from "./exchange.ts";
import { parseJson } from "./json-body.ts";
import { BODY_BYTES, type Bodies } from "./request-body.ts";

/** How long to wait for the rest of a body whose sender is refused anyway. */
const MAX_WAIT_MS = 1000;
/** The most values of such a body. What is refused counts nowhere, so it must not cost much. */
const MAX_VALUES = 1000;

/** Returns the id of a JSON-RPC request; undefined for notifications and anything else. */
function rpcIdIn(message: unknown): string | number | undefined {
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined;
  const { id } = message as { id?: unknown };
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}

/** Notes the id of a message for a refusal later on. */
export function noteRpcId(exchange: Exchange, message: unknown): void {
  const id = rpcIdIn(message);
  if (id !== undefined) exchange.rpcId = id;
}

/**
 * Returns the id of a request that was refused before its body was read, by which the client identifies its request.
 * Reads only bodies that are announced to be short, as anonymous ones must be.
 */
export async function rpcIdOf(
  exchange: Exchange,
  bodies: Bodies,
  clock: Clock,
): Promise<string | number | undefined> {
  const { req, rpcId } = exchange;
  const length = Number(req.headers["content-length"] ?? Number.NaN);
  const isUnread = req.readableFlowing === null && !req.destroyed;
  if (rpcId !== undefined || !isUnread || !(length <= BODY_BYTES.anonymous)) return rpcId;
  try {
    const asked = bodies.read(exchange, BODY_BYTES.anonymous);
    const body = await inTime(asked, { clock, ms: MAX_WAIT_MS, late: () => undefined });
    return body && rpcIdIn(parseJson(body, req.headers["content-type"], MAX_VALUES));
  } catch {
    return undefined;
  }
}
