import type { AuditTrail } from "../../audit/trail.ts";
import { isShown } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { BoundedMap } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { refuseIfFull } from "../account-limits.ts";
import { accounts, type Project, projects } from "../model.ts";
import {
  type PageOf,
  type PageRequest,
  type Sort,
  type SortKey,
  searchPage,
  sortedSearchPage,
  textSortKey,
} from "../page.ts";
import { checkPlan, type Plan } from "../plan.ts";
import { sinceAfter } from "../suspension.ts";
import type { Manager } from "../users/managers.ts";

const MAX_REMEMBERED = 50_000;
/** How long another server on the same store may still write to a project that was archived by this one. */
export const SETTLED_MS = 2000;
/** How long a server takes a project for active without reading it, which may be a second old itself. */
const REMEMBERED_MS = 1000;

export interface ProjectChange {
  name?: string | undefined;
  learningOptIn?: boolean | undefined;
  /** Null removes it, so that the account's plan applies. */
  plan?: string | null | undefined;
  /** True archives the project, which refuses further writes; false restores it. */
  archived?: boolean | undefined;
}

/** The projects that a list includes. */
export type ProjectState = "active" | "archived" | "all";

export const PROJECT_ORDERS = ["name", "createdAt"] as const;
type ProjectOrder = (typeof PROJECT_ORDERS)[number];
export type ProjectSort = Sort<ProjectOrder>;

export interface ProjectQuestion extends PageRequest {
  /** A part of the name or the id; case is ignored. */
  query?: string | undefined;
  /** Defaults to the order of ids. */
  sort?: ProjectSort | undefined;
}

export interface LearningChange {
  accountId: string;
  projectId: string;
  takesPart: boolean;
}

