import { accountsContract } from "./accounts/contract.ts";
import { alertsContract } from "./alerts/contract.ts";
import { auditContract } from "./audit/contract.ts";
import type { Contract, Endpoint } from "./contract/endpoint.ts";
import { gatewayContract } from "./gateway/contract.ts";
import { meteringContract } from "./metering/contract.ts";
import { oauthContract } from "./oauth/contract.ts";
import { type BuiltInTools, tools } from "./tools/index.ts";

type ToolContracts = { [Area in keyof BuiltInTools]: BuiltInTools[Area]["contract"] };

/** The contracts of the service itself, without those of the tools. */
export const serviceContracts = {
  accounts: accountsContract,
  alerts: alertsContract,
  audit: auditContract,
  oauth: oauthContract,
  metering: meteringContract,
  gateway: gatewayContract,
};

/** The whole API of the product: the contracts of the service and of its built-in tools. */
export const api = {
  ...serviceContracts,
  ...(Object.fromEntries(
    Object.entries(tools).map(([area, { contract }]) => [area, contract]),
  ) as unknown as ToolContracts),
};

export type Api = typeof api;

export const endpoints: readonly Endpoint[] = Object.values<Contract>(api).flatMap((contract) =>
  Object.values(contract),
);
