import * as z from "zod";
import { named } from "../contract/components.ts";
import { At, endpoint, listOf, pageBehind, SearchTerm, UserId } from "../contract/endpoint.ts";

const Instant = z.iso.datetime({ offset: true });

const Changed = z.record(z.string(), z.unknown());

const AuditEntry = z.object({
  id: z.string(),
  at: At,
  accountId: z
    .string()
    .optional()
    .describe("Whose log it stands in; absent for what belongs to the instance"),
  actor: z
    .object({
      accountId: z.string().optional(),
      userId: z.string().optional(),
      name: z.string().optional().describe("As people knew them at that time"),
      credential: z
        .object({ kind: z.enum(["access_token", "api_key", "owner_key", "session"]), id: z.string() })
        .optional(),
      address: z.string().describe("Empty where the server acted by itself"),
      requestId: z.string(),
    })
    .describe("Without `userId`: nobody was signed in, or the server acted by itself"),
  action: z.string().describe("What was done, such as `key.created`"),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string().optional() }),
  outcome: z.enum(["done", "refused"]),
  before: Changed.optional().describe("Of what changed, and only that"),
  after: Changed.optional(),
});

named({ AuditEntry });

const AUDIT_FORMATS = {
  "text/csv": "`Accept: text/csv`",
  "application/jsonl": "`Accept: application/jsonl`: JSON lines",
} as const;

/** The filters of the audit log. The console's page takes the same ones. */
export const AuditQuestion = {
  action: z.string().trim().min(1).max(64).optional().describe("Exactly, such as `key.created`"),
  actor: UserId.optional().describe("The id of the user who did it"),
  target: UserId.optional().describe("The id of what it was done to"),
  outcome: z.enum(["done", "refused"]).optional(),
  since: Instant.optional(),
  until: Instant.optional().describe("Exclusive"),
  query: SearchTerm.optional().describe("Part of a name, an id, an address or an action, whatever its case"),
};

export const auditContract = {
  listAuditLog: endpoint({
    name: "auditLog.list",
    method: "GET",
    path: "/api/v1/audit-log",
    summary: "List who changed what, newest first",
    description: `For the admins of an account whose plan has the gate \`audit_logs\`, and for the operator. Entries are kept for
400 days, what strangers do or try for 30, and hold nothing secret. A page looks through 1,000 entries at most and may hold
fewer than \`limit\` although more follow: go on until there is no \`nextCursor\`. As CSV or JSON lines all that match come in
one answer.`,
    scope: "admin",
    lane: "control",
    formats: AUDIT_FORMATS,
    rules: [
      "`accountId` names another account, `instance` or `all` with the scope `operator` alone.",
      "`since` is before `until`.",
    ],
    input: z.strictObject({
      ...pageBehind(/^aud_\w+$/),
      ...AuditQuestion,
      accountId: UserId.optional().describe(
        "The caller's unless given; `instance`: what belongs to none; `all`: everything",
      ),
    }),
    output: listOf(AuditEntry),
  }),
};
