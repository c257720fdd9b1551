import type { RouteOutput } from "../../client/routes.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";

export type Key = RouteOutput<"GET /api/v1/keys/{keyId}">["key"];

/** The account of a key; the signed-in one by default. */
export interface OfAccount {
  account?: string;
}

export const OF_ACCOUNT = ["--account <id>", "Of another account: for the operator"] as const;

/** Returns the id of a key that is given by its id or its unique name. */
export async function keyIdOf(
  client: Context["client"],
  named: string,
  { account }: OfAccount = {},
): Promise<string> {
  if (/^key_[0-9a-z]{26}$/.test(named)) return named;
  const query = named.trim().slice(0, 254);
  if (query === "") throw new UsageError("A key has a name or an id.", "See them all: tool keys list");
  const { items } = await collect(1000, (page) =>
    client.call("GET /api/v1/keys", { ...page, query, accountId: account }),
  );
  const [found, other] = items.filter(({ name, id }) => name === named || id === named);
  const hint = `See them all with their ids: tool keys list${account === undefined ? "" : ` --account ${account}`}`;
  if (!found) throw new UsageError(`${account ?? "This account"} has no key ${named}.`, hint);
  if (!other) return found.id;
  throw new UsageError(`Several keys are called ${named}: give an id, ${found.id} or ${other.id}.`, hint);
}
