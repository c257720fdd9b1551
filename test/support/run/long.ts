/**
 * Tests for `npm run test:long`. `npm test` runs the others, in less than five minutes on two cores
 * (docs/decisions/0033-five-minutes-of-tests.md).
 *
 * - Real servers and clients that are killed, starved, attacked and packed.
 * - The command, started dozens of times.
 * - Sessions with external programs: terminals, browsers, shells, SDKs, MCP clients, databases that are down,
 *   proxies and service managers.
 * - What else takes longest, of parts that quicker tests cover as well.
 */
export const LONG = [
  "acceptance/**/*",
  "hardness/**/*",
  "package/**/*",
  "accounts/at-once",
  "accounts/projects/project-lives",
  "accounts/credentials/many-keys",
  "alerts/{bounds,delivery,mail,webhooks}",
  "api/{document,every-credential,generated-clients,impossible-times,lists}",
  "audit/{api,every-form,export,log}",
  "cli/{administration,bounded,compiled,demo-kept,doctor,hostile*,missing,odd-places,serve,service-commands}",
  "cli/terminal",
  "cli/server/{log-stream,ready,signals,store-commands}",
  "cli/settings/trust",
  "cli/terminal/{unread,write-non-blocking}",
  "cli/{completion,mcp,sign-in,tools,usage}/**/*",
  "cli/update/update",
  "client/telemetry-*",
  "client/transport/json-extent",
  "deploy/*",
  "docs/{command-line,readme-examples}",
  "gateway/{program-turns,stdio-upstream}",
  "local/answer-locally",
  "local/searching/answer-in-repository",
  "mcp/{repository,sessions,sign-in,stdio}",
  "metering/usage/{ids,killed,most}",
  "oauth/stock-clients",
  "repository/{languages/{java-oracle,large-files,ruby-oracle},rescan,resolution}",
  "server/{alerts,control-lane,mounted,other-accounts-keys,shut-account}",
  "server/{mcp-postgres,mcp-streams,mcp-tasks,suspension-postgres}",
  "server/compute/pool",
  "server/gateway/**/*",
  "server/indexing/projections",
  "server/telemetry/open-telemetry",
  "server/tools/empty-project",
  "store/{fill,postgres,read-only}",
  "store/backup/backup",
  "store/json-file/**/*",
  "store/postgres/cluster/{failover,frozen,outage,pooled,processes,rolling}",
  "system/log",
  "system/processes/{small-heap,too-many-files}",
  "text/tokenizer",
  "text/secrets/mask-secrets",
  "tools/*/postgres",
  "tools/agent-memory/corrections",
  "tools/agent-memory/searching/recall",
  "tools/anomalies/{analyze,decide,kinds}",
  "tools/anomalies/detecting/first-points",
  "tools/code-review/time",
  "tools/code-review/bounds/{imports,large-files,other-files}",
  "tools/code-review/whole-names/*",
  "tools/knowledge-graph/{delete,import-lines,record,show}",
  "tools/learning/privacy",
  "tools/models/algorithms",
  "tools/observability/{dsn-key,errors,large-reports,packed-reports,reports,sdks}",
  "tools/observability/groups/{decisions,turns}",
  "tools/observability/source-maps/*",
  "tools/pair/{convergence,events,history}",
  "tools/scheduler/calendar",
  "tools/scheduler/solving/searches",
  "tools/self-healing/signatures",
  "web/{accessibility,alerts,browser,held-to-contract,left-out,operators-day,overview,reference,scale}",
  "web/{accounts,tools}/**/*",
  "web/resent/{browser,other-tab}",
].map((place) => `test/${place}.test.{ts,tsx}`);

/** Global setup of a run without these tests: prints that they are left out. */
export function setup(): void {
  process.stderr.write(
    `Left to npm run test:long, which takes half an hour: ${LONG.length} groups of test/support/run/long.ts.\n`,
  );
}
