import type { Handlers, Output } from "../../contract/endpoint.ts";
import { iso } from "../../system/clock.ts";
import type { Closing } from "../closing/closing.ts";
import type { User } from "../model.ts";
import { viewed } from "../page.ts";
import { checkSignsIn, inPerson, wholeAccount } from "../whole-account.ts";
import type { usersContract } from "./contract.ts";
import { statusOf } from "./status.ts";
import type { Users } from "./users.ts";

export interface UsersHandlersPorts {
  users: Users;
  closing: Closing;
}

export function usersHandlers({ users, closing }: UsersHandlersPorts): Handlers<typeof usersContract> {
  return {
    async listUsers(question, caller) {
      return viewed(await users.list(wholeAccount(caller), question), userView);
    },
    async createUser(invitation, caller) {
      wholeAccount(caller);
      const invited = await users.invite(caller, invitation);
      return { ...invited, user: userView(invited.user) };
    },
    async renewInvitation({ userId }, caller) {
      wholeAccount(caller);
      const invited = await users.renewInvitation(caller, userId);
      return { ...invited, user: userView(invited.user) };
    },
    async updateUser({ userId, ...change }, caller) {
      wholeAccount(caller);
      return { user: userView(await users.update(caller, userId, change)) };
    },
    async deleteUser({ userId }, caller) {
      wholeAccount(caller);
      await users.remove(caller, userId);
      return {};
    },
    async createResetLink({ userId }, caller) {
      wholeAccount(caller);
      checkSignsIn(caller);
      const signInLink = await users.createSignInLink(caller, userId);
      return signInLink === undefined ? {} : { signInLink };
    },
    async leaveAccount(_, caller) {
      inPerson(caller);
      await users.remove(caller, caller.userId);
      return {};
    },
    async transferAccount({ userId }, caller) {
      inPerson(caller);
      const { owner, you } = await users.transfer(caller, userId);
      return { owner: userView(owner), you: userView(you) };
    },
    async closeAccount({ name }, caller) {
      inPerson(caller);
      const { deleteAt } = await closing.close(caller, name);
      return { deletedAfter: iso(deleteAt) };
    },
    async keepAccount(_, caller) {
      inPerson(caller);
      await closing.keep(caller);
      return {};
    },
  };
}

function userView(user: User): Output<(typeof usersContract)["createUser"]>["user"] {
  const { id, email, role, operator = false, invitation, createdAt } = user;
  return {
    id,
    email,
    role,
    status: statusOf(user),
    operator,
    createdAt: iso(createdAt),
    ...(invitation && { invitedUntil: iso(invitation.expiresAt) }),
  };
}
