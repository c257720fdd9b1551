import type { UsageType } from "../../../metering/contract.ts";

/** The labels of the types. */
export const NAMES: Readonly<Record<UsageType, string>> = {
  api_calls: "API calls",
  agents_invoked: "Agents invoked",
  skills_accessed: "Skills accessed",
  workflows_started: "Workflows started",
  mcp_calls: "MCP calls",
};
