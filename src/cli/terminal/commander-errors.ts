import type { CommanderError } from "commander";
import { didYouMean } from "../../contract/near-names.ts";
import { UsageError } from "../exit-codes.ts";

/** Whether it is an error of commander. Tests the code, since quick commands throw such errors without commander. */
export function isCommanders(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("commander.");
}

/** Commander's message about a wrong value of an argument or option, followed by the parser's message. */
const WRONG_VALUE =
  /^error: (?:command-argument value '(.*)' is invalid for argument '([^']*)'|option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid)\. ?(.*)$/s;

const CHOICES =
  /^(?:Allowed choices are|It must be one of|It must list some of) (.+?)(?:, with commas.*)?\.$/;

/** Converts a message such as `error: unknown command 'trac'\n(Did you mean track?)` to a `UsageError`. */
export function asUsageError({ message }: CommanderError): UsageError {
  const [, value, argument, option, ofOption = "", must = ""] = WRONG_VALUE.exec(message) ?? [];
  if (argument !== undefined || option !== undefined)
    return wrongValue(value ?? ofOption, option ?? `<${argument}>`, must);
  const [first = "", suggestion = ""] = message.replace(/^error: /, "").split("\n");
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, "");
  // Of several, commander writes "(Did you mean one of a, b?)".
  const meant = suggestion.match(/^\((Did you mean .+\?)\)$/)?.[1];
  return new UsageError(`${sentence}.`, meant);
}

function wrongValue(value: string, place: string, must: string): UsageError {
  const [, listed = ""] = CHOICES.exec(must) ?? [];
  const choices = listed.split(", ");
  const wrong = value.split(",").find((each) => !choices.includes(each)) ?? value;
  const message = `"${value}" is not valid for ${place}. ${must.replace("Allowed choices are", "It must be one of")}`;
  return new UsageError(message.trim(), (listed && didYouMean(wrong, choices)) || undefined);
}
