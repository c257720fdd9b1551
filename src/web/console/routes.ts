import type { ReactElement, ReactNode } from "react";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { StaleForm } from "../forms.ts";
import { htmlOf } from "../layout.tsx";
import { type PageAnswer, type PageRequest, page, seeOther } from "../page.ts";
import { ALLOW_SCRIPT } from "../page-headers.ts";
import { SignedOutPage } from "../resent/signed-out-page.tsx";
import type { ServePage, Unread } from "../serve-page.ts";
import { isSignedIn, type SignedInVisit, type Visit } from "../visit.ts";
import type { Visits } from "../visits.ts";
import { DEFAULT_PROJECT, sameAddress } from "./frame/address.ts";
import { fileAnswer } from "./frame/files.ts";
import { FLASH, signedFlash, verifiedFlash } from "./frame/flash.ts";
import type { Freshness } from "./frame/freshness.ts";
import { OverviewPage } from "./frame/overview.tsx";
import { type Framed, OtherAccountPage, ProblemPage, SectionPage } from "./frame/pages.tsx";
import type { Projects } from "./frame/projects.tsx";
import { type Actions, type Done, isDone, type Need, type Section, type View } from "./frame/section.ts";
import { type Sent, WithSentForm } from "./refused/sent-form.tsx";
import { WelcomePage } from "./welcome.tsx";

/** Adds the overview, with the sections' cards, and the sections' own pages. */
export function consoleRoutes(parts: {
  sections: readonly Section[];
  projects: Projects;
  nameOfPlan: View["nameOfPlan"];
  /** Shows the first steps; null once they are not needed. */
  firstSteps: (view: View) => Promise<ReactNode>;
  serve: ServePage;
  visits: Visits;
  serviceName: string;
  baseUrl: () => string;
  freshness: Freshness;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "error">;
}): void {
  const { sections, projects, nameOfPlan, firstSteps, serve, visits, freshness, clock, log } = parts;
  const { serviceName, baseUrl } = parts;

  const overview = (visit: SignedInVisit, request: PageRequest) =>
    show(visit, request, async (view) => OverviewPage(await overviewOf(view)));

  serve(
    "/",
    {
      get: visits.anyone((visit, request) =>
        isSignedIn(visit) ? overview(visit, request) : page(200, WelcomePage({ baseUrl: baseUrl() })),
      ),
    },
    "GET",
  );

  for (const section of sections) {
    const pageOf = async (view: View, content?: ReactNode) =>
      SectionPage({ ...(await framed(view)), section, content: content ?? (await contentOf(section, view)) });

    const get = visits.signedIn((visit, request) => show(visit, request, pageOf, section));

    const act = visits.anyone(async (visit, request) => {
      const { form } = request;
      if (!isSignedIn(visit)) return keepForm(visit, request, form);
      const view = viewOf(visit, request);
      if (isOfAnother(view))
        throw new Problem("conflict", "You are in another account by now. Reload the page.");
      if (section.isFor?.(view) === false) {
        const refusal = new Problem("forbidden", section.notFor ?? "This is not for you.");
        return problemIn(section, view, refusal);
      }
      let outcome: Done | ReactNode;
      try {
        outcome = await actionIn(section, form)(view, form);
      } catch (error) {
        if (!isMendable(error)) return problemIn(section, view, error);
        const { errors: faults = [{ path: "", message: error.detail }] } = error.extras;
        return showAgain(view, error.status, { form, faults });
      }
      if (outcome === undefined || isDone(outcome)) {
        const next = outcome?.next ?? sameAddress(view, section.path, { [FLASH]: undefined });
        return seeOther(outcome ? withFlash(next, signedFlash(outcome, visit.formToken)) : next);
      }
      return page(200, await pageOf(view, outcome), ALLOW_SCRIPT);
    });

    /** Shows the page with the form as it was sent, and why it was refused. */
    const showAgain = async (view: View, status: number, sent: Sent) => {
      try {
        const content = WithSentForm({ sent, children: await contentOf(section, view) });
        return page(status, await pageOf(view, content), ALLOW_SCRIPT);
      } catch (error) {
        return problemIn(section, view, error);
      }
    };

    /** A form with a stale token is shown again, so that signing in again in the meantime loses no input. */
    const unread: Unread = (error, asked) => {
      if (!(error instanceof StaleForm && error.isOurs)) return undefined;
      const show = visits.anyone(async (visit, request) => {
        if (!isSignedIn(visit)) return keepForm(visit, request, error.form);
        const view = viewOf(visit, request);
        if (isOfAnother(view)) throw error;
        const message =
          "You have signed in again since this page was made, so nothing was done. Check it, and send it again.";
        return showAgain(view, error.status, { form: error.form, faults: [{ path: "", message }] });
      });
      return show(asked);
    };

    const download = visits.signedIn(async (visit, request) => {
      const view = viewOf(visit, request);
      const allowed = !isOfAnother(view) && section.isFor?.(view) !== false;
      const file = allowed && (await section.download?.(view));
      if (!file) throw new Problem("not_found", "There is nothing to take along here.");
      return fileAnswer(file);
    });

    serve(section.path, section.actions ? { get, post: act, unread } : { get }, "GET");
    if (section.download) serve(`${section.path}/export`, { get: download });
  }

  /** Answers with a page of the console. A request for `text/event-stream` gets the page again whenever it changes. */
  async function show(
    visit: SignedInVisit,
    request: PageRequest,
    pageOf: (view: View) => Promise<ReactElement>,
    section?: Section,
  ): Promise<PageAnswer> {
    const view = viewOf(visit, request);
    if (isOfAnother(view)) {
      const accountId = view.query.get("account") ?? "";
      const isTheirs = visit.signedIn.person.memberships.some((each) => each.accountId === accountId);
      if (!isTheirs) throw new Problem("not_found", "There is no such account, or it is not yours.");
      return page(200, OtherAccountPage({ visit, accountId, next: request.url }));
    }
    if (request.raw.headers.accept !== "text/event-stream") {
      try {
        return page(200, await pageOf(view), ALLOW_SCRIPT);
      } catch (error) {
        return problemIn(section, view, error);
      }
    }
    return freshness.follow(visit.signedIn, request.gone, async () => {
      const now = await visits.again(request);
      return now && htmlOf(await pageOf(viewOf(now, request)), serviceName);
    });
  }

  /**
   * Returns the page of a problem in the frame, beside the other sections. Rethrows what is none, what is to stay hidden,
   * and that the store is away: the frame needs it, too, and would wait for it once more.
   */
  async function problemIn(section: Section | undefined, view: View, error: unknown): Promise<PageAnswer> {
    if (!(error instanceof Problem) || error.status === 503 || !section || isHidden(section, view))
      throw error;
    const framedProblem = ProblemPage({ ...(await framed(view)), section, problem: error });
    return page(error.status, framedProblem, { ...ALLOW_SCRIPT, ...error.extras.headers });
  }

  async function overviewOf(view: View) {
    const frame = await framed(view);
    const [cards, needs, steps] = await Promise.all([
      Promise.all(
        frame.sections
          .filter((section) => section.card)
          .map(async (section) => ({
            section,
            content: await orUndefined(`the card of ${section.path}`, () =>
              orWhereRefused(null, () => section.card?.(view)),
            ),
          })),
      ),
      Promise.all(frame.sections.map(async (section) => needsOf(section, view))),
      orUndefined("the first steps", () => firstSteps(view)),
    ]);
    return { ...frame, cards, needs: needs.flat(), steps };
  }

  async function framed(view: View): Promise<Framed> {
    return {
      view,
      sections: sections.filter((section) => section.isFor?.(view) !== false),
      projects: await projects(view.visit.signedIn),
      done: verifiedFlash(view.query.get(FLASH), view.visit.formToken),
    };
  }

  async function needsOf(section: Section, view: View): Promise<{ section: Section; need: Need }[]> {
    const needs = await orUndefined(`the needs of ${section.path}`, () =>
      orWhereRefused([], async () => (await section.needs?.(view)) ?? []),
    );
    // If a section fails, it is reported, since it is unknown whether anything needs attention.
    const all = needs ?? [{ said: `${section.title}: could not be looked at just now` }];
    return all.map((need) => ({ section, need }));
  }

  /** Returns undefined if a part fails, so that the others are still shown. */
  async function orUndefined<T>(part: string, find: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error, part }, "a part of the overview failed");
      return undefined;
    }
  }

  function viewOf(visit: SignedInVisit, { query }: PageRequest): View {
    const projectId = query.get("project") || DEFAULT_PROJECT;
    return { visit, query, projectId, baseUrl: baseUrl(), nameOfPlan, now: clock.now() };
  }
}

