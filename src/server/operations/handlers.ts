import type { Api } from "../../api.ts";
import type { AnyHandler, Contract, Handlers } from "../../contract/endpoint.ts";

/** A handler for every endpoint of the API; one that is missing does not compile. */
export type ApiHandlers = { [Area in keyof Api]: Handlers<Api[Area]> };

/** Every endpoint beside its handler. */
export function* pairs(api: Record<string, Contract>, handlers: Record<string, Record<string, unknown>>) {
  for (const [area, contract] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(contract)) {
      yield { endpoint, handler: handlers[area]?.[name] as AnyHandler };
    }
  }
}
