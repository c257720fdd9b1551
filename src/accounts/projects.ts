import type { AuditTrail } from "../audit/trail.ts";
import { accountSpace, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { type Project, projects } from "./model.ts";
import { refuseWhereFull } from "./most.ts";
import { listPage, type PageOf, type PageRequest } from "./page.ts";
import { checkPlan, type Plan } from "./plan.ts";
import type { Manager } from "./users.ts";

const MAX_REMEMBERED = 50_000;

export interface ProjectChange {
  name?: string | undefined;
  learningOptIn?: boolean | undefined;
  /** Null takes it away, so that the account's plan holds. */
  plan?: string | null | undefined;
}

export interface LearningChange {
  accountId: string;
  projectId: string;
  takesPart: boolean;
}

export interface Projects {
  /** One that nobody has made yet looks as if just made. */
  get(accountId: string, projectId: string): Promise<Project>;
  list(accountId: string, page: PageRequest): Promise<PageOf<Project>>;
  /** Makes the project unless it is there, as every write does. `Problem` `conflict` where the account is full. */
  getOrCreate(accountId: string, projectId: string): Promise<void>;
  /** The same as part of a transaction. */
  getOrCreateIn(tx: Transaction, accountId: string, projectId: string): Promise<void>;
  /** Whether it is known to be there without a look into the store. */
  isKnown(accountId: string, projectId: string): boolean;
  /** Makes or changes it. */
  update(
    by: Manager,
    projectId: string,
    change: ProjectChange,
  ): Promise<{ project: Project; created: boolean }>;
}

export function createProjects({
  store,
  audit,
  clock,
  plans,
  onLearningChange,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  plans: readonly Plan[];
  /** Part of the transaction that opts a project in or out: what was learned from it goes with it. */
  onLearningChange?: (tx: Transaction, change: LearningChange) => Promise<void>;
}): Projects {
  /** Projects are never deleted, so those that were seen once are there. */
  const seen = new Set<string>();

  return {
    async get(accountId, projectId) {
      const found = await store.transact((tx) => tx.get(projects, accountSpace(accountId), projectId));
      return found ?? empty(projectId);
    },
    list: (accountId, page) => listPage(store, projects, accountSpace(accountId), page, (project) => project),
    async getOrCreate(accountId, projectId) {
      if (isKnown(accountId, projectId)) return;
      await store.transact((tx) => getOrCreateIn(tx, accountId, projectId));
      remember(accountId, projectId);
    },
    getOrCreateIn,
    isKnown,
    async update(by, projectId, { name, learningOptIn, plan }) {
      const { accountId } = by;
      if (plan != null) checkPlan(plans, plan);
      return audit.transact(by, async (tx, note) => {
        const space = accountSpace(accountId);
        const found = await tx.get(projects, space, projectId);
        if (!found) await refuseWhereFull(tx, projects, accountId, FULL);
        const { plan: before, ...rest } = found ?? empty(projectId);
        const after = plan === undefined ? before : plan;
        const project: Project = {
          ...rest,
          ...(name !== undefined && { name }),
          ...(learningOptIn !== undefined && { learningOptIn }),
          ...(after != null && { plan: after }),
        };
        await tx.put(projects, space, projectId, project);
        if (learningOptIn !== undefined) {
          await onLearningChange?.(tx, { accountId, projectId, takesPart: learningOptIn });
        }
        note({
          action: found ? "project.updated" : "project.created",
          target: { kind: "project", id: projectId, name: project.name },
          before: found,
          after: project,
        });
        return { project, created: !found };
      });
    },
  };

  function isKnown(accountId: string, projectId: string): boolean {
    return seen.has(`${accountId}/${projectId}`);
  }

  function remember(accountId: string, projectId: string): void {
    if (seen.size >= MAX_REMEMBERED) seen.clear();
    seen.add(`${accountId}/${projectId}`);
  }

  async function getOrCreateIn(tx: Transaction, accountId: string, projectId: string): Promise<void> {
    const space = accountSpace(accountId);
    if (await tx.get(projects, space, projectId)) return;
    await refuseWhereFull(tx, projects, accountId, FULL);
    await tx.insert(projects, space, projectId, empty(projectId));
  }

  function empty(id: string): Project {
    return { id, name: id, learningOptIn: false, createdAt: clock.now() };
  }
}

const FULL = { what: "projects", remedy: "Name one of them in X-Project-Id." };