/** Keeps the form of somebody whose session has ended. */
function keepForm(visit: Visit, { url }: PageRequest, form: URLSearchParams): PageAnswer {
  return page(403, SignedOutPage({ visit, action: url, form }));
}

/** Whether a form is shown again, on its page as that is now: its input is at fault, or what it refers to has changed or gone. */
function isMendable(error: unknown): error is Problem {
  return error instanceof Problem && [400, 404, 409, 422].includes(error.status);
}

/** Returns `otherwise` for what the viewer may not see. */
async function orWhereRefused<T>(otherwise: T, find: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return otherwise;
    throw error;
  }
}

/** Returns the action that a form asks for. Throws `invalid_request`. */
function actionIn({ actions = {} }: Section, form: URLSearchParams): Actions[string] {
  const name = form.get("do") ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action;
  throw new Problem("invalid_request", "This form is out of date. Reload the page.");
}

async function contentOf(section: Section, view: View): Promise<ReactNode> {
  if (isHidden(section, view)) throw new Problem("not_found", "There is no such page.");
  return section.isFor?.(view) === false ? section.notFor : section.page(view);
}

/** Whether the viewer is not to know of a section. */
function isHidden(section: Section, view: View): boolean {
  return section.isFor?.(view) === false && section.notFor === undefined;
}

function isOfAnother({ query, visit }: View): boolean {
  const named = query.get("account");
  return named !== null && named !== visit.signedIn.account.id;
}

function withFlash(path: string, flash: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ [FLASH]: flash })}`;
}
