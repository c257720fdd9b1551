import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextFile } from "../../system/files/text-file.ts";
import { isObject } from "../../system/is-object.ts";
import { UsageError } from "../exit-codes.ts";
import { checked, noSetting, SETTING_NAMES, type SettingValues } from "./setting-values.ts";

const MAX_BYTES = 64 * 1024;

/** Returns the nearest `.tool.json` from `directory` upwards. */
export function nearestProjectFile(directory: string): string | undefined {
  const path = join(directory, ".tool.json");
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  const parent = dirname(directory);
  return parent === directory ? undefined : nearestProjectFile(parent);
}

/** Returns the settings in a file; none if it does not exist. Throws `UsageError` that names the file. */
export function readSettingsFile(path: string, kind: "project" | "user"): Partial<SettingValues> {
  const members = Object.entries(parse(path));
  for (const [name, value] of members) refuseCredential(path, name, value);
  const known: readonly string[] = SETTING_NAMES;
  const unknown = members.find(([name]) => !known.includes(name));
  if (unknown) throw noSetting(unknown[0], path);
  const values: Partial<SettingValues> = Object.fromEntries(
    members.map(([name, value]) => [name, checked(name as keyof SettingValues, value, `${path}, ${name}`)]),
  );
  for (const name of ["telemetry", "updateNotice"] as const) {
    if (kind === "project" && values[name] === "on") {
      throw new UsageError(
        `${path}: a project may turn ${name} off, not on.`,
        `Remove ${name} from that file; each user decides with \`tool config set ${name}\`.`,
      );
    }
  }
  return values;
}

function parse(path: string): object {
  let text: string;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    // A directory, as a container's mount makes it, or a pipe, which nobody may ever write to.
    if (stats?.isFile() === false) throw new UsageError(`${path} is not a file.`, "Move it away.");
    if ((stats?.size ?? 0) > MAX_BYTES) {
      throw new UsageError(`${path} is larger than any settings are.`, "Mend it or remove it.");
    }
    text = readTextFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return {};
    throw error;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // Without the parser's message, which quotes the file.
    throw new UsageError(`${path} is not valid JSON.`, "Mend it or remove it.");
  }
  if (isObject(content)) return content;
  throw new UsageError(`${path} must hold one JSON object.`, "Mend it or remove it.");
}

/** Throws for a credential, since settings files are committed, copied and printed. */
function refuseCredential(path: string, name: string, value: unknown): void {
  const secret = typeof value === "string" && /\b(tat|trt|tak)_\w{16}/.test(value);
  if (!secret && !/token|secret|password|credential|api[-_]?key/i.test(name)) return;
  throw new UsageError(
    `${path}: "${name}" is a credential, which must not be in a settings file.`,
    "Remove it, revoke it if others can read that file, and run `tool login` or set TOOL_TOKEN.",
  );
}
