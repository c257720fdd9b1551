import { type Api, api } from "../../../src/api.ts";
import type { Contract, Endpoint } from "../../../src/contract/endpoint.ts";
import * as computed from "./computed.ts";
import * as control from "./control.ts";
import * as stored from "./stored.ts";
import { type Ask, isFull, type WorstCase, type WorstCases } from "./worst-case.ts";

const areas: { [Area in keyof Api]: WorstCases<Area> } = { ...control, ...stored, ...computed };

/** The most expensive legal request to every endpoint. */
export const worstCases: { area: string; endpoint: Endpoint; worst: WorstCase }[] = Object.entries(
  api as Record<string, Contract>,
).flatMap(([area, contract]) =>
  Object.entries(contract).map(([name, endpoint]) => ({
    area,
    endpoint,
    worst: (areas as Record<string, Record<string, WorstCase>>)[area]?.[name] as WorstCase,
  })),
);

/** Results of preparations, by account. */
const done = new WeakMap<Ask, Map<WorstCase["prepare"], unknown>>();

/** Prepares an account once for all cases that share the preparation. */
async function preparedFor(ask: Ask, { prepare }: WorstCase): Promise<unknown> {
  const ofAccount = done.get(ask) ?? new Map();
  done.set(ask, ofAccount);
  if (!ofAccount.has(prepare)) ofAccount.set(prepare, await prepare?.(ask));
  return ofAccount.get(prepare);
}

/** Prepares a case, and returns a function that sends its concurrent requests. */
export async function armed(ask: Ask, { endpoint, worst }: (typeof worstCases)[number]) {
  const prepared = await preparedFor(ask, worst);
  const requests = Array.from({ length: worst.times ?? (isFull() ? 4 : 2) }, () => {
    const { path = {}, query = {}, body, raw, headers } = worst.request(prepared as never);
    const target = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return () =>
      ask(endpoint.method, `${target}?${new URLSearchParams(query)}`, {
        ...(content !== undefined && { raw: Buffer.from(content) }),
        ...(headers && { headers }),
      });
  });
  return () => Promise.all(requests.map((send) => send()));
}
