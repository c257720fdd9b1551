import { BadBaseUrl } from "../../client/errors.ts";
import { normaliseBaseUrl } from "../../client/transport/base-url.ts";
import { didYouMean } from "../../contract/near-names.ts";
import { UsageError } from "../exit-codes.ts";

export interface SettingValues {
  baseUrl: string;
  project: string;
  telemetry: "on" | "off";
  /** Whether to announce newer versions. */
  updateNotice: "on" | "off";
}

export type SettingName = keyof SettingValues;
export const SETTING_NAMES = [
  "baseUrl",
  "project",
  "telemetry",
  "updateNotice",
] as const satisfies readonly SettingName[];

/** @param where the place that names it, such as the path of a file; empty for the command itself */
export function noSetting(name: string, where = ""): UsageError {
  const next = didYouMean(name, SETTING_NAMES) || `The settings are ${SETTING_NAMES.join(", ")}.`;
  return new UsageError(`${where && `${where}: `}"${name}" is no setting.`, next);
}

/** Returns the value of a setting in its normal form. Throws `UsageError` that names `place`. */
export function checked(name: SettingName, value: unknown, place: string): SettingValues[SettingName] {
  switch (name) {
    case "baseUrl":
      return baseUrl(value, place);
    case "project":
      return project(value, place);
    case "telemetry":
    case "updateNotice":
      return onOrOff(name, value, place);
  }
}

function baseUrl(value: unknown, place: string): string {
  try {
    return normaliseBaseUrl(String(value));
  } catch (error) {
    throw error instanceof BadBaseUrl ? new UsageError(`${place}: ${error.message}`) : error;
  }
}

function project(value: unknown, place: string): string {
  const id = typeof value === "string" ? value.trim() : "";
  const sound = id.length >= 1 && id.length <= 256 && !/\p{Cc}/u.test(id);
  if (sound && id.isWellFormed()) return id;
  throw new UsageError(`${place}: a project has 1 to 256 characters and no control characters.`);
}

function onOrOff(name: string, value: unknown, place: string): "on" | "off" {
  if (value === "on" || value === true || value === "true" || value === "1") return "on";
  if (value === "off" || value === false || value === "false" || value === "0") return "off";
  throw new UsageError(`${place}: ${name} is on or off.`);
}
