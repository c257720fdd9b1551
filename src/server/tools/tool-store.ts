import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import type { Collection, Store, Transaction } from "../../store/store.ts";
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
  return tx instanceof ToolTransaction ? tx.beneath : tx;
}

class ToolTransaction extends DelegatingTransaction {
  constructor(
    tx: Transaction,
    readonly check: (collection: Collection<never>) => void,
  ) {
    super(tx);
  }

  protected override onUse(collection: Collection<never>): void {
    this.check(collection);
  }

  /** One adapter would store a number as a text, and the other refuse it in words of its own. */
  protected override onPut({ name }: Collection<never>, id: unknown): void {
    if (typeof id === "string") return;
    throw new TypeError(
      `The id of a document in "${name}" must be a string; ${typeof id} is none: String(id).`,
    );
  }
}
