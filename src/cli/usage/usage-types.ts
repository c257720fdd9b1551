import type { RouteInput } from "../../client/routes.ts";

/** The types of usage. Not imported from the contract, which would load all of its schemas. */
export const USAGE_TYPES: readonly RouteInput<"POST /api/v1/track">["type"][] = [
  "api_calls",
  "agents_invoked",
  "skills_accessed",
  "workflows_started",
  "mcp_calls",
];
