import type { RequestHandler } from "express";
import { sendPage } from "../layout.tsx";
import { isImpersonated, type Visits } from "../visit.ts";
import { OnlyToLookPage } from "./only-to-look.tsx";

/**
 * Refuses what an operator could do as somebody else: every form, and every page that is not there for them by name.
 * A form of a page that they were shown as somebody else is refused when that is over, too: it would do something as
 * themselves.
 */
export function onlyThemselves(visits: Pick<Visits, "impersonated">): RequestHandler {
  return async (request, response, next) => {
    const visit = await visits.impersonated(request);
    const isLooking = visit !== undefined && (isImpersonated(visit) || request.method === "POST");
    if (!isLooking) return next();
    sendPage(response, 403, OnlyToLookPage({ visit }));
  };
}
