import type { ReactNode } from "react";
import type { SignedInVisit } from "../../visit.ts";

/** Who looks at the console, at what, when. */
export interface View {
  visit: SignedInVisit;
  /** The project that is chosen. */
  projectId: string;
  /** Of the page's address. */
  query: URLSearchParams;
  /** Where people open these pages. */
  baseUrl: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A file made as fast as it is taken. */
export interface Download {
  name: string;
  /** Its media type. */
  type: string;
  body: AsyncIterable<string>;
}

/** What a form did. The page is shown again, or the one of `next`, and says so once. */
export interface Done {
  said: string;
  /** A path of the console; the page that the form stood on unless said. */
  next?: string;
  /** The fields of a form to the same section that takes it back. */
  undo?: Readonly<Record<string, string>>;
}

/** Something that waits for whoever looks. */
export interface Need {
  /** Leads to the section. */
  said: string;
  detail?: string;
  /** Something is broken or refused at this moment. */
  isUrgent?: boolean;
  /** What the section's page is asked for. */
  asked?: Readonly<Record<string, string | undefined>>;
}

/** Under which heading the navigation has a section. */
export const GROUPS = ["Project", "Tools", "Account", "Server"] as const;
export type Group = (typeof GROUPS)[number];

/** One subject of the console: a page of its own, and a card on the overview where it has one. */
export interface Section {
  path: `/${string}`;
  title: string;
  /** `Project` and `Tools`: the page shows one project, which people choose beside it. */
  group: Group;
  /** The page takes all the width there is. */
  wide?: boolean;
  /** The card takes a whole row. */
  wideCard?: boolean;
  /** Whom it is for; everybody unless said. Others do not find it: it is no card, no link and no page. */
  isFor?(view: View): boolean;
  /** What is said to others where they may know of it; otherwise its path is unknown to them. */
  notFor?: string;
  /** Null where there is nothing to show of it. */
  card?(view: View): Promise<ReactNode>;
  /** What waits in it for whoever looks, to stand above the cards. */
  needs?(view: View): Promise<readonly Need[]>;
  page(view: View): Promise<ReactNode>;
  /**
   * What a form of the page, sent to `path`, does. `Done` leads on; other content is shown once, in place of
   * the page; nothing shows the page again.
   */
  act?(form: URLSearchParams, view: View): Promise<Done | ReactNode>;
  /** What a link of the page to `path` + `/export` gives. */
  download?(view: View): Promise<Download>;
}

export function isDone(outcome: Done | ReactNode): outcome is Done {
  return typeof outcome === "object" && outcome !== null && "said" in outcome;
}
