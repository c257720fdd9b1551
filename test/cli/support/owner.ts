import { OWNER_KEY, startApp } from "../../support/app.ts";
import { user } from "./tool.ts";

/** Returns a user of the real program who is signed in as the owner of a running server. */
export function ownerOf({ url }: { url: string }, environment: Record<string, string> = {}) {
  return user({ TOOL_BASE_URL: url, TOOL_TOKEN: OWNER_KEY, ...environment });
}

/** Starts a server, and returns it with a user who is signed in as its owner. */
export async function startOwner(
  options: Parameters<typeof startApp>[0] = {},
  environment: Record<string, string> = {},
) {
  const app = await startApp(options);
  return { app, ...ownerOf(app, environment) };
}
