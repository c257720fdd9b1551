import { Argument, type Option } from "commander";
import { type Asking, type Choice, SOURCES, type Source } from "./choice-sources.ts";
import type { Context } from "./context.ts";

/** The source of choices for the name of an argument or option. */
const NAMES: Readonly<Record<string, keyof typeof SOURCES>> = {
  key: "key",
  user: "user",
  userId: "user",
  deviceId: "device",
  clientId: "client",
  "--user": "user",
  "--actor": "user",
  projectId: "project",
  "--project": "project",
  "--only-project": "project",
  upstream: "upstream",
  "--plan": "plan",
  "--tool": "tool",
  "--by": "dimensions",
  accountId: "account",
  "--account": "account",
  "--base-url": "server",
  accountOrServer: "signIn",
  settingValue: "settingValue",
  anomalyId: "anomaly",
  webhook: "webhook",
  alert: "alert",
  session: "session",
  memoryId: "memory",
  diagnosisId: "diagnosis",
  failure: "diagnosis",
  fingerprint: "error",
  bundleId: "sourceMaps",
  model: "model",
};

/** Whether the possible values are known to the command, the server or this machine. */
export function hasChoices(place: Argument | Option): boolean {
  return place.argChoices !== undefined || sourceOf(place) !== undefined;
}

/** Returns the possible values; none if they are unknown, the server does not answer, or it is not trusted. */
export async function choicesOf(
  place: Argument | Option,
  context: Context,
  asking: Asking,
): Promise<Choice[]> {
  if (place.argChoices) return place.argChoices.map((value) => ({ value, description: "" }));
  const source = sourceOf(place);
  if (!source) return [];
  try {
    return context.trust.refusal() ? [] : await source(context, asking);
  } catch {
    // The command itself reports the error.
    return [];
  }
}

function sourceOf(place: Argument | Option): Source | undefined {
  const name = place instanceof Argument ? place.name() : (place.long ?? "");
  const source = NAMES[name];
  return source && SOURCES[source];
}
