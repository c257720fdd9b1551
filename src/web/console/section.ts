import type { ReactNode } from "react";
import type { SignedInVisit } from "../visit.ts";

/** Who looks at the console, at what, when. */
export interface View {
  visit: SignedInVisit;
  /** The project that usage and entitlements are shown of. */
  projectId: string;
  /** Of the page's address. */
  query: URLSearchParams;
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

/** One subject of the console: a small card on the start page and a page of its own behind it. */
export interface Section {
  path: `/${string}`;
  title: string;
  /** The card takes the whole width. */
  wide?: boolean;
  card(view: View): Promise<ReactNode>;
  page(view: View): Promise<ReactNode>;
  /** What a form of the page, sent to `path`, does. What it gives is shown once; without, the page is again. */
  act?(form: URLSearchParams, view: View): Promise<ReactNode | undefined>;
  /** What a link of the page to `path` + `/export` gives. */
  download?(view: View): Promise<Download>;
}
