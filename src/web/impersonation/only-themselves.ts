import { type PageAnswer, type PageRequest, page } from "../page.ts";
import { isImpersonated } from "../visit.ts";
import type { Visits } from "../visits.ts";
import { OnlyToLookPage } from "./only-to-look.tsx";

/** Returns the refusal of what the visitor may not do; undefined if they may. */
export type OnlyThemselves = (request: PageRequest) => Promise<PageAnswer | undefined>;

/**
 * Refuses what an impersonating operator may not do: every form, and every page that does not explicitly allow it. A
 * form from such a page is refused even after the impersonation has ended, since it would then act as the operator.
 */
export function onlyThemselves(visits: Pick<Visits, "impersonated">): OnlyThemselves {
  return async (request) => {
    const visit = await visits.impersonated(request);
    const isLooking = visit !== undefined && (isImpersonated(visit) || request.raw.method === "POST");
    return isLooking ? page(403, OnlyToLookPage({ visit })) : undefined;
  };
}
