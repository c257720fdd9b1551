import type { Catalogue } from "../../metering/plans.ts";

/** Throws if a limit names an endpoint that does not exist: it would silently limit nothing. */
export function checkLimitNames({ endpoints: limits }: Catalogue, named: readonly { name: string }[]): void {
  const unknown = Object.keys(limits).find((limited) => !named.some(({ name }) => name === limited));
  if (unknown) {
    const names = named.map(({ name }) => name).sort();
    throw new Error(
      `The plans file limits "${unknown}", which is no endpoint. There are: ${names.join(", ")}.`,
    );
  }
}
