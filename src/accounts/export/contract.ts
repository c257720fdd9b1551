import * as z from "zod";
import { named } from "../../contract/components.ts";
import { endpoint, listOf, UserId } from "../../contract/endpoint.ts";

const ExportedDocument = z.object({
  collection: z.string(),
  accountId: z.string().optional().describe("Of a person's data: the account it is kept in"),
  projectId: z.string().optional(),
  id: z.string(),
  value: z.unknown(),
});

named({ ExportedDocument });

const Cursor = z.string().max(2048).optional();

export const exportContract = {
  exportAccount: endpoint({
    name: "account.export",
    method: "GET",
    path: "/api/v1/account/export",
    summary: "Take everything along that the account keeps",
    description: `For owners, and of any account for operators. Every document of the account and its projects, but nothing
secret, in pages of about 1 MiB. A page may be empty although more follow: go on until there is no \`nextCursor\`. It stands
in the account's audit log, and in that of the operator's.`,
    scope: "admin",
    lane: "control",
    errors: ["overloaded", "not_found"],
    rules: ["`accountId` names another account with the scope `operator` alone."],
    input: z.strictObject({
      accountId: UserId.optional().describe("The caller's unless given"),
      cursor: Cursor,
    }),
    output: listOf(ExportedDocument),
  }),
  exportPerson: endpoint({
    name: "people.export",
    method: "GET",
    path: "/api/v1/people/export",
    summary: "Take along what is kept of one person",
    description: `Your own data, in the account that you are signed in to. For operators, with \`person\`, anybody's in all
accounts. It is the person with their ways in, and in each account their user, keys, devices, browsers, settings and usage,
the audit entries by and about them, and the documents of its projects that hold their address or one of their ids.
Nothing secret. Pages as in \`GET /api/v1/account/export\`; it stands in the audit log. An API key exports nobody but with
\`person\`.`,
    scope: "read",
    lane: "control",
    errors: ["overloaded", "not_found"],
    rules: ["`person` needs the scope `operator`."],
    input: z.strictObject({
      person: UserId.optional().describe("An e-mail address, or the id of a person or a user"),
      cursor: Cursor,
    }),
    output: listOf(ExportedDocument),
  }),
};
