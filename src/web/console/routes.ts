import type { Request } from "express";
import type { ReactNode } from "react";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { sendPage } from "../layout.tsx";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit, Visits } from "../visit.ts";
import { ConsolePage, SectionPage } from "./pages.tsx";
import type { Projects } from "./projects.tsx";
import type { Look, Section } from "./section.ts";
import { WelcomePage } from "./welcome.tsx";

/** The start page, with a card for each section, and the sections' own pages. */
export function consoleRoutes(parts: {
  sections: readonly Section[];
  projects: Projects;
  serve: ServePage;
  visits: Visits;
  baseUrl: () => string;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "error">;
}): void {
  const { sections, projects, serve, visits, baseUrl, clock, log } = parts;

  const start = visits.anyone(async ({ signedIn, formToken }, request, response) => {
    if (!signedIn) return sendPage(response, 200, WelcomePage({ baseUrl: baseUrl() }));
    const look = lookOf({ signedIn, formToken }, request);
    const cards = await Promise.all(
      sections.map(async (section) => ({ section, content: await orUndefined(section, look) })),
    );
    sendPage(response, 200, ConsolePage({ look, cards, projects: await projects(signedIn) }));
  });
  serve("/", { get: start });

  for (const section of sections) {
    const show = visits.signedIn(async (visit, request, response) => {
      const look = lookOf(visit, request);
      const content = await section.page(look);
      sendPage(response, 200, SectionPage({ section, look, content }));
    });
    const act = visits.signedIn(async (visit, request, response) => {
      await section.act?.(request.body, lookOf(visit, request));
      response.redirect(303, section.path);
    });
    serve(section.path, section.act ? { get: show, post: act } : { get: show });
  }

  /** One card that fails does not take the others with it. */
  async function orUndefined(section: Section, look: Look): Promise<ReactNode> {
    try {
      return await section.card(look);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error, section: section.path }, "card failed");
      return undefined;
    }
  }

  function lookOf(visit: SignedInVisit, request: Request): Look {
    const query = new URL(request.originalUrl, "http://here.invalid").searchParams;
    return { visit, query, projectId: query.get("project") || "default", now: clock.now() };
  }
}
