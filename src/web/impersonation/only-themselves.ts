import type { RequestHandler } from "express";
import { sendPage } from "../layout.tsx";
import { isImpersonated, type Visits } from "../visit.ts";
import { OnlyToLookPage } from "./only-to-look.tsx";

/**
 * Refuses what an impersonating operator may not do: every form, and every page that does not explicitly allow it. A
 * form from such a page is refused even after the impersonation has ended, since it would then act as the operator.
 */
export function onlyThemselves(visits: Pick<Visits, "impersonated">): RequestHandler {
  return async (request, response, next) => {
    const visit = await visits.impersonated(request);
    const isLooking = visit !== undefined && (isImpersonated(visit) || request.method === "POST");
    if (!isLooking) return next();
    sendPage(response, 403, OnlyToLookPage({ visit }));
  };
}
