import type { Projects } from "../../accounts/projects/projects.ts";
import type { Alerts } from "../../alerts/alerts.ts";
import { createCallMeter } from "../../gateway/calls/call-meter.ts";
import { createToolNames } from "../../gateway/calls/tool-names.ts";
import { circuitAlerts } from "../../gateway/circuit-alerts.ts";
import { createGateway, type Gateway } from "../../gateway/gateway.ts";
import { identitySigner } from "../../gateway/identity.ts";
import { createSessions } from "../../gateway/sessions.ts";
import { createCircuits } from "../../gateway/upstreams/account-circuits.ts";
import type { UpstreamPort } from "../../gateway/upstreams/upstream-port.ts";
import type { createEntitlements } from "../../metering/entitlements.ts";
import type { UseLimits } from "../../metering/limits/use-limits.ts";
import type { Catalogue } from "../../metering/plans.ts";
import type { SigningKeys } from "../../metering/signing-keys/signing-keys.ts";
import type { Upstream } from "../../metering/upstreams.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { environment } from "../../system/config.ts";
import { withSecretFiles } from "../../system/files/secret-files.ts";
import type { Log } from "../../system/log.ts";
import { lowerCased } from "../../system/network/lower-cased.ts";
import type { Random } from "../../system/random.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** The upstreams of a server, by name. */
export type Gateways = ReadonlyMap<string, { upstream: Upstream; gateway: Gateway }>;

const TIMEOUT_S = 100;

export async function createGateways({
  store,
  clock,
  log,
  random,
  catalogue,
  services,
  baseUrl,
  metrics,
}: {
  store: Store;
  clock: Clock;
  log: Log;
  random: Random;
  catalogue: Catalogue;
  services: {
    entitlements: Pick<ReturnType<typeof createEntitlements>, "rightsFor">;
    signingKeys: SigningKeys;
    projects: Pick<Projects, "getOrCreate">;
    alerts: Pick<Alerts, "sink">;
    useLimits: UseLimits;
  };
  baseUrl: () => string;
  metrics: Pick<Metrics, "called" | "counted" | "watchUpstreams">;
}): Promise<Gateways> {
  const { getOrCreate: getOrCreateProject } = services.projects;
  const { useLimits } = services;
  const meter = createCallMeter({ store, clock, useLimits, getOrCreateProject, onCounted: metrics.counted });
  const sessions = createSessions({ store, random });
  const signIdentity = identitySigner({ signingKeys: services.signingKeys, issuer: baseUrl, clock, random });
  const gateways = new Map<string, { upstream: Upstream; gateway: Gateway }>();
  // All secrets are found before the first program starts.
  const found = (catalogue.upstreams ?? []).map((upstream) => ({ upstream, ...secretsOf(upstream) }));
  for (const { upstream, headers, env } of found) {
    const { name } = upstream;
    const port = await portTo(upstream, env, { clock, log });
    const gateway = createGateway({
      upstream,
      port,
      circuits: createCircuits(clock, circuitAlerts(upstream, { store, alerts: services.alerts.sink })),
      headers,
      catalogue,
      clock,
      log,
      meter,
      sessions,
      signIdentity,
      names: createToolNames({ store, upstream: name, log }),
      rightsOf: services.entitlements.rightsFor,
      onCall: (outcome, ms) => metrics.called(name, outcome, ms),
    });
    gateways.set(name, { upstream, gateway });
  }
  metrics.watchUpstreams(() =>
    [...gateways].map(([name, { gateway }]) => [name, gateway.health.circuit === "closed"]),
  );
  return gateways;
}

/** Returns the headers and the variables of an upstream, with what they take from the environment. */
function secretsOf({ name, headers, env }: Upstream) {
  return {
    // So that they override a client's, whose names are in lower case.
    headers: lowerCased(fromEnvironment(headers, (header) => `The header ${header} of the upstream ${name}`)),
    env: fromEnvironment(env, (variable) => `The variable ${variable} of the upstream ${name}`),
  };
}

/** Connects to an upstream. The module of its transport is loaded on demand. */
async function portTo(
  upstream: Upstream,
  env: Readonly<Record<string, string>>,
  ports: { clock: Clock; log: Log },
): Promise<UpstreamPort> {
  const { name, title = name, url, command = [], timeoutSeconds = TIMEOUT_S, parallel } = upstream;
  const timeoutMs = timeoutSeconds * 1000;
  if (url !== undefined) {
    const { httpUpstream } = await import("../../gateway/upstreams/http-upstream.ts");
    return httpUpstream({ title, url, timeoutMs, clock: ports.clock });
  }
  const { stdioUpstream } = await import("../../gateway/upstreams/stdio-upstream.ts");
  return stdioUpstream({ ...ports, name, title, command, env, timeoutMs, parallel });
}

/** Replaces values of the form `env:NAME` by variables of the environment, so that a plans file holds no secrets. */
function fromEnvironment(
  given: Readonly<Record<string, string>> = {},
  called: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const [, scheme, variable] = /^(Bearer |Basic |Token )?env:(\w+)$/i.exec(value) ?? [];
      if (scheme !== undefined) {
        throw new Error(
          `${called(name)} is "${value}", which would be sent as it is: write "env:${variable}", and put "${scheme}" and the secret into that variable.`,
        );
      }
      if (variable === undefined) return [name, value];
      const found = secretNamed(variable);
      if (found) return [name, found];
      throw new Error(`${called(name)} is to come from the variable ${variable}, which is not set.`);
    }),
  );
}

/** Returns the value of a variable, or of the file that `TOOL_…_FILE` names in its stead. */
function secretNamed(variable: string): string | undefined {
  const file = `${variable}_FILE`;
  const given = environment();
  return withSecretFiles({ [variable]: given[variable], [file]: given[file] })[variable];
}
