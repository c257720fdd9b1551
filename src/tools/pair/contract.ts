import { z } from "zod";
import { inWords, named } from "../../contract/components.ts";
import { At, endpoint, isPrintable, Name, UserId } from "../../contract/endpoint.ts";

/** What a session may hold. Lengths are UTF-16 code units, as offsets are. */
export const MAX_FILES = 1000;
export const MAX_FILE_LENGTH = 1 << 20;
export const MAX_SESSION_LENGTH = 4 << 20;
/** Of a file or of all files of a session, with what JSON escapes: parsed on the main thread. */
const MAX_BODY_BYTES = 8 << 20;
const MAX_PARTICIPANTS = 200;
const MAX_EDITS = 1000;
const MAX_PATH_LENGTH = 512;

const Count = z.int().nonnegative();
const Sequence = z.int().nonnegative();

const Role = z.enum(["driver", "navigator"]);
export type Role = z.infer<typeof Role>;

const Participant = z.strictObject({ id: UserId, role: Role });
export type Participant = z.infer<typeof Participant>;

const Path = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_PATH_LENGTH, `must have at most ${MAX_PATH_LENGTH} characters`)
  .refine(isPrintable, "must not hold control characters or lone surrogates")
  .refine(
    isRelative,
    'must be relative, with forward slashes and without "." and "..", such as "src/main.ts"',
  )
  .register(inWords, {
    rule: 'Relative, with forward slashes, without "." and ".." and control characters, such as `src/main.ts`.',
  });

const Content = z.string().max(MAX_FILE_LENGTH, `must have at most ${MAX_FILE_LENGTH} characters`);

/** Replaces [`from`, `to`) by `insert`. */
export const Edit = z.strictObject({
  from: Count.describe("UTF-16 code units from the beginning"),
  to: Count,
  insert: z.string().max(MAX_FILE_LENGTH, `must have at most ${MAX_FILE_LENGTH} characters`),
});
export type Edit = z.infer<typeof Edit>;

const Edits = z
  .array(Edit)
  .min(1, "must hold an edit")
  .max(MAX_EDITS, `must hold at most ${MAX_EDITS} edits`)
  .superRefine((edits, context) => {
    let end = Number.NEGATIVE_INFINITY;
    for (const [index, { from, to, insert }] of edits.entries()) {
      const fault =
        to < from
          ? `ends at ${to}, before it begins at ${from}`
          : from < end
            ? `begins at ${from}, before the edit ahead of it ends at ${end}: edits are sorted and do not overlap`
            : to === from && insert === ""
              ? "neither removes nor inserts anything"
              : undefined;
      if (fault) context.addIssue({ code: "custom", path: [index], message: fault });
      end = to;
    }
  })
  .register(inWords, {
    rule: "Sorted and without overlaps: each ends where it begins or behind that, begins where the one before ends or behind that, and removes or inserts something.",
  });

const Change = z.object({
  sequence: Sequence,
  author: z.string(),
  role: Role.describe("The author's at that time"),
  path: z.string(),
  edits: z.array(Edit).describe("Against the file as the change before left it"),
  baseRevision: Sequence.describe("As it was sent"),
  rebased: z.boolean().describe("The edits were moved over what came between"),
  message: z.string().optional(),
  at: At,
});
export type Change = z.infer<typeof Change>;

const Session = z.object({
  id: z.string(),
  title: z.string().optional(),
  state: z.enum(["active", "ended"]),
  participants: z.array(z.object({ id: z.string(), role: Role })),
  sequence: Sequence.describe("Of the latest change; 0 before the first"),
  oldestSequence: Sequence.describe("Of the oldest change that is kept"),
  createdAt: At,
  updatedAt: At,
  endedAt: At.optional(),
});
export type Session = z.infer<typeof Session>;

const FileHead = z.object({
  path: z.string(),
  revision: Sequence.describe("The sequence of its latest change; 0 as it was uploaded"),
  length: Count.describe("UTF-16 code units"),
});
export type FileHead = z.infer<typeof FileHead>;

named({
  PairSession: Session,
  PairParticipant: Participant,
  PairRole: Role,
  PairChange: Change,
  PairFile: FileHead,
  PairEdit: Edit,
  FilePath: Path,
});

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
        .register(inWords, { rule: "No two have the same `id`, and at least one drives." }),
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
        .register(inWords, {
          rule: `No two have the same \`path\`; at most ${MAX_SESSION_LENGTH} UTF-16 code units together.`,
        })
        .default([]),
    }),
    output: z.object({ session: Session, files: z.array(FileHead) }),
  }),

  show: endpoint({
    name: "pair.show",
    method: "GET",
    path: `${ROOT}/{sessionId}`,
    summary: "Show a session, its files and what changed",
    description: `\`changes\` are those after \`since\`, or all that are kept. Applied in their order to the file
as it was at \`since\`, they give \`content\`. Where \`since\` is older than what is kept: 409 \`invalid_state\`, with
\`oldestRevision\`. \`path\` asks for one file alone and its changes.`,
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
    description: `All \`edits\` are against the content at \`baseRevision\`: the file's \`revision\`, or any
\`sequence\` of the session that the author had seen. What came between is taken into account by moving the edits
(operational transformation); of two insertions at the same place the earlier one stands first. Edits that touch the
same text are 409 \`conflict\` with both sides, \`theirs\` and \`yours\`, against the same text. \`baseRevision\` 0 of
an unknown path makes the file. Driver and navigators may change.`,
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

/** What is written where it says, below the directory that somebody chose, on any system. */
function isRelative(path: string): boolean {
  if (/[\\]|^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
