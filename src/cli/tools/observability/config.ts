import type { RouteOutput } from "../../../client/routes.ts";
import { shellQuoted } from "../../../system/processes/shell-word.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import type { Io } from "../../terminal/io.ts";
import { fields } from "../../ui/table.ts";
import { jsonText } from "../../ui/terminal-text.ts";

type Config = RouteOutput<"GET /api/v1/tools/observability/config">;

export async function config(
  { client, io }: Context,
  { format }: { format: "text" | "env" | "json" },
): Promise<Outcome> {
  const found = await client.call("GET /api/v1/tools/observability/config", {});
  if (format === "json") return { document: found, raw: `${jsonText(found, 2)}\n` };
  if (format === "env") return { document: found, raw: exportsOf(environmentOf(found)) };
  return { document: found, lines: linesOf(found, io) };
}

/** Returns the environment variables that OpenTelemetry and Sentry SDKs read. */
function environmentOf({ openTelemetry, errorTracking }: Config): Record<string, string> {
  const { enabled, dsn, environment, release } = errorTracking;
  return {
    ...openTelemetry.environment,
    ...(enabled && { SENTRY_DSN: dsn, SENTRY_ENVIRONMENT: environment }),
    ...(enabled && release !== null && { SENTRY_RELEASE: release }),
  };
}

/** Returns lines for `eval` that can only set variables, even if the server sends other text. */
export function exportsOf(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .filter(([name, value]) => /^[A-Z][A-Z0-9_]*$/.test(name) && !value.includes("\0"))
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`)
    .join("");
}

function linesOf({ openTelemetry, errorTracking }: Config, { out }: Io): string[] {
  const { enabled, endpoint, protocol, serviceName, sampler } = openTelemetry;
  const { style } = out;
  return [
    style.bold("OpenTelemetry"),
    ...(enabled
      ? fields(
          [
            ["Endpoint", `${endpoint} (${protocol})`],
            ["Service", serviceName],
            ["Sampler", sampler],
          ],
          out,
        )
      : ["No endpoint. The operator names one: tool serve --otlp-endpoint <url>"]),
    "",
    style.bold("Error tracking"),
    ...fields([["DSN", errorTracking.enabled ? errorTracking.dsn : "none"]], out),
    "",
    `For a shell: ${style.cyan('eval "$(tool observability config --format env)"')}`,
  ];
}
