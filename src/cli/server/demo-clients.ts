import { createApiClient } from "../../client/api-client.ts";
import { type DevicePrompt, deviceLogin } from "../../client/sign-in/device-login.ts";
import type { Context } from "../context.ts";
import { inMemory } from "../sign-in/in-memory-credential.ts";
import { CLIENT_ID } from "../sign-in/signed-in.ts";
import { USER_AGENT } from "../version.ts";

/** Returns the clients of a demo's server: its owner's, and that of a user, who has still to sign in. */
export function demoClients(
  { clock, random, io }: Context,
  { ownerKey, ...at }: { baseUrl: string; ownerKey: string; projectId?: string },
) {
  const credentials = inMemory();
  const shared = { ...at, clock, random, userAgent: USER_AGENT };
  const api = createApiClient({ ...shared, credentials });
  const owner = createApiClient({ ...shared, credentials: inMemory({ accessToken: ownerKey }) });

  /** Signs the user in with a code, which the owner approves as a person would in a browser. */
  async function signIn(show: (prompt: DevicePrompt) => void): Promise<void> {
    for await (const state of deviceLogin({ api, clock, clientId: CLIENT_ID, signal: io.interrupted })) {
      if (state.kind === "prompt") {
        show(state.prompt);
        const { userCode } = state.prompt;
        await owner.call("POST /api/v1/device-authorizations/{userCode}", { userCode, decision: "approve" });
      }
      if (state.kind === "approved") await credentials.write(state.credential);
    }
  }
  return { api, owner, credentials, signIn };
}
