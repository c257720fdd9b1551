import type { Clock } from "../../system/clock.ts";
import type { Exchange } from "./exchange.ts";
import { MAX_MAIN_VALUES, parseJson } from "./json-body.ts";
import { BODY_BYTES, type Bodies } from "./request-body.ts";

/** A body that is not there by then is not waited for: its sender is refused anyway. */
const MAX_WAIT_MS = 1000;

/** The id of a JSON-RPC message: without one it is a notification, or none at all. */
function rpcIdIn(message: unknown): string | number | undefined {
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined;
  const { id } = message as { id?: unknown };
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}

/** For whoever refuses it later. */
export function noteRpcId(exchange: Exchange, message: unknown): void {
  const id = rpcIdIn(message);
  if (id !== undefined) exchange.rpcId = id;
}

/**
 * Of a request that was refused before its body was read: a client tells by it which of its own was. Read
 * where the body says to be short, as a stranger's must be.
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
  const here = new AbortController();
  try {
    const late = clock.sleep(MAX_WAIT_MS, here.signal).then(() => undefined);
    const body = await Promise.race([bodies.read(exchange, BODY_BYTES.anonymous), late]);
    return body && rpcIdIn(parseJson(body, req.headers["content-type"], MAX_MAIN_VALUES));
  } catch {
    return undefined;
  } finally {
    here.abort();
  }
}
