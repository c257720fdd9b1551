import { type Account, accounts } from "../../accounts/model.ts";
import { Problem } from "../../contract/problem.ts";
import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import { accountOf, GLOBAL, NoRoom, type Space, type Store } from "../../store/store.ts";
import { grouped } from "../../text/grouped.ts";
import type { Bounds } from "../plans.ts";
import { type AccountBounds, largerPlan, ofPlan } from "./bounds.ts";

export interface BoundedStoreOptions {
  store: Store;
  boundsOf: (account: Pick<Account, "plan" | "limits">) => Bounds & Partial<Pick<AccountBounds, "planName">>;
  onRefused?: (bound: NoRoom["bound"]) => void;
  /** Where people get a larger plan, for refusals. */
  upgradeUrl?: string | undefined;
  /** Whether the writer does not belong to the account, so that errors must not reveal what it stores. */
  hidesDetails?: boolean;
}

/**
 * Wraps a store to enforce the storage bounds of accounts: a transaction that makes an account exceed them is rolled
 * back with `quota_exceeded`. Deleting, replacing something by nothing larger, and reading are never refused. Use it
 * for everything that people can make grow. What they need to get below a bound again (account, users, keys,
 * projects, devices, sign-in) is bounded in number instead.
 */
export function boundedStore(options: BoundedStoreOptions): Store {
  const { store, boundsOf, onRefused, upgradeUrl, hidesDetails } = options;
  return {
    ...store,
    async transact(work, as) {
      let planName: string | undefined;
      try {
        return await store.transact(async (tx) => {
          const noting = new RecordingTransaction(tx);
          const result = await work(noting);
          for (const id of noting.grown) {
            // Peeked, because a full read would make all writers of the account wait for each other.
            const account = await tx.peek(accounts, GLOBAL, id);
            const bounds = account && boundsOf(account);
            planName = bounds?.planName;
            await tx.assertRoom(
              id,
              bounds ? { bytes: bounds.storageBytes, documents: bounds.documents } : UNBOUNDED,
            );
          }
          return result;
        }, as);
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        onRefused?.(error.bound);
        throw hidesDetails ? opaqueQuotaError(error) : quotaExceeded(error, planName, upgradeUrl);
      }
    },
  };
}

const UNBOUNDED = { bytes: Number.POSITIVE_INFINITY, documents: Number.POSITIVE_INFINITY };

/** A transaction that records the accounts whose storage may have grown. */
class RecordingTransaction extends DelegatingTransaction {
  readonly grown = new Set<string>();

  protected override onWrite(space: Space, mayGrow: boolean): void {
    const account = mayGrow ? accountOf(space) : undefined;
    if (account !== undefined) this.grown.add(account);
  }
}

function quotaExceeded(
  { bound, limit, used, wanted }: NoRoom,
  planName: string | undefined,
  upgradeUrl: string | undefined,
): Problem {
  if (bound === "server memory") {
    const share = mebibytes(limit);
    return new Problem(
      "quota_exceeded",
      `This server keeps its data in memory and has filled the ${share} that it sets aside for that. Reading and deleting go on; to store more, delete something, or ask its operator for more memory.`,
      { members: { bound, limit } },
    );
  }
  const [what, figure] = bound === "documents" ? ["documents", grouped] : ["of storage", mebibytes];
  return new Problem(
    "quota_exceeded",
    `This account${ofPlan(planName)} may hold ${figure(limit)} ${what} in all its projects together and holds ${figure(used)}; with this it would be ${figure(wanted)}. ` +
      "Delete what is no longer needed, which frees room at once: DELETE /api/v1/projects/{projectId}/data, or tool projects empty, " +
      `takes all that a tool keeps in a project. Or ${largerPlan(upgradeUrl)}`,
    { members: { bound, limit, used, ...(upgradeUrl !== undefined && { upgradeUrl }) } },
  );
}

function opaqueQuotaError({ bound }: NoRoom): Problem {
  return new Problem("quota_exceeded", "There is no room for this at the moment.", { members: { bound } });
}

/** Formats bytes, `32 MiB` or `31.9 MiB (33,445,566 bytes)`. Exact, because a single byte can exceed a bound. */
function mebibytes(bytes: number): string {
  const units = Math.round((10 * bytes) / 2 ** 20) / 10;
  return units * 2 ** 20 === bytes
    ? `${grouped(units)} MiB`
    : `${grouped(units)} MiB (${grouped(bytes)} bytes)`;
}
