import { Gauge, type Registry } from "prom-client";

type Measured = readonly [labels: Record<string, string>, value: number][];

/** Registers a gauge that is measured at each scrape. */
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
