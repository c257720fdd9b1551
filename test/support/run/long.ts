/**
 * Tests that take minutes, for `npm run test:long`. `npm test` runs the others; CI runs both.
 *
 * - Real servers and clients that are killed, starved, attacked and packed.
 * - The command, started dozens of times.
 * - Sessions with external programs: terminals, browsers, shells, SDKs, MCP clients, databases that are down,
 *   proxies and service managers.
 */
export const LONG = [
  "acceptance/**/*",
  "hardness/**/*",
  "package/**/*",
  "accounts/at-once",
  "accounts/credentials/many-keys",
  "api/{generated-clients,lists}",
  "audit/every-form",
  "cli/{administration,bounded,demo-kept,doctor,hostile*,missing,serve,service-commands,terminal}",
  "cli/server/store-commands",
  "cli/settings/trust",
  "cli/sign-in/login*",
  "cli/{completion,tools}/**/*",
  "cli/terminal/unread",
  "cli/update/update",
  "client/telemetry-*",
  "deploy/*",
  "docs/readme-examples",
  "local/answer-locally",
  "mcp/{sessions,sign-in,stdio}",
  "metering/usage/killed",
  "oauth/stock-clients",
  "server/control-lane",
  "server/gateway/official-clients",
  "server/telemetry/open-telemetry",
  "store/json-file/{kill,read-directory}",
  "store/postgres",
  "store/postgres/cluster/{failover,frozen,outage,pooled,processes,rolling}",
  "tools/code-review/bounds/large-files",
  "tools/observability/{large-reports,sdks}",
  "tools/pair/convergence",
  "tools/*/postgres",
  "web/{accessibility,browser,operators-day,scale}",
  "web/accounts/{impersonation,projects,providers,sign-up}",
  "web/resent/{browser,other-tab}",
  "web/tools/{anomalies,diagnoses,errors,graph,memories}",
].map((place) => `test/${place}.test.{ts,tsx}`);

/** Global setup of a run without these tests: prints that they are left out. */
export function setup(): void {
  process.stderr.write(
    `Left to npm run test:long, which takes minutes: ${LONG.length} groups of test/support/run/long.ts.\n`,
  );
}
