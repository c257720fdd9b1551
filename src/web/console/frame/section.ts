import type { ReactNode } from "react";
import type { SignedInVisit } from "../../visit.ts";

/** The viewer of a console page, and what they look at. */
export interface View {
  visit: SignedInVisit;
  /** The current project. */
  projectId: string;
  /** The query of the page's address. */
  query: URLSearchParams;
  /** The base URL of the pages. */
  baseUrl: string;
  /** Returns what people call a plan. */
  nameOfPlan(plan: string): string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A file, generated as fast as the client reads it. */
export interface Download {
  name: string;
  /** The media type. */
  type: string;
  body: AsyncIterable<string>;
}

/** The outcome of a form. The browser is redirected to the same page, or to `next`, which shows it once. */
export interface Done {
  said: string;
  /** A path of the console; the form's own page by default. */
  next?: string;
  /** The fields of a form to the same section that undoes it. */
  undo?: Readonly<Record<string, string>>;
}

/**
 * The actions of a section's forms, by their field `do`. For `Done`, the browser is redirected. Other content is shown
 * once, in place of the page. Undefined shows the page again.
 */
export type Actions = Record<string, (view: View, form: URLSearchParams) => Promise<Done | ReactNode>>;

/** Something that needs the viewer's attention. */
export interface Need {
  /** A sentence, shown as a link to the section. */
  said: string;
  detail?: string;
  /** Whether something is failing or refused at this moment. */
  isUrgent?: boolean;
  /** The query of the link to the section's page. */
  asked?: Readonly<Record<string, string | undefined>>;
}

/** The headings of the navigation. */
export const GROUPS = ["Project", "Tools", "Account", "Server"] as const;
export type Group = (typeof GROUPS)[number];

/** A part of the console, with a page of its own and, optionally, a card on the overview. */
export interface Section {
  path: `/${string}`;
  title: string;
  /** Sections of `Project` and `Tools` show one project, which people choose on the page. */
  group: Group;
  /** Whether the page uses the full width. */
  wide?: boolean;
  /** Whether the card takes a whole row. */
  wideCard?: boolean;
  /** Whether the viewer may see it; by default, everyone may. Others get no card, no link and no page. */
  isFor?(view: View): boolean;
  /** What its page says to other viewers; without it, they get the same answer as for an unknown path. */
  notFor?: string;
  /** Shows the card; null if there is nothing to show. */
  card?(view: View): Promise<ReactNode>;
  /** Returns what needs the viewer's attention, for the top of the overview. */
  needs?(view: View): Promise<readonly Need[]>;
  page(view: View): Promise<ReactNode>;
  /** The actions of the forms that are sent to `path`. */
  actions?: Actions;
  /** Returns the file for a link to `path` + `/export`. */
  download?(view: View): Promise<Download>;
}

export function isDone(outcome: Done | ReactNode): outcome is Done {
  return typeof outcome === "object" && outcome !== null && "said" in outcome;
}
