import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import { type Collection, isId, type Store, type Transaction } from "../../store/store.ts";
import type { AnyTool } from "../../tools/define-tool.ts";

export interface ToolStoreOptions {
  store: Store;
  tool: Pick<AnyTool, "name" | "collections" | "counters">;
}

/** Restricts a store to a tool's own collections and counters, the same way on every adapter. */
export function toolStore({ store, tool }: ToolStoreOptions): Store {
  const collections = new Set<Collection<unknown>>(tool.collections);
  const counters = new Set(tool.counters);

  function undeclared(kind: "collection" | "counter", name: string): Error {
    return new Error(
      `The tool ${tool.name} uses the ${kind} "${name}", which it does not declare: add it to the tool's \`${kind}s\`.`,
    );
  }

  const check: Check = {
    collection(each) {
      if (!collections.has(each)) throw undeclared("collection", each.name);
    },
    counter(name) {
      if (!counters.has(name)) throw undeclared("counter", name);
    },
  };

  return {
    ...store,
    transact: (work, as) => store.transact((tx) => work(new ToolTransaction(tx, check)), as),
  };
}

/** Returns the unrestricted transaction beneath a tool's, for the server's own writes along with the tool's. */
export function unrestricted(tx: Transaction): Transaction {
  return tx instanceof ToolTransaction ? tx.beneath : tx;
}

/** Each throws for what the tool does not declare. */
interface Check {
  collection(collection: Collection<never>): void;
  counter(name: string): void;
}

class ToolTransaction extends DelegatingTransaction {
  constructor(
    tx: Transaction,
    readonly check: Check,
  ) {
    super(tx);
  }

  protected override onUse(collection: Collection<never>): void {
    this.check.collection(collection);
  }

  protected override onCount(counter: string): void {
    this.check.counter(counter);
  }

  /** One adapter would find nothing by such an id, or store it as another, and the other refuse it in words of its own. */
  protected override onId({ name }: Collection<never>, id: unknown): void {
    if (typeof id !== "string") {
      throw new TypeError(
        `The id of a document in "${name}" must be a string; ${typeof id} is none: String(id).`,
      );
    }
    if (isId(id)) return;
    throw new TypeError(
      `The id of a document in "${name}" must have whole characters and no NUL: take it as Name or UserId, which refuse others.`,
    );
  }
}
