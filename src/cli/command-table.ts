import type { CommandEntry } from "./command.ts";

const SIGN_IN = "Sign-in:";
const USAGE = "Usage and entitlements:";
const TOOLS = "Tools:";
const SERVER = "Server:";
const ADMINISTRATION = "Administration:";
const ELSE = "Everything else:";

/** Every command with its one line of help; its file is loaded when it is called, and only then. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    "login",
    SIGN_IN,
    "Sign in with a code that you approve in a browser",
    () => import("./commands/login.ts"),
    { tidiesUp: true },
  ),
  entry("logout", SIGN_IN, "Revoke the credential and forget it", () => import("./commands/logout.ts")),
  entry(
    "whoami",
    SIGN_IN,
    "Show account, plan, scopes and where the secret is kept",
    () => import("./commands/whoami.ts"),
  ),
  entry("track", USAGE, "Record one usage event now", () => import("./commands/track.ts")),
  entry(
    "events",
    USAGE,
    "Record telemetry events, list and send what waits",
    () => import("./commands/events.ts"),
  ),
  entry(
    "entitlements",
    USAGE,
    "Show what the credential may use, and why not",
    () => import("./commands/entitlements.ts"),
  ),
  entry("usage", USAGE, "Show totals and a chart of the last days", () => import("./commands/usage.ts")),
  tool("review", "Review what a git diff adds", () => import("./commands/review.ts")),
  tool("memory", "Store what is worth remembering and recall it", () => import("./commands/memory.ts")),
  tool("context", "Fit files into a budget of tokens", () => import("./commands/context.ts")),
  tool("graph", "Record what depends on what, search it and follow it", () => import("./commands/graph.ts")),
  tool(
    "anomalies",
    "Find what is strange in metrics, and decide on it",
    () => import("./commands/anomalies.ts"),
  ),
  tool("models", "List models, select one for a task", () => import("./commands/models.ts")),
  tool(
    "scheduler",
    "Plan tasks that depend on each other and share resources",
    () => import("./commands/scheduler.ts"),
  ),
  {
    ...tool(
      "diagnose",
      "Say why a build failed, and what may mend it",
      () => import("./commands/diagnose.ts"),
    ),
    tidiesUp: true,
  },
  tool(
    "self-healing",
    "Record what mended a build, and list what was diagnosed",
    () => import("./commands/self-healing.ts"),
  ),
  tool(
    "observability",
    "Show where telemetry and errors go, and list recent errors",
    () => import("./commands/observability.ts"),
  ),
  { ...tool("pair", "Work on files together, live", () => import("./commands/pair.ts")), tidiesUp: true },
  entry("mcp", TOOLS, "Offer the tools to an agent over MCP", () => import("./commands/mcp.ts"), {
    tidiesUp: true,
  }),
  tool("learning", "Compare the project with others, anonymously", () => import("./commands/learning.ts")),
  entry("serve", SERVER, "Run the control plane", () => import("./commands/serve.ts"), { tidiesUp: true }),
  entry(
    "demo",
    SERVER,
    "Watch the whole journey against a server of its own",
    () => import("./commands/demo.ts"),
    { tidiesUp: true },
  ),
  entry(
    "doctor",
    SERVER,
    "Check server, clock, credential, key store and queue",
    () => import("./commands/doctor.ts"),
  ),
  entry("keys", ADMINISTRATION, "Create, list and revoke API keys", () => import("./commands/keys.ts")),
  entry("users", ADMINISTRATION, "Add, list and remove users", () => import("./commands/users.ts")),
  entry("projects", ADMINISTRATION, "List and change projects", () => import("./commands/projects.ts")),
  entry(
    "accounts",
    ADMINISTRATION,
    "Create and change accounts of this instance",
    () => import("./commands/accounts.ts"),
  ),
  entry("devices", ADMINISTRATION, "Show, approve or deny a sign-in", () => import("./commands/devices.ts")),
  entry(
    "data",
    ADMINISTRATION,
    "Copy a store between a directory and PostgreSQL",
    () => import("./commands/data.ts"),
  ),
  entry("api", ELSE, "Call any endpoint with the stored credential", () => import("./commands/api.ts")),
  entry("config", ELSE, "Show and change settings", () => import("./commands/config.ts")),
  entry(
    "completion",
    ELSE,
    "Print the completion script of a shell",
    () => import("./commands/completion.ts"),
  ),
  background("complete", () => import("./commands/complete.ts")),
  background("_keyring", async () => ({ define: (await import("./commands/background.ts")).defineKeyring })),
  background("_sender", async () => ({ define: (await import("./commands/background.ts")).defineSender })),
  background("_login", async () => ({ define: (await import("./commands/background.ts")).defineLogin })),
];

/** What the shells and the program itself call. */
function background(name: string, load: CommandEntry["load"]): CommandEntry {
  return { name, summary: name, tidiesUp: true, load };
}

/** The command of one of the server's tools: its use is an `api.call`. */
function tool(name: string, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { name, group: TOOLS, summary, load, event: "api.call" };
}

function entry(
  name: string,
  group: string,
  summary: string,
  load: CommandEntry["load"],
  more: Pick<CommandEntry, "tidiesUp"> = {},
): CommandEntry {
  return { name, group, summary, load, ...more };
}