export interface Projects {
  /** Returns a project. One that does not exist yet looks empty, and as old as its account. */
  get(accountId: string, projectId: string): Promise<Project>;
  /** Returns a project if it exists. */
  find(accountId: string, projectId: string): Promise<Project | undefined>;
  list(accountId: string, asked: ProjectQuestion, state?: ProjectState): Promise<PageOf<Project>>;
  /**
   * Creates the project unless it exists. Every write calls this. `Problem` `conflict` if the account has the most
   * projects allowed, `project_archived` if the project is archived or being deleted.
   */
  getOrCreate(accountId: string, projectId: string): Promise<void>;
  /** Like `getOrCreate`, as part of a transaction. */
  getOrCreateIn(tx: Transaction, accountId: string, projectId: string): Promise<void>;
  /** Whether the project exists and accepts writes. */
  isActive(accountId: string, projectId: string): Promise<boolean>;
  /** Whether the project is known to be active without reading the store. */
  isKnownActive(accountId: string, projectId: string): boolean;
  /** Creates or changes a project. */
  update(
    by: Manager,
    projectId: string,
    change: ProjectChange,
  ): Promise<{ project: Project; created: boolean }>;
  /** Archives a project for good. Returns the time since when it has refused writes. `Problem` `not_found`. */
  beginDeletion(by: Manager, projectId: string): Promise<number>;
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
  /** Called within the transaction that opts a project in or out, to delete what was learned from it. */
  onLearningChange?: (tx: Transaction, change: LearningChange) => Promise<void>;
}): Projects {
  /** Active projects seen lately, each with the monotonic time until which it is assumed to be active. */
  const seen = new BoundedMap<string, number>(MAX_REMEMBERED);

  return {
    get: (accountId, projectId) =>
      store.transact(async (tx) => {
        const found = await tx.get(projects, accountSpace(accountId), projectId);
        const account = found ? undefined : await tx.get(accounts, GLOBAL, accountId);
        return found ?? empty(projectId, account?.createdAt);
      }),
    find,
    async list(accountId, { query, sort, ...page }, state = "active") {
      const space = accountSpace(accountId);
      const part = query?.toLowerCase() ?? "";
      const isAsked = ({ id, name, archivedAt }: Project) =>
        (state === "all" || (archivedAt === undefined) === (state === "active")) &&
        [id, name].some((text) => text.toLowerCase().includes(part));
      if (sort === undefined) return searchPage(store, projects, space, page, isAsked);
      return sortedSearchPage(store, projects, space, { ...page, sort, sortKeyOf }, isAsked);
    },
    async getOrCreate(accountId, projectId) {
      if (isKnownActive(accountId, projectId)) return;
      await store.transact((tx) => getOrCreateIn(tx, accountId, projectId));
      remember(accountId, projectId);
    },
    getOrCreateIn,
    isKnownActive,
    async isActive(accountId, projectId) {
      if (isKnownActive(accountId, projectId)) return true;
      const found = await find(accountId, projectId);
      if (found?.archivedAt !== undefined) return false;
      if (found) remember(accountId, projectId);
      return found !== undefined;
    },
    beginDeletion: (by, projectId) =>
      audit.transact(by, async (tx, note) => {
        const { accountId } = by;
        const found = await tx.get(projects, accountSpace(accountId), projectId);
        if (!found) throw unknown(projectId);
        const { archivedAt = clock.now() } = found;
        if (found.deleting) return archivedAt;
        const after: Project = { ...found, learningOptIn: false, archivedAt, deleting: true };
        await tx.put(projects, accountSpace(accountId), projectId, after);
        await onLearningChange?.(tx, { accountId, projectId, takesPart: false });
        seen.delete(`${accountId}/${projectId}`);
        note({
          action: "project.deleted",
          target: { kind: "project", id: projectId, name: found.name },
          before: found,
        });
        return archivedAt;
      }),
    async update(by, projectId, { name, learningOptIn, plan, archived }) {
      const { accountId } = by;
      if (plan != null) checkPlan(plans, plan);
      return audit.transact(by, async (tx, note) => {
        const space = accountSpace(accountId);
        const found = await tx.get(projects, space, projectId);
        if (found?.deleting || (!found && archived)) throw unknown(projectId);
        if (!found) {
          checkNewId(projectId);
          await refuseIfFull(tx, projects, accountId, FULL);
        }
        const { plan: before, archivedAt, ...rest } = found ?? empty(projectId);
        const since = sinceAfter(archivedAt, archived, clock.now());
        const after = plan === undefined ? before : plan;
        const project: Project = {
          ...rest,
          ...defined({ name, learningOptIn }),
          ...(after != null && { plan: after }),
          ...defined({ archivedAt: since }),
        };
        if (since !== undefined) seen.delete(`${accountId}/${projectId}`);
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

  function find(accountId: string, projectId: string): Promise<Project | undefined> {
    return store.transact((tx) => tx.get(projects, accountSpace(accountId), projectId));
  }

  function isKnownActive(accountId: string, projectId: string): boolean {
    return (seen.get(`${accountId}/${projectId}`) ?? 0) > clock.monotonic();
  }

  function remember(accountId: string, projectId: string): void {
    seen.set(`${accountId}/${projectId}`, clock.monotonic() + REMEMBERED_MS);
  }

  async function getOrCreateIn(tx: Transaction, accountId: string, projectId: string): Promise<void> {
    const space = accountSpace(accountId);
    const found = await tx.get(projects, space, projectId);
    if (found?.deleting) throw isBeingDeleted(projectId);
    if (found?.archivedAt !== undefined) throw isArchived(projectId);
    if (found) return;
    checkNewId(projectId);
    await refuseIfFull(tx, projects, accountId, FULL);
    await tx.insert(projects, space, projectId, empty(projectId));
  }

  function empty(id: string, createdAt = clock.now()): Project {
    return { id, name: id, learningOptIn: false, createdAt };
  }
}

function sortKeyOf({ id, name, createdAt }: Project, order: ProjectOrder): SortKey {
  return order === "name" ? textSortKey(name, id) : [createdAt, id];
}

const FULL = {
  what: "projects",
  remedy:
    "Name one of them in X-Project-Id, or have an admin delete some: tool projects delete <projectId...>.",
};

/** Rejects ids that are not shown as they are, and `.` and `..`, which URL parsing removes from paths (WHATWG URL §4.4). */
function checkNewId(projectId: string): void {
  if (isShown(projectId) && projectId !== "." && projectId !== "..") return;
  throw new Problem(
    "invalid_request",
    `${JSON.stringify(projectId)} cannot name a new project: it must show at least one character, in one line, turn no text around, and be neither "." nor "..".`,
  );
}

function unknown(projectId: string): Problem {
  return new Problem("not_found", `There is no project "${projectId}" in this account.`);
}

/** Has the same type as for an archived project, so that programs discard their data for it in both cases. */
function isBeingDeleted(projectId: string): Problem {
  return new Problem(
    "project_archived",
    `The project "${projectId}" is being deleted. Once it is gone, a write that names it makes a new one.`,
  );
}

function isArchived(projectId: string): Problem {
  return new Problem(
    "project_archived",
    `The project "${projectId}" is archived: it can be read, and nothing is written to it. To go on with it: ` +
      `PUT /api/v1/projects/${encodeURIComponent(projectId)} {"archived": false}, or: tool projects restore ${projectId}`,
  );
}
