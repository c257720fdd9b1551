import type {
  Collection,
  Entry,
  ListOptions,
  Space,
  Store,
  Transaction,
  WriteOptions,
} from "../../store/store.ts";
import type { AnyTool } from "../../tools/define-tool.ts";

export interface ToolStoreOptions {
  store: Store;
  tool: Pick<AnyTool, "name" | "collections">;
}

/** Restricts a store to a tool's own collections, the same way on every adapter. */
export function toolStore({ store, tool }: ToolStoreOptions): Store {
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
    transact: (work, as) => store.transact((tx) => work(new ToolTransaction(tx, check)), as),
  };
}

/** Returns the unrestricted transaction beneath a tool's, for the server's own writes along with the tool's. */
export function unrestricted(tx: Transaction): Transaction {
  return tx instanceof ToolTransaction ? tx.whole : tx;
}

class ToolTransaction implements Transaction {
  readonly whole: Transaction;
  readonly #check: (collection: Collection<never>) => void;

  constructor(tx: Transaction, check: (collection: Collection<never>) => void) {
    this.whole = tx;
    this.#check = check;
  }

  get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.#check(collection as Collection<never>);
    return this.whole.get(collection, space, id);
  }

  has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean> {
    this.#check(collection as Collection<never>);
    return this.whole.has(collection, space, id);
  }

  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.#check(collection as Collection<never>);
    return this.whole.peek(collection, space, id);
  }

  list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]> {
    this.#check(collection as Collection<never>);
    return this.whole.list(collection, space, options);
  }

  ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]> {
    this.#check(collection as Collection<never>);
    return this.whole.ids(collection, space, options);
  }

  changes<T>(collection: Collection<T>, space: Space, since?: string, options?: { maxBytes?: number }) {
    this.#check(collection as Collection<never>);
    return this.whole.changes(collection, space, since, options);
  }

  insert<T>(collection: Collection<T>, space: Space, id: string, value: T, options?: WriteOptions) {
    this.#check(collection as Collection<never>);
    return this.whole.insert(collection, space, id, value, options);
  }

  put<T>(collection: Collection<T>, space: Space, id: string, value: T, options?: WriteOptions) {
    this.#check(collection as Collection<never>);
    return this.whole.put(collection, space, id, value, options);
  }

  delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.#check(collection as Collection<never>);
    return this.whole.delete(collection, space, id);
  }

  increment(counter: string, space: Space, id: string, by: number): Promise<number> {
    return this.whole.increment(counter, space, id, by);
  }

  counts(...given: Parameters<Transaction["counts"]>) {
    return this.whole.counts(...given);
  }

  deleteCounts(...given: Parameters<Transaction["deleteCounts"]>): Promise<number> {
    return this.whole.deleteCounts(...given);
  }

  assertRoom(...given: Parameters<Transaction["assertRoom"]>): Promise<void> {
    return this.whole.assertRoom(...given);
  }
}
