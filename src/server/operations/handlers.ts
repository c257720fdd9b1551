import { serviceContracts } from "../../api.ts";
import type { AnyHandler, Contract, Endpoint, Handlers } from "../../contract/endpoint.ts";

/** Handlers of all endpoints that belong to no tool; a missing one does not compile. */
export type ServiceHandlers = {
  [Area in keyof typeof serviceContracts]: Handlers<(typeof serviceContracts)[Area]>;
};

/** An endpoint and its handler. */
export interface Handled {
  endpoint: Endpoint;
  handler: AnyHandler;
  /** The module of the job, if the endpoint computes. */
  job?: URL | undefined;
}

/** Pairs every endpoint of a contract with its handler. */
export function handledBy(
  contract: Contract,
  handlers: object,
  jobs: Readonly<Record<string, URL>> = {},
): Handled[] {
  return Object.entries(contract).map(([name, endpoint]) => ({
    endpoint,
    handler: (handlers as Record<string, AnyHandler>)[name] as AnyHandler,
    job: jobs[name],
  }));
}

export function handledByService(handlers: ServiceHandlers): Handled[] {
  return Object.entries<Contract>(serviceContracts).flatMap(([area, contract]) =>
    handledBy(contract, handlers[area as keyof ServiceHandlers]),
  );
}
