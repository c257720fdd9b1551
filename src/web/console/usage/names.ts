import type { UsageType } from "../../../metering/contract.ts";
import { grouped } from "../../../text/grouped.ts";

/** The labels of the types. */
export const NAMES: Readonly<Record<UsageType, string>> = {
  api_calls: "API calls",
  agents_invoked: "Agents invoked",
  skills_accessed: "Skills accessed",
  workflows_started: "Workflows started",
  mcp_calls: "MCP calls",
};

/** Returns a label for the middle of a sentence: `agents invoked`, but `API calls`. */
export function nameInSentence(type: UsageType): string {
  return NAMES[type].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Returns a limit of uses: `1,000 MCP calls a month`. */
export function usesAMonth(type: UsageType, most: number): string {
  return `${grouped(most)} ${nameInSentence(type)} a month`;
}
