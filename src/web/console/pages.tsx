import type { ReactElement, ReactNode } from "react";
import { Page } from "../layout.tsx";
import { ProjectChoice, type ProjectName } from "./projects.tsx";
import type { Section, View } from "./section.ts";

/** All cards. One without content could not be loaded. */
export function ConsolePage(props: {
  view: View;
  cards: { section: Section; content: ReactNode }[];
  projects: readonly ProjectName[];
}): ReactElement {
  const { view, cards, projects } = props;
  const { account } = view.visit.signedIn;
  return (
    <Page title="Console" visit={view.visit}>
      <div className="row">
        <div>
          <h1>Account {account.name}</h1>
          <p className="muted">
            Plan {account.plan} · <a href="/docs">API reference</a>
          </p>
        </div>
        <ProjectChoice action="/" projects={projects} chosen={view.projectId} />
      </div>
      <div className="cards">
        {cards.map(({ section, content }) => (
          <section key={section.path} className={section.wide ? "card stack wide" : "card stack"}>
            <h2>
              <a className="target" href={pathOf(section, view)}>
                {section.title}
              </a>
            </h2>
            {content ?? <p className="muted">Could not be loaded just now. Reload the page to try again.</p>}
          </section>
        ))}
      </div>
    </Page>
  );
}

/** A section's own page. */
export function SectionPage(props: { section: Section; view: View; content: ReactNode }): ReactElement {
  const { section, view, content } = props;
  return (
    <Page title={section.title} visit={view.visit} width={section.wide ? "wide" : "medium"}>
      <div>
        <a className="target" href="/">
          Console
        </a>
        <h1>{section.title}</h1>
      </div>
      <section className="card stack">{content}</section>
    </Page>
  );
}

function pathOf(section: Section, view: View): string {
  const project = view.query.get("project");
  return project ? `${section.path}?${new URLSearchParams({ project })}` : section.path;
}
