import type { CommandEntry } from "./command.ts";

const SIGN_IN = "Sign-in:";
const USAGE = "Usage and entitlements:";
const TOOLS = "Tools:";
const SERVER = "Server:";
const ADMINISTRATION = "Administration:";
const ELSE = "Everything else:";

/** Every command with its one-line summary. Its file is loaded only when the command is called. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    "login",
    SIGN_IN,
    "Sign in with a code that you approve in a browser",
    () => import("./sign-in/login.ts"),
    { handlesInterrupt: true },
  ),
  entry("logout", SIGN_IN, "Revoke the credential and forget it", () => import("./sign-in/logout.ts")),
  entry(
    "whoami",
    SIGN_IN,
    "Show account, plan, scopes and where the secret is kept",
    () => import("./sign-in/whoami.ts"),
  ),
  entry(
    "auth",
    SIGN_IN,
    "Show and switch the accounts that you are signed in to",
    () => import("./sign-in/auth.ts"),
  ),
  entry("track", USAGE, "Record one usage event now", () => import("./usage/track.ts")),
  entry(
    "events",
    USAGE,
    "Record telemetry events, list and send what waits",
    () => import("./usage/events.ts"),
  ),
  entry(
    "entitlements",
    USAGE,
    "Show what the credential may use, and why not",
    () => import("./usage/entitlements.ts"),
  ),
  entry("usage", USAGE, "Show totals and a chart of the last days", () => import("./usage/usage.ts")),
  tool("review", "Review what was changed, or whole files", () => import("./tools/review/command.ts")),
  tool("memory", "Store what is worth remembering and recall it", () => import("./tools/memory/command.ts")),
  tool("context", "Fit files into a budget of tokens", () => import("./tools/context/command.ts")),
  tool("locate", "Find what an issue or an error is about", () => import("./tools/locate/command.ts")),
  tool(
    "graph",
    "Record what depends on what, search it and follow it",
    () => import("./tools/graph/command.ts"),
  ),
  tool(
    "anomalies",
    "Find anomalies in metrics, and decide on them",
    () => import("./tools/anomalies/command.ts"),
  ),
  tool("models", "List models, select one for a task", () => import("./tools/models/command.ts")),
  tool(
    "scheduler",
    "Plan tasks that depend on each other and share resources",
    () => import("./tools/scheduler/command.ts"),
  ),
  {
    ...tool(
      "diagnose",
      "Say why a build failed, and what may fix it",
      () => import("./tools/diagnose/command.ts"),
    ),
    handlesInterrupt: true,
  },
  tool(
    "self-healing",
    "Record what fixed a build, and list what was diagnosed",
    () => import("./tools/self-healing/command.ts"),
  ),
  tool(
    "observability",
    "Show where telemetry and errors go, and list recent errors",
    () => import("./tools/observability/command.ts"),
  ),
  tool(
    "errors",
    "List errors, look at one, resolve and ignore them",
    () => import("./tools/errors/command.ts"),
  ),
  tool(
    "sourcemaps",
    "List and delete the source maps that restore stacks, and say how to upload them",
    () => import("./tools/source-maps/command.ts"),
  ),
  {
    ...tool("pair", "Work on files together, live", () => import("./tools/pair/command.ts")),
    handlesInterrupt: true,
  },
  entry("mcp", TOOLS, "Offer the tools to an agent over MCP", () => import("./mcp/command.ts"), {
    handlesInterrupt: true,
    smallHeap: true,
  }),
  tool(
    "learning",
    "Compare the project with others, anonymously",
    () => import("./tools/learning/command.ts"),
  ),
  entry("serve", SERVER, "Run the control plane", () => import("./server/serve.ts"), {
    handlesInterrupt: true,
  }),
  entry(
    "demo",
    SERVER,
    "Watch the whole journey against a server of its own",
    () => import("./server/demo.ts"),
    { handlesInterrupt: true },
  ),
  entry("ready", SERVER, "Ask whether a server reads and writes", () => import("./server/ready.ts")),
  entry(
    "backup",
    SERVER,
    "Write everything that a server keeps into one file",
    () => import("./server/backup.ts"),
    { handlesInterrupt: true },
  ),
  entry(
    "restore",
    SERVER,
    "Fill a directory or a database with a backup",
    () => import("./server/restore.ts"),
    { handlesInterrupt: true },
  ),
  entry(
    "doctor",
    SERVER,
    "Check server, clock, credential, key store and queue",
    () => import("./doctor/command.ts"),
  ),
  entry(
    "keys",
    ADMINISTRATION,
    "Make, bind, rotate and revoke API keys",
    () => import("./administration/keys.ts"),
  ),
  entry(
    "users",
    ADMINISTRATION,
    "Invite, list, change and remove users",
    () => import("./administration/users.ts"),
  ),
  entry(
    "account",
    ADMINISTRATION,
    "Hand over, export, leave or close the account",
    () => import("./administration/account.ts"),
  ),
  entry(
    "webhooks",
    ADMINISTRATION,
    "Have alerts sent to URLs, and see what was sent",
    () => import("./administration/webhooks.ts"),
  ),
  entry("audit", ADMINISTRATION, "See who changed what", () => import("./administration/audit.ts")),
  entry("projects", ADMINISTRATION, "List and change projects", () => import("./administration/projects.ts")),
  entry(
    "accounts",
    ADMINISTRATION,
    "Create and change accounts of this instance",
    () => import("./administration/accounts.ts"),
  ),
  entry(
    "devices",
    ADMINISTRATION,
    "Approve a sign-in, see what is signed in, sign it out",
    () => import("./administration/devices.ts"),
  ),
  entry(
    "clients",
    ADMINISTRATION,
    "See which applications registered themselves, revoke one",
    () => import("./administration/clients.ts"),
  ),
  entry(
    "signing-keys",
    ADMINISTRATION,
    "See what signs entitlements and identities, rotate it",
    () => import("./administration/signing-keys.ts"),
  ),
  entry(
    "data",
    ADMINISTRATION,
    "Copy a store between a directory and PostgreSQL",
    () => import("./server/data.ts"),
    { handlesInterrupt: true },
  ),
  entry("api", ELSE, "Call any endpoint with the stored credential", () => import("./api.ts")),
  entry("config", ELSE, "Show and change settings", () => import("./settings/command.ts")),
  entry(
    "completion",
    ELSE,
    "Print the completion script of a shell",
    () => import("./completion/command.ts"),
  ),
  background("complete", async () => ({
    define: (await import("./completion/complete.ts")).completing(COMMANDS),
  })),
  background("_keyring", async () => ({ define: (await import("./sign-in/background.ts")).defineKeyring })),
  background("_sender", async () => ({ define: (await import("./sign-in/background.ts")).defineSender })),
  background("_update", () => import("./update/check.ts")),
  background("_login", async () => ({ define: (await import("./sign-in/background.ts")).defineLogin })),
];

/** Returns an entry for a command that shells or the program itself call. */
function background(name: string, load: CommandEntry["load"]): CommandEntry {
  return { name, summary: name, handlesInterrupt: true, load };
}

/** Returns an entry for a command of one of the server's tools, which records an `api.call`. */
function tool(name: string, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { name, group: TOOLS, summary, load, event: "api.call", smallHeap: true };
}

function entry(
  name: string,
  group: string,
  summary: string,
  load: CommandEntry["load"],
  more: Pick<CommandEntry, "handlesInterrupt" | "smallHeap"> = {},
): CommandEntry {
  return { name, group, summary, load, ...more };
}
