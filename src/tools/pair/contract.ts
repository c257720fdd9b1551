import * as z from "zod";
import { refinementRules } from "../../contract/components.ts";
import { endpoint, listOf, Name, Page, pageBehind, UserId } from "../../contract/endpoint.ts";
import {
  Change,
  Content,
  Count,
  Edits,
  FileHead,
  Following,
  MAX_FILES,
  MAX_SESSION_LENGTH,
  Participant,
  Path,
  RecentChange,
  Sequence,
  Session,
} from "./session-contract.ts";

/** Size of a request with a file or all files of a session, including JSON escapes. It is parsed on the main thread. */
const MAX_BODY_BYTES = 8 << 20;
const MAX_PARTICIPANTS = 200;

const since = z.coerce.number<number>().int().nonnegative();
const sessionId = UserId;

const ROOT = "/api/v1/tools/pair/session";

export const pairContract = {
  start: endpoint({
    name: "pair.start",
    method: "POST",
    path: ROOT,
    summary: "Start a session of pair programming",
    description: `At least one participant drives. At most ${MAX_FILES} files, each of at most 1,048,576 UTF-16
code units, 4,194,304 together. Contents are kept to the letter: line endings, NUL and lone surrogates too.`,
    scope: "write",
    errors: ["conflict"],
    idempotent: true,
    maxBodyBytes: MAX_BODY_BYTES,
    status: 201,
    example: { participants: [{ id: "ada", role: "driver" }], files: [{ path: "a.ts", content: "let a;" }] },
    input: z.strictObject({
      title: Name.optional(),
      participants: z
        .array(Participant)
        .min(1, "must hold a participant")
        .max(MAX_PARTICIPANTS, `must hold at most ${MAX_PARTICIPANTS} participants`)
        .superRefine((participants, context) => {
          unique(participants, ({ id }) => id, context, "takes part already");
          if (participants.length > 0 && !participants.some(({ role }) => role === "driver")) {
            context.addIssue({ code: "custom", message: "must hold a driver" });
          }
        })
        .register(refinementRules, { rule: "No two have the same `id`, and at least one drives." }),
      files: z
        .array(z.strictObject({ path: Path, content: Content }))
        .max(MAX_FILES, `must hold at most ${MAX_FILES} files`)
        .superRefine((files, context) => {
          unique(files, ({ path }) => path, context, "is there already", "path");
          if (files.reduce((sum, { content }) => sum + content.length, 0) > MAX_SESSION_LENGTH) {
            context.addIssue({
              code: "custom",
              message: `must have at most ${MAX_SESSION_LENGTH} characters together`,
            });
          }
        })
        .register(refinementRules, {
          rule: `No two have the same \`path\`; at most ${MAX_SESSION_LENGTH} UTF-16 code units together.`,
        })
        .default([]),
    }),
    output: z.object({ session: Session, files: z.array(FileHead) }),
  }),

  list: endpoint({
    name: "pair.list",
    method: "GET",
    path: ROOT,
    summary: "List sessions, the latest first",
    scope: "read",
    input: z.strictObject({ state: z.enum(["active", "ended"]).optional(), ...pageBehind(/^pair_\w+$/) }),
    output: listOf(
      z.object({
        session: Session,
        files: Count,
        length: Count.describe("Of all files, in UTF-16 code units"),
        following: Following,
      }),
    ),
  }),

  recent: endpoint({
    name: "pair.recent",
    method: "GET",
    path: `${ROOT}/{sessionId}/recent`,
    summary: "Show the latest changes of a session as lines",
    description: "Newest first, of one file if `path` names it; without the contents of the files.",
    scope: "read",
    errors: ["not_found"],
    input: z.strictObject({
      sessionId,
      path: Path.optional(),
      limit: z.coerce.number<number>().int().min(1).max(50).default(10),
      cursor: Page.cursor,
    }),
    output: z.object({
      session: Session,
      following: Following,
      files: z.array(FileHead).describe("The one that was changed last first"),
      items: z.array(RecentChange),
      nextCursor: z.string().optional(),
    }),
  }),

  show: endpoint({
    name: "pair.show",
    method: "GET",
    path: `${ROOT}/{sessionId}`,
    summary: "Show a session, its files and what changed",
    description: `\`changes\` are those after \`since\`, or all that are kept. Applied in order to the file as it was at
\`since\`, they give \`content\`. If \`since\` is older than what is kept: 409 \`invalid_state\`, with
\`oldestRevision\`. \`path\` asks for only one file and its changes.`,
    scope: "read",
    errors: ["not_found", "invalid_state", "unprocessable"],
    input: z.strictObject({
      sessionId,
      since: since.optional().describe("A sequence"),
      path: Path.optional(),
    }),
    output: z.object({
      session: Session,
      files: z.array(z.object({ ...FileHead.shape, content: z.string() })),
      changes: z.array(Change),
    }),
  }),

  change: endpoint({
    name: "pair.change",
    method: "POST",
    path: `${ROOT}/{sessionId}/change`,
    summary: "Record a change of a file",
    description: `All \`edits\` are against the content at \`baseRevision\`: the file's \`revision\`, or any \`sequence\` of the
session that the author had seen. The edits are moved over what came between (operational transformation); of
two insertions at the same place the earlier comes first. Edits that touch the same text are 409 \`conflict\`
with both sides, \`theirs\` and \`yours\`, against the same text. \`baseRevision\` 0 of an unknown path makes
the file. Driver and navigators may change.`,
    scope: "write",
    errors: ["not_found", "conflict", "invalid_state", "unprocessable"],
    idempotent: true,
    maxBodyBytes: MAX_BODY_BYTES,
    status: 201,
    example: {
      sessionId: "pair_example",
      author: "ada",
      path: "a.ts",
      baseRevision: 0,
      edits: [{ from: 0, to: 3, insert: "const" }],
    },
    input: z.strictObject({
      sessionId,
      author: UserId.describe("A participant"),
      path: Path,
      baseRevision: Sequence,
      edits: Edits,
      message: Name.optional(),
    }),
    output: z.object({ change: Change, revision: Sequence, rebased: z.boolean() }),
  }),

  handoff: endpoint({
    name: "pair.handoff",
    method: "POST",
    path: `${ROOT}/{sessionId}/handoff`,
    summary: "Let a navigator drive, and the driver navigate",
    description: "`from` and `to` may be left out where there is one driver, or one navigator.",
    scope: "write",
    errors: ["not_found", "invalid_state", "unprocessable"],
    idempotent: true,
    example: { sessionId: "pair_example", from: "ada", to: "grace" },
    input: z.strictObject({
      sessionId,
      from: UserId.optional().describe("A driver"),
      to: UserId.optional().describe("A navigator"),
    }),
    output: z.object({ session: Session }),
  }),

  end: endpoint({
    name: "pair.end",
    method: "POST",
    path: `${ROOT}/{sessionId}/end`,
    summary: "End a session",
    description: "It can be read from then on, and not changed. Ending it again answers the same.",
    scope: "write",
    errors: ["not_found"],
    destructive: true,
    idempotent: true,
    input: z.strictObject({ sessionId }),
    output: z.object({ session: Session }),
  }),

  events: endpoint({
    name: "pair.events",
    method: "GET",
    path: `${ROOT}/{sessionId}/events`,
    summary: "Follow a session as server-sent events",
    description: `\`session\` first and whenever roles or state change, \`change\` for each change after \`since\`, or
from now on without it. Each event's id is the sequence up to which everything was sent: \`Last-Event-ID\` goes on
behind it. Comments keep the connection alive. The stream ends with the session, at shutdown and when the credential
is revoked; 204 where the session has ended and nothing is left to send, so that an EventSource stops asking.`,
    scope: "read",
    errors: ["not_found", "invalid_state", "unprocessable"],
    otherwise: { 204: "The session has ended and nothing is left to send." },
    eventStream: true,
    input: z.strictObject({ sessionId, since: since.optional().describe("A sequence") }),
    output: z.union([Session, Change]),
  }),
};

function unique<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  context: z.RefinementCtx,
  message: string,
  ...member: string[]
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) context.addIssue({ code: "custom", path: [index, ...member], message });
    seen.add(key);
  }
}
