import { isObject } from "../../system/is-object.ts";
import type { Message, MessageId } from "../message.ts";
import { errorText, META, RPC, resultText, VERSIONS } from "../rpc.ts";
import type { Greeting } from "./handshake.ts";
import { type Said, UnreadAnswer } from "./pending.ts";
import type { UpstreamAnswer } from "./upstream-port.ts";

/** Methods of clients before 2026-07-28 that change state shared by all clients, so that no client may use them. */
const NOT_SHARED = ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/** Answers what the handshake has already settled, and refuses what one process cannot do for many clients. */
export function answeredHere(
  { id, method, params }: Message,
  greeting: Greeting,
  stateless: boolean,
): UpstreamAnswer | undefined {
  if (stateless) {
    // A probing client then falls back to the earlier handshake.
    const error = { code: RPC.methodNotFound, message: "This server speaks MCP up to 2025-11-25" };
    return textAnswer(method === "server/discover" ? 404 : 400, errorText(id, error));
  }
  if (method === "initialize") {
    const { initialized } = greeting;
    const protocolVersion = versionFor(params.protocolVersion, initialized.protocolVersion);
    return textAnswer(200, resultText(id, { ...initialized, protocolVersion }));
  }
  if (method === "ping") return textAnswer(200, resultText(id, {}));
  if (!NOT_SHARED.includes(method)) return undefined;
  const error = { code: RPC.methodNotFound, message: `${method} is not available: this server is shared` };
  return textAnswer(200, errorText(id, error));
}

/**
 * Returns the revision to speak with a client: the one that it asks for, unless that is later than the program's.
 * Later revisions only add to earlier ones, and a client disconnects from a server whose revision it does not know.
 */
function versionFor(asked: unknown, own: unknown): unknown {
  const isKnown = typeof asked === "string" && VERSIONS.includes(asked);
  return isKnown && typeof own === "string" && asked < own ? asked : own;
}

/** Returns 400 for an unknown revision (MCP, Streamable HTTP). This server is the HTTP server for a program. */
export function versionRefused(
  requested: string | undefined,
  id: MessageId | undefined,
): UpstreamAnswer | undefined {
  if (requested === undefined || VERSIONS.includes(requested)) return undefined;
  const message = `Unsupported protocol version: ${requested.slice(0, 64)} (supported versions: ${VERSIONS.join(", ")})`;
  const data = { supported: VERSIONS, requested: requested.slice(0, 64) };
  return textAnswer(400, errorText(id, { code: RPC.unsupportedVersion, message, data }));
}

export function jsonAnswer(message: Said, stateless: boolean): UpstreamAnswer {
  if (message instanceof UnreadAnswer) return textAnswer(200, message.text);
  const isUnknown = stateless && isObject(message.error) && message.error.code === RPC.methodNotFound;
  return textAnswer(isUnknown ? 404 : 200, JSON.stringify(message));
}

/** Refuses a request of the program: it serves many clients, so there is none to forward it to. */
export function answerToProgram(id: MessageId, method: string): Record<string, unknown> {
  const message = `${method} is not available through this server`;
  return method === "ping"
    ? { jsonrpc: "2.0", id, result: {} }
    : { jsonrpc: "2.0", id, error: { code: RPC.methodNotFound, message } };
}

/**
 * Returns the params of a notification, or a result, with the client's own id in place of the one that the program knows
 * its subscription by.
 */
export function ofSubscription(about: Record<string, unknown>, id: MessageId): Record<string, unknown> {
  const { _meta } = about;
  if (!isObject(_meta) || _meta[META.subscriptionId] === undefined) return about;
  return { ...about, _meta: { ..._meta, [META.subscriptionId]: id } };
}

export function textAnswer(status: number, text: string | Buffer): UpstreamAnswer {
  async function* body() {
    if (text.length > 0) yield Buffer.isBuffer(text) ? text : Buffer.from(text);
  }
  return { status, headers: text.length === 0 ? {} : { "content-type": "application/json" }, body: body() };
}

export function eventsAnswer(messages: AsyncIterable<Said>): UpstreamAnswer {
  async function* body() {
    for await (const message of messages) {
      const text = message instanceof UnreadAnswer ? message.text : Buffer.from(JSON.stringify(message));
      yield Buffer.concat([Buffer.from("event: message\ndata: "), text, Buffer.from("\n\n")]);
    }
  }
  return { status: 200, headers: { "content-type": "text/event-stream" }, body: body() };
}
