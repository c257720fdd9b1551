import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import type { Participant, Role } from "./contract.ts";
import { type SessionDocument, sessions } from "./documents.ts";

export async function requireSession(tx: Transaction, space: Space, id: string): Promise<SessionDocument> {
  const session = await tx.get(sessions, space, id);
  if (session) return session;
  throw new Problem("not_found", `There is no session "${id}" in this project.`);
}

export function requireActive({ endedAt }: SessionDocument): void {
  if (endedAt === undefined) return;
  throw new Problem("invalid_state", "This session has ended. Start another to go on.");
}

/**
 * The roles after `to`, a navigator, has taken over from `from`, a driver. Where there is only one of
 * a kind it need not be named.
 */
export function handedOff(
  participants: readonly Participant[],
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Participant[] {
  const driver = pick(participants, "driver", "from", from);
  const navigator = pick(participants, "navigator", "to", to);
  return participants.map(({ id, role }) => {
    if (id === driver) return { id, role: "navigator" };
    return id === navigator ? { id, role: "driver" } : { id, role };
  });
}

function pick(
  participants: readonly Participant[],
  role: Role,
  member: string,
  named: string | undefined,
): string {
  const all = participants.filter((participant) => participant.role === role).map(({ id }) => id);
  if (named !== undefined && all.includes(named)) return named;
  const [only, ...others] = all;
  if (named === undefined && only !== undefined && others.length === 0) return only;
  const names = all.slice(0, 10).map((id) => `"${id}"`);
  const message =
    names.length === 0
      ? `there is no ${role} in this session`
      : named === undefined
        ? `must name one of the ${role}s, ${names.join(", ")}`
        : `"${named}" is no ${role}; there is ${names.join(", ")}`;
  throw new Problem("unprocessable", `"${member}": ${message}.`, { errors: [{ path: member, message }] });
}
