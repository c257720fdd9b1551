import { join } from "node:path";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { userDirectories } from "../settings/settings.ts";

type Environment = Context["io"]["environment"];

const DATABASE_HINT = "It begins with postgres:// and is not in quotes: postgres://user@host/database.";

/** The flags that name a store. */
export interface StoreFlags {
  data?: string;
  database?: string;
}

/** Returns the store that flags and the environment name: a `postgres://` URL or a directory. */
export function storeNamed({ data, database }: StoreFlags, environment: Environment): string {
  // A directory that is given by flag takes precedence over the environment.
  const { TOOL_DATABASE_URL, TOOL_DATABASE_DIRECT_URL } = environment;
  // Prefer a connection without a pooler, since reading or filling a whole store or migrating it takes long.
  const url = database ?? (data === undefined ? TOOL_DATABASE_DIRECT_URL || TOOL_DATABASE_URL : undefined);
  if (url) return databaseNamed(url, environment);
  return placeNamed(data ?? join(userDirectories().data, "server"), environment);
}

/** Returns the database that a flag or a variable names, with the password of the environment if it has none. */
export function databaseNamed(url: string, { TOOL_DATABASE_PASSWORD }: Environment): string {
  // The message does not quote the URL, which may contain a password.
  if (!isDatabase(url)) throw new UsageError("The database is no postgres:// URL.", DATABASE_HINT);
  refuseUnusable(url);
  return withPassword(url, TOOL_DATABASE_PASSWORD);
}

/**
 * Returns a directory, or a `postgres://` URL as `databaseNamed` does. Throws for other URLs, which would be taken for a
 * directory's name.
 */
export function placeNamed(where: string, environment: Environment): string {
  if (isDatabase(where)) return databaseNamed(where, environment);
  if (!/^\W?[a-z][a-z0-9+.:-]*:\/\//i.test(where)) return where;
  throw new UsageError("The store is neither a directory nor a postgres:// URL.", DATABASE_HINT);
}

/**
 * Refuses a URL that would lead elsewhere: one that names a service of libpq, which the driver does not look up, and one that
 * a special character of its password cuts short, so that a part of it is taken for the host.
 */
function refuseUnusable(url: string): void {
  if (/[?&]service=/.test(url)) {
    throw new UsageError(
      "The database's URL names a service, which is not looked up.",
      "Name what the service stands for: postgres://user@host/database.",
    );
  }
  const [, hosts = "", rest = ""] = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)(.*)$/s.exec(url) ?? [];
  const areHosts = hosts.split(",").every((host) => /^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(host));
  if (areHosts && !/#|^[^?]*@|^[^?]*\?[^=]*@/.test(rest)) return;
  throw new UsageError(
    "The database has no valid URL: postgres://user@host/database.",
    "In a password, percent-encode special characters, such as %2F for /, or put it into TOOL_DATABASE_PASSWORD as it is.",
  );
}

export function isDatabase(where: string): boolean {
  return /^postgres(ql)?:/.test(where);
}

export function hasPassword(url: string): boolean {
  return /^[a-z]+:\/\/[^:@/?]*:[^@/?]+@|[?&]password=/s.test(url);
}

/** Returns a store without the password, for screens and logs. */
export function withoutPassword(where: string): string {
  if (!isDatabase(where)) return where;
  // Match up to the last @, since a password may contain one.
  const [place = "", ...settings] = where.replace(/^([a-z]+:\/\/[^:@/?]*)(?::.*)?@/s, "$1@").split("?");
  const shown = settings
    .join("?")
    .split("&")
    .filter((setting) => setting !== "" && !/^(ssl)?password=/i.test(setting));
  return shown.length > 0 ? `${place}?${shown.join("&")}` : place;
}

/** Returns the name of a store to show. */
export function nameOf(where: string): string {
  if (!isDatabase(where)) return where;
  // Match up to the last @, since a password may contain one.
  const [place] = where.replace(/^[a-z]+:\/\/(?:.*@)?/s, "").split("?");
  return `PostgreSQL at ${place}`;
}

/** Returns a `postgres://` URL with the password, unless it has one of its own. */
function withPassword(url: string, password: string | undefined): string {
  if (!password || hasPassword(url)) return url;
  // Not parsed by `URL`, since it may name several hosts, or none but that of a socket.
  const [, before, user = "", rest] =
    /^(postgres(?:ql)?:\/\/)(?:([^:@/?]*)(?::[^@/?]*)?@)?([^@/?]+.*|\/.+)$/s.exec(url) ?? [];
  if (before === undefined)
    throw new UsageError("The database has no valid URL: postgres://user@host/database.");
  return `${before}${user}:${encodeURIComponent(password)}@${rest}`;
}
