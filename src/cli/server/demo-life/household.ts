import { iso } from "../../../system/clock.ts";
import { DAY_MS, DAY_S } from "../../../system/durations.ts";
import { type Actor, actorOf, comeBy, type Signed, type Stage } from "./actors.ts";
import { type AccountRole, BY_HAND, type Character, type KeyRole } from "./cast.ts";
import type { Chance } from "./chance.ts";
import { usesOfDay } from "./usage.ts";

/** An existing key, and the caller that uses it. */
interface Program {
  role: KeyRole;
  id: string;
  actor: Actor;
}

/** The state of an account of the demo, and the events of a day in it. */
export interface Household {
  readonly accountId: string;
  /** The users who are signed in, by name; the owner first. */
  readonly people: ReadonlyMap<string, Signed>;
  /** The ids of all users by name, including those who have not signed in. */
  readonly userIds: ReadonlyMap<string, string>;
  readonly programs: readonly Program[];
  /** Invites, signs in, changes and removes the users of the day. */
  meet(day: number): Promise<void>;
  /** Creates, changes and ends the keys of the day. */
  keep(day: number): Promise<void>;
  /** Records everyone's usage of the day that begins at `at`, up to `until`. */
  use(day: number, at: number, until: number): Promise<void>;
}

const SCOPES = { viewer: "read", member: "read write", admin: "read write admin", owner: "read write admin" };
const SUSPENDED_ON = 50;
const REMOVED_ON = 47;

/** @param owner the account's owner, who is signed in already. */
export function householdOf(
  stage: Stage,
  { cast, owner, chance, seat }: { cast: AccountRole; owner: Signed; chance: Chance; seat: number },
): Household {
  const [first] = cast.people as [Character, ...Character[]];
  const people = new Map([[first.name, owner]]);
  const userIds = new Map([[first.name, owner.userId]]);
  const invitations = new Map<string, string>();
  const programs: Program[] = [];
  /** Returns the address of a person's own machine, from the networks for documentation (RFC 5737). */
  const addressOf = (name: string) =>
    `198.51.100.${100 + seat * 40 + cast.people.findIndex((each) => each.name === name)}`;

  async function come(name: string, role: Character["role"]): Promise<void> {
    const link = invitations.get(name);
    if (link === undefined) return;
    people.set(name, await comeBy(stage, link, SCOPES[role], addressOf(name)));
  }

  async function makeKey(role: KeyRole): Promise<void> {
    const maker = people.get(role.by)?.api ?? owner.api;
    const { key, secret } = await maker.call("POST /api/v1/keys", {
      name: role.name,
      scopes: role.scopes,
      projectId: role.boundTo,
    });
    programs.push({ role, id: key.id, actor: asking(role, secret) });
  }

  function asking(role: KeyRole, secret: string): Actor {
    return actorOf(stage, { accessToken: secret, address: role.address, projectId: role.projectId });
  }

  async function changeKey(program: Program, day: number): Promise<void> {
    const { role, id } = program;
    const { api } = owner;
    if (day === role.rotatedOn) {
      const input = { keyId: id, overlapSeconds: 7 * DAY_S };
      const { secret } = await api.call("POST /api/v1/keys/{keyId}/rotate", input);
      program.actor = asking(role, secret);
    }
    if (day === role.day + 1 && role.expiresIn !== undefined) {
      const expiresAt = inDays(61 - day + role.expiresIn);
      await api.call("PATCH /api/v1/keys/{keyId}", { keyId: id, expiresAt });
    }
    if (day !== role.until) return;
    if (role.end === "revoked") await api.call("DELETE /api/v1/keys/{keyId}", { keyId: id });
    if (role.end === "expired") {
      await api.call("PATCH /api/v1/keys/{keyId}", { keyId: id, expiresAt: inDays(1) });
    }
  }

  function inDays(days: number): string {
    return iso(stage.clock.now() + days * DAY_MS);
  }

  return {
    accountId: owner.accountId,
    people,
    userIds,
    programs,

    async meet(day) {
      for (const { name, role, state, ...character } of cast.people) {
        if (character.day === day && !people.has(name)) {
          const email = `${name}@${cast.domain}`;
          const invited = await owner.api.call("POST /api/v1/users", { email, role });
          userIds.set(name, invited.user.id);
          if (invited.signInLink !== undefined) invitations.set(name, invited.signInLink);
        }
        if (character.day + 1 === day && state !== "waiting") await come(name, role);
        const userId = userIds.get(name);
        if (userId === undefined) continue;
        if (day === SUSPENDED_ON && state === "suspended") {
          await owner.api.call("PATCH /api/v1/users/{userId}", { userId, suspended: true });
          people.delete(name);
        }
        if (day === REMOVED_ON && state === "gone") {
          await owner.api.call("DELETE /api/v1/users/{userId}", { userId });
          people.delete(name);
          userIds.delete(name);
        }
      }
    },

    async keep(day) {
      for (const role of cast.keys) if (role.day === day) await makeKey(role);
      for (const program of programs) await changeKey(program, day);
    },

    async use(day, at, until) {
      const batches = [
        ...programs
          .filter(({ role }) => role.perDay > 0 && (role.until === undefined || day < role.until))
          .map(({ role, actor }) => {
            const perDay = role.perDay * (1 + ((role.growth ?? 0) * day) / 60);
            return { actor, events: usesOfDay({ ...role, perDay }, at, until, chance) };
          }),
        ...cast.people.flatMap(({ name, perDay = 0 }) => {
          const actor = people.get(name);
          if (!actor || perDay === 0) return [];
          return [
            { actor, events: usesOfDay({ perDay, rhythm: "office", uses: BY_HAND }, at, until, chance) },
          ];
        }),
      ];
      await Promise.all(
        batches.map(async ({ actor, events }) => {
          if (events.length > 0) await actor.count(events);
        }),
      );
    },
  };
}
