import { ACCOUNT } from "./account.ts";
import { ALERTS } from "./alerts.ts";
import type { Sent } from "./place.ts";
import { PROJECTS } from "./projects.ts";
import { SERVER } from "./server.ts";
import { WAYS_IN } from "./ways-in.ts";

/** Forms that change something, by path and action. Those without a action are named by their fields. */
export const FORMS: Record<string, Sent> = { ...WAYS_IN, ...ACCOUNT, ...PROJECTS, ...ALERTS, ...SERVER };

/** Paths whose forms leave no entry, and why. */
export const NOT_NOTED: Record<string, string> = {
  "/sign-in/link": "asks for a letter: who comes by its link is noted",
  "/sign-in/with/:name": "leads to a provider: who comes back is noted",
  "/passkeys/ask": "asks for a challenge: who answers it is noted",
  "/memories": "data of a tool",
  "/errors": "data of a tool",
  "/anomalies": "data of a tool",
  "/diagnoses": "data of a tool",
  "/pair": "data of a tool",
};
