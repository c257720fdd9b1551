import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";

/** Returns the id of a webhook that is given by its id or its unique URL. */
export async function webhookIdOf(client: Context["client"], named: string): Promise<string> {
  if (/^whk_[0-9a-z]{26}$/.test(named)) return named;
  const { items } = await collect(1000, (page) => client.call("GET /api/v1/webhooks", page));
  const [found, other] = items.filter(({ id, url }) => id === named || url === named || url === `${named}/`);
  if (found && !other) return found.id;
  const hint = "See them all with their ids: tool webhooks list";
  if (!found) throw new UsageError(`This account has no webhook ${named}.`, hint);
  throw new UsageError(`Several webhooks lead to ${named}: give the id of one.`, hint);
}
