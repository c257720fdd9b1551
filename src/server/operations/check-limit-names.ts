import { didYouMean } from "../../contract/near-names.ts";
import type { Catalogue } from "../../metering/plans.ts";

/** Throws if a limit names an endpoint that does not exist: it would silently limit nothing. */
export function checkLimitNames({ endpoints: limits }: Catalogue, named: readonly { name: string }[]): void {
  const unknown = Object.keys(limits).find((limited) => !named.some(({ name }) => name === limited));
  if (unknown) {
    // A route of several methods or addresses is there several times.
    const names = [...new Set(named.map(({ name }) => name))].sort();
    const instead = didYouMean(unknown, names) || `There are: ${names.join(", ")}.`;
    throw new Error(`The plans file limits "${unknown}", which is no endpoint. ${instead}`);
  }
}
