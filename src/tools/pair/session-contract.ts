import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, isPrintable, UserId } from "../../contract/endpoint.ts";
import { isInGit } from "./in-git.ts";

/** Bounds of a session. Lengths are UTF-16 code units, as offsets are. */
export const MAX_FILES = 1000;
export const MAX_FILE_LENGTH = 1 << 20;
export const MAX_SESSION_LENGTH = 4 << 20;
const MAX_EDITS = 1000;
const MAX_PATH_LENGTH = 512;

export const Count = z.int().nonnegative();
export const Sequence = z.int().nonnegative();

const Role = z.enum(["driver", "navigator"]);
export type Role = z.infer<typeof Role>;

export const Participant = z.strictObject({ id: UserId, role: Role });
export type Participant = z.infer<typeof Participant>;

export const Path = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_PATH_LENGTH, `must have at most ${MAX_PATH_LENGTH} characters`)
  .refine(isPrintable, "must not hold control characters or lone surrogates")
  .refine(
    isRelative,
    'must be relative, with forward slashes and without "." and "..", such as "src/main.ts"',
  )
  .refine((path) => !isInGit(path), "must not lie in .git, from which git runs programs")
  .register(refinementRules, {
    rule: 'Relative, with forward slashes, without ".", "..", ".git" and control characters, such as `src/main.ts`.',
  });

export const Content = z.string().max(MAX_FILE_LENGTH, `must have at most ${MAX_FILE_LENGTH} characters`);

/** Replaces [`from`, `to`) by `insert`. */
export const Edit = z.strictObject({
  from: Count.describe("UTF-16 code units from the beginning"),
  to: Count,
  insert: z.string().max(MAX_FILE_LENGTH, `must have at most ${MAX_FILE_LENGTH} characters`),
});
export type Edit = z.infer<typeof Edit>;

export const Edits = z
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
  .register(refinementRules, {
    rule: "Sorted and without overlaps: each ends where it begins or behind that, begins where the one before ends or behind that, and removes or inserts something.",
  });

export const Change = z.object({
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

export const Session = z.object({
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

export const FileHead = z.object({
  path: z.string(),
  revision: Sequence.describe("The sequence of its latest change; 0 as it was uploaded"),
  length: Count.describe("UTF-16 code units"),
});
export type FileHead = z.infer<typeof FileHead>;

export const Following = Count.describe("Event streams that are open to it on this server");

export const RecentChange = z.object({
  ...Change.omit({ edits: true }).shape,
  inserted: Count.describe("UTF-16 code units"),
  removed: Count,
  lines: z
    .array(
      z.object({ line: z.int().positive(), removed: z.array(z.string()), inserted: z.array(z.string()) }),
    )
    .nullable()
    .describe(
      "At most 60 lines, each at most 300 characters of it; null where what it was made to is not kept",
    ),
});
export type RecentChange = z.infer<typeof RecentChange>;

named({
  RecentPairChange: RecentChange,
  PairSession: Session,
  PairParticipant: Participant,
  PairRole: Role,
  PairChange: Change,
  PairFile: FileHead,
  PairEdit: Edit,
  FilePath: Path,
});

/** Whether a path stays below the directory that it is written to, on any system. */
function isRelative(path: string): boolean {
  if (/[\\]|^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
