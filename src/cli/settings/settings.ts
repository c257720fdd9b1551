import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import { writeJson } from "../../client/private-files.ts";
import { UsageError } from "../exit-codes.ts";
import type { Pair } from "../trust/pairs.ts";
import { checked, noSetting, SETTING_NAMES, type SettingName, type SettingValues } from "./setting-values.ts";
import { nearestProjectFile, readSettingsFile } from "./settings-files.ts";

export type { SettingName };

export type Origin =
  | { kind: "flag"; name: string }
  | { kind: "environment"; name: string }
  /** A `.tool.json`. */
  | { kind: "project"; path: string }
  | { kind: "user"; path: string }
  | { kind: "default" };

export interface Setting<T> {
  value: T;
  origin: Origin;
}

export interface Settings {
  /** In the form that `normaliseBaseUrl` returns. */
  baseUrl: Setting<string>;
  /** The server uses `default` if it is undefined. */
  project: Setting<string | undefined>;
  telemetry: Setting<"on" | "off">;
  updateNotice: Setting<"on" | "off">;
  /** The server that the user's file names, or the built-in default, in the form that `normaliseBaseUrl` returns. */
  defaultServer: string;
  /** Set if a `.tool.json` names the server, and the other settings would select another one. */
  projectServer?: ProjectServer;
  /** TOOL_TOKEN. Never printed. */
  token?: string;
  directories: Directories;
  /** The user's file, whether or not it exists. */
  userFile: string;
  /** The nearest `.tool.json`, if any. */
  projectFile?: string;
}

/** The server that a project's file names. */
export interface ProjectServer extends Pair {
  file: string;
}

/** The directories of this program. */
export interface Directories {
  /** Settings. */
  config: string;
  /** Credentials and the telemetry queue. */
  data: string;
  /** Entitlements. */
  cache: string;
}

export interface SettingsOptions {
  /** From the command line. */
  flags: { baseUrl?: string; project?: string };
  environment: Readonly<Record<string, string | undefined>>;
  workingDirectory: string;
  directories: Directories;
}

const NO_UPDATE_NOTICE = "TOOL_NO_UPDATE_NOTICE";
const USER_FILE = "config.json";
export const DEFAULT_BASE_URL = "http://127.0.0.1:4242";

type Values = Partial<SettingValues>;
type Layer = { kind: Origin["kind"]; values: Values; originOf: (name: SettingName) => Origin };
type Places = Partial<Record<SettingName, string>>;

/** Resolves all settings, each with its origin. Throws `UsageError` that names the place of a fault. */
export function readSettings({
  flags,
  environment,
  workingDirectory,
  directories,
}: SettingsOptions): Settings {
  const userFile = userFileIn(directories);
  const projectFile = nearestProjectFile(workingDirectory);
  const layers: Layer[] = [
    {
      kind: "flag",
      values: valuesFrom(flags, FLAGS),
      originOf: (name) => ({ kind: "flag", name: nameIn(FLAGS, name) }),
    },
    {
      kind: "environment",
      values: fromEnvironment(environment),
      originOf: (name) => ({ kind: "environment", name: nameIn(VARIABLES, name) }),
    },
  ];
  if (projectFile !== undefined) {
    layers.push({
      kind: "project",
      values: readSettingsFile(projectFile, "project"),
      originOf: () => ({ kind: "project", path: projectFile }),
    });
  }
  layers.push({
    kind: "user",
    values: readSettingsFile(userFile, "user"),
    originOf: () => ({ kind: "user", path: userFile }),
  });

  function settle<Name extends SettingName, Fallback>(name: Name, fallback: Fallback, among = layers) {
    const layer = among.find(({ values }) => values[name] !== undefined);
    const value = layer?.values[name] as SettingValues[Name] | undefined;
    const origin: Origin = layer?.originOf(name) ?? { kind: "default" };
    return { value: value ?? fallback, origin };
  }

  const baseUrl = settle("baseUrl", DEFAULT_BASE_URL);

  function projectServer(): ProjectServer | undefined {
    if (projectFile === undefined || baseUrl.origin.kind !== "project") return undefined;
    const own = layers.filter(({ kind }) => kind !== "project");
    if (settle("baseUrl", DEFAULT_BASE_URL, own).value === baseUrl.value) return undefined;
    const server = new URL(baseUrl.value).origin;
    return { file: projectFile, directory: realpathSync(dirname(projectFile)), server };
  }

  return {
    baseUrl,
    defaultServer: settle(
      "baseUrl",
      DEFAULT_BASE_URL,
      layers.filter(({ kind }) => kind === "user"),
    ).value,
    project: settle("project", undefined),
    telemetry: isSet(environment.DO_NOT_TRACK)
      ? { value: "off", origin: { kind: "environment", name: "DO_NOT_TRACK" } }
      : settle("telemetry", "on"),
    updateNotice: isSet(environment[NO_UPDATE_NOTICE])
      ? { value: "off", origin: { kind: "environment", name: NO_UPDATE_NOTICE } }
      : settle("updateNotice", "on"),
    projectServer: projectServer(),
    token: tokenFrom(environment),
    directories,
    userFile,
    projectFile,
  };
}

/**
 * Writes one setting of the user's file; undefined removes it. Throws `UsageError` for unknown names and
 * wrong values.
 */
export function writeSetting(directories: Directories, name: string, value: string | undefined): void {
  if (!isSettingName(name)) throw noSetting(name);
  const path = userFileIn(directories);
  const { [name]: _, ...others } = readSettingsFile(path, "user");
  const values =
    value === undefined ? others : { ...others, [name]: checked(name, value, `tool config set ${name}`) };
  writeJson(directories.config, USER_FILE, values);
}

export function isSettingName(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name);
}

/** Returns an origin as text: `--base-url`, `TOOL_BASE_URL`, a path, `default`. */
export function describeOrigin(origin: Origin): string {
  if ("name" in origin) return origin.name;
  return "path" in origin ? origin.path : "default";
}

/** Returns the directories by the platform's conventions; on Linux, those of XDG. */
export function userDirectories(): Directories {
  const { config, data, cache } = envPaths("toolplane", { suffix: "" });
  return { config, data, cache };
}

const FLAGS: Places = { baseUrl: "--base-url", project: "--project" };
const VARIABLES: Places = { baseUrl: "TOOL_BASE_URL", project: "TOOL_PROJECT", telemetry: "TOOL_TELEMETRY" };

/** Reads the settings in the environment. An empty variable counts as unset, as in shells and CI systems. */
function fromEnvironment(environment: SettingsOptions["environment"]): Values {
  const texts = Object.entries(VARIABLES).map(([name, variable]) => [
    name,
    environment[variable] || undefined,
  ]);
  return valuesFrom(Object.fromEntries(texts), VARIABLES);
}

function valuesFrom(texts: Partial<Record<SettingName, string | undefined>>, places: Places): Values {
  const given = SETTING_NAMES.filter((name) => texts[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, checked(name, texts[name], nameIn(places, name))]));
}

function nameIn(places: Places, name: SettingName): string {
  return places[name] ?? name;
}

function tokenFrom(environment: SettingsOptions["environment"]): string | undefined {
  const token = environment.TOOL_TOKEN?.trim();
  if (!token) return undefined;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError("TOOL_TOKEN holds characters that no token has.", "Copy it again, or unset it.");
  }
  return token;
}

/** Whether a variable is set to anything but 0 and false (https://consoledonottrack.com). */
function isSet(value: string | undefined): boolean {
  return Boolean(value) && value !== "0" && value?.toLowerCase() !== "false";
}

function userFileIn({ config }: Directories): string {
  return join(config, USER_FILE);
}
