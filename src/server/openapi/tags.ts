import type { Json } from "./schemas.ts";

const DESCRIPTIONS: Record<string, string> = {
  account: "Whose the credential is",
  accounts: "All accounts of this instance, for its operator",
  agents: "Agents, and which of them a plan allows",
  "agent-memory": "What agents remember, found again by what a text is about",
  alertMail: "Which alerts are mailed",
  anomalies: "What is strange in the metrics of sessions",
  auditLog: "Who changed what, and what was refused",
  auth: "OAuth 2.0: device authorization, tokens, revocation, introspection, metadata",
  clients: "OAuth clients that registered themselves, for the operator",
  "code-review": "Diffs against 17 rules",
  context: "Contexts that fit into a budget of tokens",
  deviceAuthorizations: "Devices that ask to be signed in",
  devices: "What is signed in, and signed out again",
  entitlements: "Plan, gates, limits and policy of a credential",
  keys: "The account's API keys",
  "knowledge-graph": "Entities and how they relate",
  learning: "How a project stands among others, anonymously",
  mcp: "The Model Context Protocol",
  models: "Models, and which of them suits a task",
  observability: "Where telemetry goes, and errors that were reported",
  pair: "Sessions in which several change the same files",
  people: "What is kept of one person",
  projects: "The account's projects",
  scheduler: "Plans of tasks that depend on each other",
  "self-healing": "Why a build failed, and what may fix it",
  service: "The service itself",
  signingKeys: "What signs entitlements and identities, for the operator",
  upstreams: "MCP servers behind this one",
  usage: "What was counted",
  webhooks: "Alerts sent to URLs of the account",
  users: "The account's users",
};

/** Returns the tags in use, with their descriptions. */
export function tagsOf(names: readonly string[]): Json[] {
  return [...new Set(names)].sort().map((name) => ({
    name,
    ...(DESCRIPTIONS[name] !== undefined && { description: DESCRIPTIONS[name] }),
  }));
}
