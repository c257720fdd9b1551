import { isObject } from "../message.ts";
import { LATEST_VERSION, META } from "../rpc.ts";

/** The result of the handshake with a started program. */
export interface Greeting {
  /** Whether it speaks the revision without sessions. Otherwise it was initialised once, for all its clients. */
  stateless: boolean;
  /** Its `InitializeResult`, or an equivalent made from `server/discover`. */
  initialized: Record<string, unknown>;
}

/** Sends a request to a program. Resolves with its result, or undefined if it answers with an error. */
export type Question = (
  method: string,
  params: Record<string, unknown>,
) => Promise<Record<string, unknown> | undefined>;

const CLIENT = { name: "toolplane", version: "1" };
const LEGACY_VERSION = "2025-11-25";

/** Probes as specified in MCP 2026-07-28 (stdio, Backward Compatibility), and falls back to the earlier handshake. */
export async function greet(ask: Question, notify: (method: string) => void): Promise<Greeting | undefined> {
  const discovered = await ask("server/discover", { _meta: statelessMeta({}) });
  if (discovered && Array.isArray(discovered.supportedVersions)) {
    const { capabilities, instructions, _meta } = discovered;
    const serverInfo = isObject(_meta) ? _meta[META.serverInfo] : undefined;
    const initialized = { protocolVersion: LEGACY_VERSION, capabilities, serverInfo, instructions };
    return { stateless: true, initialized: ofMany(initialized) };
  }
  const initialized = await ask("initialize", {
    protocolVersion: LEGACY_VERSION,
    capabilities: {},
    clientInfo: CLIENT,
  });
  if (!initialized) return undefined;
  notify("notifications/initialized");
  return { stateless: false, initialized: ofMany(initialized) };
}

/**
 * Removes capabilities that one process cannot have for many clients: change notifications, subscriptions, log level.
 */
function ofMany(initialized: Record<string, unknown>): Record<string, unknown> {
  const { capabilities, ...rest } = initialized;
  if (!isObject(capabilities)) return initialized;
  const { logging: _, ...others } = capabilities;
  const offered = Object.entries(others).map(([name, value]) => {
    if (!isObject(value)) return [name, value];
    const { listChanged: _changed, subscribe: _subscribe, ...kept } = value;
    return [name, kept];
  });
  return { ...rest, capabilities: Object.fromEntries(offered) };
}

/** Returns the `_meta` that every request of the revision without sessions has. */
export function statelessMeta(own: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    [META.protocolVersion]: LATEST_VERSION,
    [META.clientInfo]: CLIENT,
    [META.clientCapabilities]: {},
    ...own,
  };
}
