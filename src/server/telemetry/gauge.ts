import { Gauge, type Registry } from "prom-client";

type Measured = readonly [labels: Record<string, string>, value: number][];

/** Something that is measured whenever somebody looks. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  measure: () => Measured | Promise<Measured>,
): void {
  new Gauge({
    name: `toolplane_${name}`,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      for (const [labels, value] of await measure()) this.set(labels, value);
    },
  });
}
