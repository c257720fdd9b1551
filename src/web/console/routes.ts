import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request } from "express";
import type { ReactNode } from "react";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { sendPage } from "../layout.tsx";
import type { ServePage } from "../serve-page.ts";
import { isSignedIn, type SignedInVisit, type Visits } from "../visit.ts";
import { ConsolePage, SectionPage } from "./pages.tsx";
import type { Projects } from "./projects.tsx";
import type { Section, View } from "./section.ts";
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

  const start = visits.anyone(async (visit, request, response) => {
    if (!isSignedIn(visit)) return sendPage(response, 200, WelcomePage({ baseUrl: baseUrl() }));
    const view = viewOf(visit, request);
    const cards = await Promise.all(
      sections.map(async (section) => ({ section, content: await orUndefined(section, view) })),
    );
    sendPage(response, 200, ConsolePage({ view, cards, projects: await projects(visit.signedIn) }));
  });
  serve("/", { get: start });

  for (const section of sections) {
    const show = visits.signedIn(async (visit, request, response) => {
      const view = viewOf(visit, request);
      const content = await section.page(view);
      sendPage(response, 200, SectionPage({ section, view, content }));
    });
    const act = visits.signedIn(async (visit, request, response) => {
      const view = viewOf(visit, request);
      const content = await section.act?.(request.body, view);
      if (content === undefined) return response.redirect(303, section.path);
      sendPage(response, 200, SectionPage({ section, view, content }));
    });
    const download = visits.signedIn(async (visit, request, response) => {
      const file = await section.download?.(viewOf(visit, request));
      if (!file) throw new Problem("not_found", "There is nothing to take along here.");
      response.set("Content-Disposition", `attachment; filename="${file.name}"`).type(file.type);
      await pipeline(Readable.from(file.body), response).catch(() => response.destroy());
    });
    serve(section.path, section.act ? { get: show, post: act } : { get: show });
    if (section.download) serve(`${section.path}/export`, { get: download });
  }

  /** One card that fails does not take the others with it. */
  async function orUndefined(section: Section, view: View): Promise<ReactNode> {
    try {
      return await section.card(view);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error, section: section.path }, "card failed");
      return undefined;
    }
  }

  function viewOf(visit: SignedInVisit, request: Request): View {
    const query = new URL(request.originalUrl, "http://here.invalid").searchParams;
    return { visit, query, projectId: query.get("project") || "default", now: clock.now() };
  }
}
