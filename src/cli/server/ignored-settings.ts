import { existsSync } from "node:fs";
import { join } from "node:path";
import { editDistance } from "../../contract/near-names.ts";
import type { Context } from "../context.ts";
import { hasPassword, isDatabase, type StoreFlags } from "./where.ts";

type Environment = Context["io"]["environment"];

/** The variables that `tool serve` reads, each also from a file. */
export const VARIABLES = [
  "TOOL_OWNER_EMAIL",
  "TOOL_OWNER_PASSWORD",
  "TOOL_OWNER_API_KEY",
  "TOOL_DATABASE_URL",
  "TOOL_DATABASE_DIRECT_URL",
  "TOOL_DATABASE_PASSWORD",
  "TOOL_SIGN_UP",
  "TOOL_OIDC",
  "TOOL_GITHUB",
  "TOOL_SMTP_URL",
  "TOOL_MAIL_FROM",
];
/** Those of the other commands, which may be set for the same shell. */
const OF_COMMANDS = [
  "TOOL_BASE_URL",
  "TOOL_TOKEN",
  "TOOL_PROJECT",
  "TOOL_TELEMETRY",
  "TOOL_NO_UPDATE_NOTICE",
];

/** Letters by which a mistyped variable differs from what was meant. */
const MAX_MISTYPED = 2;

interface Flags extends StoreFlags {
  databaseDirectUrl?: string | undefined;
  /** The one that is served. */
  store: string;
  /** As flags name them, with variables of any name that hold their secrets. */
  providers: readonly string[];
}

/** Returns a sentence for each setting that has no effect, though whoever set it may rely on it. */
export function ignoredSettings(
  environment: Environment,
  { store, data, database, databaseDirectUrl, providers }: Flags,
): string[] {
  const ignored: string[] = [];
  const isSet = (name: string) => Boolean(environment[name]);
  if (isDatabase(store)) {
    if (data !== undefined && holdsStore(data)) {
      const by = database === undefined ? "TOOL_DATABASE_URL" : "--database";
      ignored.push(`${by} is served, not the store in ${data} (--data). Leave out one of them.`);
    }
    const password = environment.TOOL_DATABASE_PASSWORD;
    if (password && hasPassword(store) && !store.includes(`:${encodeURIComponent(password)}@`)) {
      ignored.push("TOOL_DATABASE_PASSWORD has no effect: the database's URL has another password.");
    }
  } else {
    const left = ["TOOL_DATABASE_DIRECT_URL", "TOOL_DATABASE_PASSWORD"].filter(isSet);
    if (databaseDirectUrl !== undefined) left.push("--database-direct-url");
    for (const name of left) {
      ignored.push(`${name} has no effect without TOOL_DATABASE_URL: the directory ${store} is served.`);
    }
  }
  if (isSet("TOOL_MAIL_FROM") && !isSet("TOOL_SMTP_URL")) {
    ignored.push("TOOL_MAIL_FROM has no effect without TOOL_SMTP_URL: no mail is sent.");
  }
  const { TOOL_OIDC = "", TOOL_GITHUB = "" } = environment;
  const named = [...providers, TOOL_OIDC, TOOL_GITHUB].join(" ").matchAll(/,env:(\w+)/g);
  const known = new Set([...VARIABLES, ...OF_COMMANDS, ...[...named].map(([, name]) => name)]);
  for (const name of Object.keys(environment).filter(isSet)) {
    if (!name.startsWith("TOOL_") || known.has(name) || known.has(name.replace(/_FILE$/, ""))) continue;
    // Whatever else begins with TOOL_ may be for an MCP server or of another program.
    const meant = VARIABLES.find((variable) => editDistance(variable, name) <= MAX_MISTYPED);
    if (meant) ignored.push(`${name} is no setting of tool serve. Did you mean ${meant}?`);
  }
  return ignored;
}

/** Whether a directory holds a store that was not left behind by `tool data move`, which makes it read only. */
function holdsStore(directory: string): boolean {
  const has = (name: string) => existsSync(join(directory, name));
  return (has("store.json") || has("journal.jsonl")) && !has("read-only");
}
