import { allows } from "../contract/caller.ts";
import { type Handlers, type Output, Reply } from "../contract/endpoint.ts";
import { invalidRequest } from "../contract/faults.ts";
import { iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { Accounts } from "./accounts.ts";
import type { DeletedProject } from "./closing/deleting-project.ts";
import type { accountsContract } from "./contract.ts";
import type { ApiKeys } from "./credentials/api-keys.ts";
import { type KeyUse, keysHandlers } from "./credentials/keys-handlers.ts";
import { insufficientScope } from "./insufficient-scope.ts";
import type { Account, Project } from "./model.ts";
import { viewed } from "./page.ts";
import type { Projects } from "./projects.ts";
import { type UsersHandlersPorts, usersHandlers } from "./users/handlers.ts";
import type { Manager } from "./users/managers.ts";
import type { Users } from "./users/users.ts";
import { wholeAccount } from "./whole-account.ts";

export function accountsHandlers({
  accounts,
  users,
  projects,
  apiKeys,
  closing,
  exportAccount,
  emptyProject,
  deleteProject,
  keyUse,
}: {
  accounts: Accounts;
  users: Users;
  projects: Projects;
  apiKeys: ApiKeys;
  closing: UsersHandlersPorts["closing"];
  exportAccount: UsersHandlersPorts["exportAccount"];
  /** Of one tool, or all; throws where there is no such tool. */
  emptyProject: (
    by: Manager,
    projectId: string,
    tool: string | undefined,
  ) => Promise<Output<(typeof accountsContract)["emptyProject"]>>;
  deleteProject: (by: Manager, projectId: string) => Promise<DeletedProject>;
  keyUse?: KeyUse;
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
          ...defined({ projectId: credential.projectId }),
          ...(credential.tools && { tools: [...credential.tools] }),
        },
      };
    },

    ...usersHandlers({ users, closing, exportAccount }),

    ...keysHandlers(apiKeys, keyUse),

    async listProjects({ state, ...page }, { accountId, credential: { projectId } }) {
      if (projectId === undefined) return viewed(await projects.list(accountId, page, state), projectView);
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

    deleteProject({ projectId }, caller) {
      wholeAccount(caller);
      return deleteProject(caller, projectId);
    },

    async emptyProject({ projectId, tool }, caller) {
      if (caller.credential.projectId !== projectId) wholeAccount(caller);
      return emptyProject(caller, projectId, tool);
    },

    async listAccounts(page, caller) {
      wholeAccount(caller);
      return viewed(await accounts.list(page), accountView);
    },
    async createAccount(account, caller) {
      wholeAccount(caller);
      const made = await accounts.create(caller, account);
      return { ...made, account: accountView(made.account) };
    },
    async updateAccount({ accountId, ...change }, caller) {
      wholeAccount(caller);
      return { account: accountView(await accounts.update(caller, accountId, change)) };
    },
    async createSignInLink({ accountId, userId, email }, caller) {
      wholeAccount(caller);
      if (userId !== undefined && email !== undefined) {
        throw invalidRequest([
          { path: "email", message: "names a user, and so does userId: give one of them" },
        ]);
      }
      return { signInLink: await accounts.createSignInLink(caller, accountId, email ?? userId) };
    },
  };
}

type Listed<Name extends keyof typeof accountsContract> =
  Output<(typeof accountsContract)[Name]> extends { items: (infer Item)[] } ? Item : never;

function accountView(kept: Account): Listed<"listAccounts"> {
  const { createdAt, deleteAt, suspendedAt, endedKeys: _, ...account } = kept;
  const deletedAfter = deleteAt === undefined ? {} : { deletedAfter: iso(deleteAt) };
  const since = suspendedAt === undefined ? {} : { suspendedAt: iso(suspendedAt) };
  return { ...account, createdAt: iso(createdAt), ...since, ...deletedAfter };
}

function projectView({ createdAt, archivedAt, deleting: _, ...project }: Project): Listed<"listProjects"> {
  const archived = archivedAt === undefined ? {} : { archivedAt: iso(archivedAt) };
  return { ...project, createdAt: iso(createdAt), ...archived };
}
