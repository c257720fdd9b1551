import * as z from "zod";
import { named } from "../../contract/components.ts";
import { At, endpoint, listOf, pageBehind, SearchTerm, UserId } from "../../contract/endpoint.ts";
import { withAsciiDomain } from "../../system/network/ascii-domain.ts";
import { ROLES } from "../roles.ts";
import { USER_STATUSES } from "./status.ts";

/** An e-mail address, validated like in browsers: a domain may have a single label, as in `owner@localhost`. */
export const Email = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(254, "must have at most 254 characters")
  .regex(z.regexes.html5Email, "must be an e-mail address");

export const UserRole = z.enum(ROLES).describe("Each may do what the ones before it may");

export const UserStatus = z.enum(USER_STATUSES);

const User = z.object({
  id: z.string(),
  email: z.string(),
  role: UserRole,
  status: UserStatus,
  operator: z.boolean().describe("Owns this instance"),
  createdAt: At,
  invitedUntil: At.optional().describe("While invited: when the link that lets them in ends"),
});

named({ User, UserRole, UserStatus, Email });

export const SignInLink = z.string().describe("Signs in once, within 15 minutes");
export const InvitationLink = z
  .string()
  .describe(
    "Lets one person in, within seven days. Where this server sends mail, it was mailed and is not shown",
  );
const Nothing = z.object({});

export const usersContract = {
  listUsers: endpoint({
    name: "users.list",
    method: "GET",
    path: "/api/v1/users",
    summary: "List the account's users, and who is invited",
    description:
      "A page may hold fewer than `limit` although more follow: the search goes on at `nextCursor`.",
    scope: "admin",
    lane: "control",
    input: z.strictObject({
      ...pageBehind(/^usr_\w+$/),
      query: SearchTerm.optional().describe("Part of the e-mail address"),
      status: UserStatus.optional(),
    }),
    output: listOf(User),
  }),
  createUser: endpoint({
    name: "users.create",
    method: "POST",
    path: "/api/v1/users",
    summary: "Invite somebody",
    description: `The link lets one person in within seven days: somebody new, or somebody who has other accounts here.
Nobody makes anybody more than they are themselves.`,
    scope: "admin",
    errors: ["conflict"],
    lane: "control",
    status: 201,
    example: { email: "ada@example.com", role: "member" },
    input: z.strictObject({ email: Email, role: UserRole }),
    output: z.object({ user: User, signInLink: InvitationLink.optional() }),
  }),
  renewInvitation: endpoint({
    name: "users.renewInvitation",
    method: "POST",
    path: "/api/v1/users/{userId}/invitation",
    summary: "Renew an invitation",
    description: "Another link for seven days; the one before is dead.",
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    example: { userId: "usr_example" },
    input: z.strictObject({ userId: UserId }),
    output: z.object({ user: User, signInLink: InvitationLink.optional() }),
  }),
  updateUser: endpoint({
    name: "users.update",
    method: "PATCH",
    path: "/api/v1/users/{userId}",
    summary: "Change a user's role, suspend them or let them in again",
    description: `Keys and devices that may do more than the new role does end at once; of who is suspended, all of them and
their browser sessions. Only an owner changes or makes an owner. The last owner of an account stays one.`,
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    example: { userId: "usr_example", role: "viewer" },
    input: z.strictObject({ userId: UserId, role: UserRole.optional(), suspended: z.boolean().optional() }),
    output: z.object({ user: User }),
  }),
  deleteUser: endpoint({
    name: "users.delete",
    method: "DELETE",
    path: "/api/v1/users/{userId}",
    summary: "Remove a user, or withdraw an invitation",
    description: "Ends the user's tokens, keys and sessions at once. The last owner of an account stays.",
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    status: 204,
    input: z.strictObject({ userId: UserId }),
    output: Nothing,
  }),
  createResetLink: endpoint({
    name: "users.signInLink",
    method: "POST",
    path: "/api/v1/users/{userId}/sign-in-link",
    summary: "Make a one-time sign-in link for a user who cannot come in any more",
    description: `Afterwards they set a new password. Not for somebody who belongs to other accounts, too: the link would open
those as well, and is dead once they do; nor for the owner of this instance. Such a person is helped by the operator of
this server. Where this server sends mail, the link goes to their address and is not shown, and none of this hinders.
A key that is bound makes none.`,
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    status: 201,
    example: { userId: "usr_example" },
    input: z.strictObject({ userId: UserId }),
    output: z.object({ signInLink: SignInLink.optional() }),
  }),
  leaveAccount: endpoint({
    name: "account.leave",
    method: "POST",
    path: "/api/v1/account/leave",
    summary: "Leave the account",
    description:
      "Ends your own tokens, keys and sessions in it at once. For a person: a key cannot. The last owner stays.",
    scope: "read",
    errors: ["conflict"],
    lane: "control",
    status: 204,
    example: {},
    input: z.strictObject({}),
    output: Nothing,
  }),
  transferAccount: endpoint({
    name: "account.transfer",
    method: "POST",
    path: "/api/v1/account/transfer",
    summary: "Hand the account over to another of its users",
    description: "In one step they are an owner and you are an admin.",
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    example: { userId: "usr_example" },
    input: z.strictObject({ userId: UserId }),
    output: z.object({ owner: User, you: User }),
  }),
  closeAccount: endpoint({
    name: "account.close",
    method: "POST",
    path: "/api/v1/account/close",
    summary: "Close the account, which deletes it after 30 days",
    description: `For owners. From now on everything is \`forbidden\` but the control lane: what people need to look through the
account, to take their data with them (\`GET /api/v1/account/export\`) or to keep it after all (\`POST /api/v1/account/keep\`).`,
    rules: ["`name` is the account's, to make sure."],
    scope: "admin",
    errors: ["conflict"],
    lane: "control",
    example: { name: "Example Ltd" },
    input: z.strictObject({ name: z.string().max(256) }),
    output: z.object({ deletedAfter: At }),
  }),
  keepAccount: endpoint({
    name: "account.keep",
    method: "POST",
    path: "/api/v1/account/keep",
    summary: "Keep an account that was closed",
    scope: "admin",
    errors: ["conflict"],
    lane: "control",
    status: 204,
    example: {},
    input: z.strictObject({}),
    output: Nothing,
  }),
};
