import {
  type Collection,
  type Entry,
  GLOBAL,
  type ListOptions,
  type Space,
  type Store,
  type Transaction,
  type WriteOptions,
} from "../../store/store.ts";
import type { AnyTool } from "../../tools/define-tool.ts";

export interface ToolStoreOptions {
  store: Store;
  tool: Pick<AnyTool, "name" | "collections">;
  projects: ProjectMaker;
}

/** Makes projects, of which the tools know nothing. */
export interface ProjectMaker {
  getOrCreateIn(tx: Transaction, accountId: string, projectId: string): Promise<void>;
  isKnown(accountId: string, projectId: string): boolean;
  remember(accountId: string, projectId: string): void;
}

/**
 * The store as one tool has it: its own collections alone, the same on every adapter, and a project that is
 * written to is there from then on.
 */
export function toolStore({ store, tool, projects }: ToolStoreOptions): Store {
  const declared = new Set<Collection<unknown>>(tool.collections);

  function check(collection: Collection<never>): void {
    if (declared.has(collection)) return;
    throw new Error(
      `The tool ${tool.name} uses the collection "${collection.name}", which it does not declare: ` +
        "add it to the tool's `collections`.",
    );
  }

  return {
    ...store,
    async transact(work, as) {
      const written = new Set<Space>();
      const result = await store.transact((tx) => {
        written.clear();
        return work(new ToolTransaction(tx, check, makeProject(tx, written)));
      }, as);
      for (const space of written) projects.remember(...partsOf(space));
      return result;
    },
  };

  function makeProject(tx: Transaction, written: Set<Space>): MakeProject {
    return (space) => {
      if (space === GLOBAL || !space.includes("/") || written.has(space)) return undefined;
      const [accountId, projectId] = partsOf(space);
      if (projects.isKnown(accountId, projectId)) return undefined;
      written.add(space);
      return projects.getOrCreateIn(tx, accountId, projectId);
    };
  }
}

/** The other way round of `projectSpace`. */
function partsOf(space: Space): [accountId: string, projectId: string] {
  const slash = space.indexOf("/");
  return [space.slice(0, slash), space.slice(slash + 1)];
}

/** Of the space that is written to, where it is a project's that is not known yet. */
type MakeProject = (space: Space) => Promise<void> | undefined;

class ToolTransaction implements Transaction {
  readonly #tx: Transaction;
  readonly #check: (collection: Collection<never>) => void;
  readonly #makeProject: MakeProject;

  constructor(tx: Transaction, check: (collection: Collection<never>) => void, makeProject: MakeProject) {
    this.#tx = tx;
    this.#check = check;
    this.#makeProject = makeProject;
  }

  get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.#check(collection as Collection<never>);
    return this.#tx.get(collection, space, id);
  }

  has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean> {
    this.#check(collection as Collection<never>);
    return this.#tx.has(collection, space, id);
  }

  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.#check(collection as Collection<never>);
    return this.#tx.peek(collection, space, id);
  }

  list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]> {
    this.#check(collection as Collection<never>);
    return this.#tx.list(collection, space, options);
  }

  ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]> {
    this.#check(collection as Collection<never>);
    return this.#tx.ids(collection, space, options);
  }

  changes<T>(collection: Collection<T>, space: Space, since?: string, options?: { maxBytes?: number }) {
    this.#check(collection as Collection<never>);
    return this.#tx.changes(collection, space, since, options);
  }

  insert<T>(collection: Collection<T>, space: Space, id: string, value: T, options?: WriteOptions) {
    this.#check(collection as Collection<never>);
    return this.#writing(space, () => this.#tx.insert(collection, space, id, value, options));
  }

  put<T>(collection: Collection<T>, space: Space, id: string, value: T, options?: WriteOptions) {
    this.#check(collection as Collection<never>);
    return this.#writing(space, () => this.#tx.put(collection, space, id, value, options));
  }

  delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.#check(collection as Collection<never>);
    return this.#tx.delete(collection, space, id);
  }

  increment(counter: string, space: Space, id: string, by: number): Promise<number> {
    return this.#writing(space, () => this.#tx.increment(counter, space, id, by));
  }

  counts(counter: string, space: Space, range: { from: string; to: string }) {
    return this.#tx.counts(counter, space, range);
  }

  assertRoom(...given: Parameters<Transaction["assertRoom"]>): Promise<void> {
    return this.#tx.assertRoom(...given);
  }

  /** Most of what is written costs nothing more. */
  #writing<T>(space: Space, write: () => Promise<T>): Promise<T> {
    return this.#makeProject(space)?.then(write) ?? write();
  }
}
