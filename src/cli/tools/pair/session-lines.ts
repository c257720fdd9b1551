import type { Context } from "../../context.ts";
import { number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { roles, type View } from "./roles.ts";

const MAX_CHANGES = 10;

export function sessionLines({ session, files, changes }: View, { io, clock }: Context): string[] {
  const { style } = io.out;
  const ago = (at: string) => relativeTime(at, clock.now());
  const state = session.endedAt
    ? `ended ${ago(session.endedAt)}`
    : `active, started ${ago(session.createdAt)}`;
  return [
    `${style.bold(session.title ?? session.id)}  ${style.dim(state)}`,
    roles(session, io.out),
    ...(files.length > 0
      ? [
          "",
          ...table(
            [
              { title: "File", shrink: true },
              { title: "Revision", align: "right" },
              { title: "Characters", align: "right" },
            ],
            files.map(({ path, revision, length }) => [path, number(revision), number(length)]),
            io.out,
          ),
        ]
      : []),
    ...(changes.length > 0
      ? [
          "",
          ...table(
            [
              { title: "Change", align: "right" },
              { title: "Author" },
              { title: "File", shrink: true },
              { title: "When", minor: true },
              { title: "Message", shrink: true },
            ],
            changes
              .slice(-MAX_CHANGES)
              .map(({ sequence, author, path, at, message = "" }) => [
                number(sequence),
                author,
                path,
                ago(at),
                message,
              ]),
            io.out,
          ),
        ]
      : []),
  ];
}
