import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { isObject } from "../../system/is-object.ts";
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

/** How long a program may be silent to the probe before it is also sent `initialize`. */
const SILENCE_MS = 5_000;

/**
 * Probes as specified in MCP 2026-07-28 (stdio, Backward Compatibility), and falls back to the earlier handshake, also if
 * the program ignores the probe or has not got to it yet. Of both, the first to succeed holds.
 *
 * @param probes false for a program that ended at a probe, as those do which expect `initialize` first.
 */
export async function greet(
  ask: Question,
  notify: (method: string) => void,
  { clock, probes }: { clock: Pick<Clock, "sleep">; probes: boolean },
): Promise<Greeting | undefined> {
  if (!probes) return initialized();
  const discovering = discovered();
  const first = await inTime(discovering, { clock, ms: SILENCE_MS, late: () => "silent" as const });
  if (first !== "silent") return first ?? initialized();
  const either = [discovering, initialized()].map(async (greeting) => (await greeting) ?? Promise.reject());
  return Promise.any(either).catch(() => undefined);

  async function discovered(): Promise<Greeting | undefined> {
    const result = await ask("server/discover", { _meta: statelessMeta({}) });
    if (!result || !Array.isArray(result.supportedVersions)) return undefined;
    const { capabilities, instructions, _meta } = result;
    const serverInfo = isObject(_meta) ? _meta[META.serverInfo] : undefined;
    const initialized = { protocolVersion: LEGACY_VERSION, capabilities, serverInfo, instructions };
    return { stateless: true, initialized: ofMany(initialized) };
  }

  async function initialized(): Promise<Greeting | undefined> {
    const result = await ask("initialize", {
      protocolVersion: LEGACY_VERSION,
      capabilities: {},
      clientInfo: CLIENT,
    });
    if (!result) return undefined;
    notify("notifications/initialized");
    return { stateless: false, initialized: ofMany(result) };
  }
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
