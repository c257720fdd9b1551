import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type Asset, favicon, stylesheet } from "./assets.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icon.tsx";
import { ImpersonationBanner } from "./impersonation/banner.tsx";
import { isImpersonated, type Visit } from "./visit.ts";

export interface PageProps {
  title: string;
  /** The visit of the reader, if known, shown in the bar with a way to sign out. */
  visit?: Visit;
  /** `narrow` for one question, `medium` for a list, `wide` (the default) for cards and charts. */
  width?: "narrow" | "medium" | "wide";
  /** A script that the page runs. The answer must allow it (`ALLOW_SCRIPT`). */
  script?: Asset | undefined;
  /** A `SideMenu`. */
  aside?: ReactNode;
  /** The URL to which the browser goes on automatically. */
  refresh?: string;
  children: ReactNode;
}

/** What people know the service by: its plans file says so. */
const ServiceName = createContext("");

export function Page({ title, visit, width, script, aside, refresh, children }: PageProps): ReactElement {
  const serviceName = useContext(ServiceName);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{`${title} · ${serviceName}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh !== undefined && <meta httpEquiv="refresh" content={`0;url=${refresh}`} />}
        <link rel="stylesheet" href={stylesheet.path} />
        {script && <script src={script.path} defer />}
        <link rel="icon" type={favicon.type} href={favicon.path} />
      </head>
      <body>
        <a className="skip" href="#page">
          Skip to the page
        </a>
        <header className="bar">
          {aside !== undefined && (
            <a id="menu" className="button menu" href="#sections">
              Sections
            </a>
          )}
          <a className="wordmark" href="/">
            <Icon />
            {serviceName}
          </a>
          {visit?.signedIn && !visit.signedIn.operator && (
            <Form action="/sign-out" visit={visit} className="whoami">
              <span>{visit.signedIn.user.email}</span>
              {visit.signedIn.person.memberships.length > 1 && (
                <a className="target" href="/accounts">
                  {visit.signedIn.account.name}
                </a>
              )}
              <a className="target" href="/security">
                Security
              </a>
              <button type="submit" className="link">
                Sign out
              </button>
            </Form>
          )}
        </header>
        {visit && isImpersonated(visit) && <ImpersonationBanner visit={visit} />}
        {aside === undefined ? (
          <main id="page" className={width}>
            {children}
          </main>
        ) : (
          <div className="frame">
            {aside}
            <main id="page" className={width}>
              {children}
            </main>
          </div>
        )}
      </body>
    </html>
  );
}

/**
 * Links beside the page. If the window is narrow, the bar's button opens them and a button of theirs closes them: both
 * are links to an element, so that they work without a script, and leave the focus where it belongs.
 */
export function SideMenu(props: { label: string; viewer?: string; children: ReactNode }): ReactElement {
  return (
    <nav id="sections" aria-label={props.label} data-viewer={props.viewer}>
      <a className="button menu" href="#menu">
        Close
      </a>
      {props.children}
    </nav>
  );
}

/** Renders a page made with `Page`. */
export function htmlOf(page: ReactElement, serviceName: string): string {
  const named = <ServiceName.Provider value={serviceName}>{page}</ServiceName.Provider>;
  return `<!doctype html>${inReadingOrder(renderToStaticMarkup(named))}`;
}

/**
 * Characters that reorder text (UAX #9), such as those of a name or a change to code that looks like another. Up to the
 * end of the line, they reverse the page's own words, too.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;
const REORDERING_OR_SENT_BACK = new RegExp(`<textarea[^>]*>[^<]*|value="[^"]*"|${REORDERING.source}`, "g");

/** Shows such characters, except in fields, whose text browsers send back. */
function inReadingOrder(html: string): string {
  if (!REORDERING.test(html)) return html;
  return html.replace(REORDERING_OR_SENT_BACK, (found) =>
    REORDERING.test(found[0] ?? "") ? "\ufffd" : found,
  );
}
