import type { Handlers, Output } from "../contract/endpoint.ts";
import { invalidRequest } from "../contract/faults.ts";
import { iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { Accounts } from "./accounts.ts";
import type { accountsContract } from "./contract.ts";
import type { ApiKeys } from "./credentials/api-keys.ts";
import { type KeyUse, keysHandlers } from "./credentials/keys-handlers.ts";
import { devicesHandlers } from "./devices/handlers.ts";
import type { SignedInDevices } from "./devices/signed-in-devices.ts";
import type { Exports } from "./export/exports.ts";
import { exportHandlers } from "./export/handlers.ts";
import type { Account, NextPlan } from "./model.ts";
import { namedPlansOf } from "./next-plan.ts";
import { viewed } from "./page.ts";
import type { Plan } from "./plan.ts";
import { type ProjectsHandlersPorts, projectsHandlers, projectView } from "./projects/handlers.ts";
import type { Projects } from "./projects/projects.ts";
import { type UsersHandlersPorts, usersHandlers } from "./users/handlers.ts";
import type { Users } from "./users/users.ts";
import { wholeAccount } from "./whole-account.ts";

type AccountView = Output<(typeof accountsContract)["listAccounts"]>["items"][number];

export function accountsHandlers({
  accounts,
  users,
  projects,
  apiKeys,
  signedInDevices,
  closing,
  exports,
  emptyProject,
  deleteProject,
  keyUse,
  plans,
}: {
  accounts: Accounts;
  users: Users;
  projects: Projects;
  apiKeys: ApiKeys;
  signedInDevices: SignedInDevices;
  closing: UsersHandlersPorts["closing"];
  exports: Exports;
  emptyProject: ProjectsHandlersPorts["emptyProject"];
  deleteProject: ProjectsHandlersPorts["deleteProject"];
  keyUse?: KeyUse;
  plans: readonly Plan[];
}): Handlers<typeof accountsContract> {
  function accountView(kept: Account): AccountView {
    const { createdAt, deleteAt, suspendedAt, endedKeys: _, nextPlan: __, ...account } = kept;
    const deletedAfter = deleteAt === undefined ? {} : { deletedAfter: iso(deleteAt) };
    const since = suspendedAt === undefined ? {} : { suspendedAt: iso(suspendedAt) };
    return { ...account, ...namedPlansOf(plans, kept), createdAt: iso(createdAt), ...since, ...deletedAfter };
  }

  return {
    async showAccount(_, { accountId, userId, projectId, credential }) {
      const account = await accounts.get(accountId);
      const { id, email, role } = await users.get(accountId, userId);
      return {
        account: { id: account.id, name: account.name },
        ...namedPlansOf(plans, account),
        user: { id, email, role },
        project: projectView(await projects.get(accountId, projectId), plans),
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

    ...usersHandlers({ users, closing }),

    ...exportHandlers({ exports, closing }),

    ...keysHandlers(apiKeys, keyUse),
    ...devicesHandlers(signedInDevices),

    ...projectsHandlers({ projects, emptyProject, deleteProject, plans }),

    async listAccounts(page, caller) {
      wholeAccount(caller);
      return viewed(await accounts.list(page), accountView);
    },
    async createAccount({ nextPlan, ...account }, caller) {
      wholeAccount(caller);
      const made = await accounts.create(caller, {
        ...account,
        nextPlan: nextPlan && followingPlan(nextPlan),
      });
      return { ...made, account: accountView(made.account) };
    },
    async updateAccount({ accountId, nextPlan, ...change }, caller) {
      wholeAccount(caller);
      const following = nextPlan && followingPlan(nextPlan);
      const account = await accounts.update(caller, accountId, { ...change, nextPlan: following });
      return { account: accountView(account) };
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

function followingPlan({ plan, at }: { plan: string; at: string }): NextPlan {
  return { plan, at: Date.parse(at) };
}
