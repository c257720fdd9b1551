import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import { GLOBAL, type Space, type Store, type Transaction } from "../../store/store.ts";

/** Creates projects, which tools do not do. */
export interface ProjectMaker {
  getOrCreate(accountId: string, projectId: string): Promise<void>;
  isKnownActive(accountId: string, projectId: string): boolean;
}

/**
 * Wraps a store so that a project exists before it is written to. If it is missing, the transaction is aborted, the
 * project created in a transaction of its own, and the work run again. Creating it in the same transaction would make
 * all first writers to a project wait for each other.
 */
export function projectMaking(store: Store, projects: ProjectMaker): Store {
  return {
    ...store,
    async transact(work, as) {
      for (;;) {
        let missing: Space | undefined;
        const requireProject = (space: Space): void => {
          if (space === GLOBAL || !space.includes("/") || projects.isKnownActive(...partsOf(space))) return;
          missing = space;
          throw new Error(`${space} is to be made first`);
        };
        try {
          return await store.transact(async (tx) => {
            missing = undefined;
            const result = await work(new ProjectRequiringTransaction(tx, requireProject));
            if (missing !== undefined) throw new Error("the work went on without its project");
            return result;
          }, as);
        } catch (error) {
          if (missing === undefined) throw error;
          await projects.getOrCreate(...partsOf(missing));
        }
      }
    },
  };
}

/** The inverse of `projectSpace`. */
function partsOf(space: Space): [accountId: string, projectId: string] {
  const slash = space.indexOf("/");
  return [space.slice(0, slash), space.slice(slash + 1)];
}

class ProjectRequiringTransaction extends DelegatingTransaction {
  constructor(
    tx: Transaction,
    readonly requireProject: (space: Space) => void,
  ) {
    super(tx);
  }

  protected override onWrite(space: Space, mayGrow: boolean): void {
    if (mayGrow) this.requireProject(space);
  }
}
