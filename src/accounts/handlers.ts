import { allows, type Caller } from "../contract/caller.ts";
import { type Handlers, type Output, Reply } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import { iso } from "../system/clock.ts";
import type { Accounts } from "./accounts.ts";
import type { accountsContract } from "./contract.ts";
import type { ApiKeys } from "./credentials/api-keys.ts";
import { insufficientScope } from "./insufficient-scope.ts";
import type { Account, ApiKey, Project, User } from "./model.ts";
import type { PageOf } from "./page.ts";
import type { Projects } from "./projects.ts";
import type { Users } from "./users.ts";

export function accountsHandlers({
  accounts,
  users,
  projects,
  apiKeys,
  emptyProject,
}: {
  accounts: Accounts;
  users: Users;
  projects: Projects;
  apiKeys: ApiKeys;
  /** Of one tool, or all; throws where there is no such tool. */
  emptyProject: (
    accountId: string,
    projectId: string,
    tool: string | undefined,
  ) => Promise<Output<(typeof accountsContract)["emptyProject"]>>;
}): Handlers<typeof accountsContract> {
  return {
    async showAccount(_, { accountId, userId, projectId, credential }) {
      const account = await accounts.get(accountId);
      const { id, email, role } = await users.get(accountId, userId);
      return {
        account: { id: account.id, name: account.name },
        plan: account.plan,
        user: { id, email, role },
        project: projectView(await projects.get(accountId, projectId)),
        credential: {
          kind: credential.kind,
          id: credential.id,
          scopes: [...credential.scopes],
          ...(credential.expiresAt !== undefined && { expiresAt: iso(credential.expiresAt) }),
        },
      };
    },

    async listUsers(page, caller) {
      return viewed(await users.list(wholeAccount(caller), page), userView);
    },
    async createUser(invitation, caller) {
      wholeAccount(caller);
      const { user, signInLink } = await users.invite(caller, invitation);
      return { user: userView(user), signInLink };
    },
    async renewInvitation({ userId }, caller) {
      wholeAccount(caller);
      const { user, signInLink } = await users.renewInvitation(caller, userId);
      return { user: userView(user), signInLink };
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

    async listKeys(page, caller) {
      return viewed(await apiKeys.list(wholeAccount(caller), page), keyView);
    },
    async createKey({ expiresAt, ...key }, caller) {
      wholeAccount(caller);
      const expiry = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const made = await apiKeys.create(caller, { ...key, ...expiry });
      return { key: keyView(made.key), secret: made.secret };
    },
    async deleteKey({ keyId }, caller) {
      wholeAccount(caller);
      await apiKeys.revoke(caller, keyId);
      return {};
    },

    async listProjects(page, { accountId, credential: { projectId } }) {
      if (projectId === undefined) return viewed(await projects.list(accountId, page), projectView);
      return { items: [projectView(await projects.get(accountId, projectId))] };
    },
    async updateProject({ projectId, ...change }, caller) {
      const { credential } = caller;
      if (credential.projectId !== projectId) wholeAccount(caller);
      if (change.plan !== undefined && !allows(credential.scopes, "operator")) {
        throw insufficientScope("operator", 'Changing a project\'s plan needs the scope "operator".');
      }
      const { project, created } = await projects.update(caller, projectId, change);
      return new Reply({ project: projectView(project) }, { status: created ? 201 : 200 });
    },

    async emptyProject({ projectId, tool }, caller) {
      if (caller.credential.projectId !== projectId) wholeAccount(caller);
      return emptyProject(caller.accountId, projectId, tool);
    },

    async listAccounts(page, caller) {
      wholeAccount(caller);
      return viewed(await accounts.list(page), accountView);
    },
    async createAccount(account, caller) {
      wholeAccount(caller);
      const made = await accounts.create(caller, account);
      return { account: accountView(made.account), signInLink: made.signInLink };
    },
    async updateAccount({ accountId, ...change }, caller) {
      wholeAccount(caller);
      return { account: accountView(await accounts.update(caller, accountId, change)) };
    },
    async createSignInLink({ accountId, userId }, caller) {
      wholeAccount(caller);
      return { signInLink: await accounts.createSignInLink(caller, accountId, userId) };
    },
  };
}

/** The caller's account, unless the credential is a key for one project: that one administers nothing beyond. */
function wholeAccount({ accountId, credential }: Caller): string {
  if (credential.projectId === undefined) return accountId;
  throw new Problem(
    "forbidden",
    `This key is bound to the project "${credential.projectId}"; this needs one that is not.`,
  );
}

function viewed<T, V>(page: PageOf<T>, view: (item: T) => V): PageOf<V> {
  return { ...page, items: page.items.map(view) };
}

type Listed<Name extends keyof typeof accountsContract> =
  Output<(typeof accountsContract)[Name]> extends { items: (infer Item)[] } ? Item : never;

function accountView({ createdAt, ...account }: Account): Listed<"listAccounts"> {
  return { ...account, createdAt: iso(createdAt) };
}

function userView(user: User): Listed<"listUsers"> {
  const { id, email, role, operator = false, personId, suspendedAt, invitation, createdAt } = user;
  const status = suspendedAt !== undefined ? "suspended" : personId === undefined ? "invited" : "active";
  return {
    id,
    email,
    role,
    status,
    operator,
    createdAt: iso(createdAt),
    ...(invitation && { invitedUntil: iso(invitation.expiresAt) }),
  };
}

function projectView({ createdAt, ...project }: Project): Listed<"listProjects"> {
  return { ...project, createdAt: iso(createdAt) };
}

function keyView({ secretHash: _, createdAt, expiresAt, lastUsedAt, ...key }: ApiKey): Listed<"listKeys"> {
  return {
    ...key,
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
  };
}
