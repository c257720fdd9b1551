import * as z from "zod";
import { At, endpoint, listOf, pageBehind, UserId } from "../../contract/endpoint.ts";

const RegisteredClient = z.object({
  id: z.string(),
  name: z.string().describe("What it calls itself, which nobody has verified"),
  redirectUris: z.array(z.string()),
  createdAt: At,
  lastUsedAt: At.optional().describe("To a day; absent: never"),
});

export const clientsContract = {
  listClients: endpoint({
    name: "clients.list",
    method: "GET",
    path: "/api/v1/clients",
    summary: "List the OAuth clients that registered themselves",
    description: "Oldest first.",
    scope: "operator",
    lane: "control",
    input: z.strictObject(pageBehind(/^dcr_\w+$/)),
    output: listOf(RegisteredClient),
  }),
  revokeClient: endpoint({
    name: "clients.revoke",
    method: "DELETE",
    path: "/api/v1/clients/{clientId}",
    summary: "Revoke an OAuth client that registered itself",
    description: "It can ask nobody any more, and everybody who has signed in to it is signed out at once.",
    scope: "operator",
    errors: ["not_found"],
    lane: "control",
    status: 204,
    input: z.strictObject({ clientId: UserId }),
    output: z.object({}),
  }),
};
