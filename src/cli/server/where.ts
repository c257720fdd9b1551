import { join } from "node:path";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { userDirectories } from "../settings/settings.ts";

type Environment = Context["io"]["environment"];

const DATABASE_HINT = "It begins with postgres:// and is not in quotes: postgres://user@host/database.";

/** Flags that name a store. */
export interface StoreFlags {
  data?: string;
  database?: string;
}

/** The store that flags and the environment name: a `postgres://` URL or a directory. */
export function storeNamed({ data, database }: StoreFlags, environment: Environment): string {
  // Who names a directory means that one, whatever the environment of the server says.
  const { TOOL_DATABASE_URL, TOOL_DATABASE_DIRECT_URL } = environment;
  // Without a pooler in between: what reads or fills a whole store, or changes its tables, takes long.
  const url = database ?? (data === undefined ? TOOL_DATABASE_DIRECT_URL || TOOL_DATABASE_URL : undefined);
  if (url) return databaseNamed(url, environment);
  return placeNamed(data ?? join(userDirectories().data, "server"));
}

/** The database that a flag or a variable names, with its password. */
export function databaseNamed(url: string, { TOOL_DATABASE_PASSWORD }: Environment): string {
  // It is not shown: there may be a password in it.
  if (!isDatabase(url)) throw new UsageError("The database is no postgres:// URL.", DATABASE_HINT);
  return withPassword(url, TOOL_DATABASE_PASSWORD);
}

/** A directory or a `postgres://` URL; another URL would be made a directory of that name. */
export function placeNamed(where: string): string {
  if (isDatabase(where) || !/^\W?[a-z][a-z0-9+.:-]*:\/\//i.test(where)) return where;
  throw new UsageError("The store is neither a directory nor a postgres:// URL.", DATABASE_HINT);
}

export function isDatabase(where: string): boolean {
  return /^postgres(ql)?:/.test(where);
}

/** For people to read: a password would stay on their screens and in their logs. */
export function withoutPassword(where: string): string {
  if (!isDatabase(where)) return where;
  // Up to the last @, so that no part stays of a password that holds one.
  const [place = "", ...settings] = where.replace(/^([a-z]+:\/\/[^:@/?]*)(?::.*)?@/s, "$1@").split("?");
  const shown = settings
    .join("?")
    .split("&")
    .filter((setting) => setting !== "" && !/^(ssl)?password=/i.test(setting));
  return shown.length > 0 ? `${place}?${shown.join("&")}` : place;
}

/** For what is shown of a server. */
export function nameOf(where: string): string {
  if (!isDatabase(where)) return where;
  // Up to the last @, so that no password stays that holds one.
  const [place] = where.replace(/^[a-z]+:\/\/(?:.*@)?/s, "").split("?");
  return `PostgreSQL at ${place}`;
}

/** A `postgres://` URL that has no password with that one. */
function withPassword(url: string, password: string | undefined): string {
  if (!password) return url;
  // Not as a URL of the web: it may name several hosts.
  const [, before, user = "", rest] =
    /^(postgres(?:ql)?:\/\/)(?:([^:@/?]*)(?::[^@/?]*)?@)?([^@/?]+.*)$/s.exec(url) ?? [];
  if (before === undefined)
    throw new UsageError("The database has no valid URL: postgres://user@host/database.");
  return `${before}${user}:${encodeURIComponent(password)}@${rest}`;
}
