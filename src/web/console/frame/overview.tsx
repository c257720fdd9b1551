import type { ReactElement, ReactNode } from "react";
import { addressOf } from "./address.ts";
import { Frame } from "./frame.tsx";
import { Live } from "./live.tsx";
import type { Framed } from "./pages.tsx";
import type { Group, Need, Section, View } from "./section.ts";

/** Operators look at the server first. */
const ORDER: readonly Group[] = ["Server", "Project", "Account", "Tools"];
/** Further ones are shown in their sections. */
const MAX_NEEDS = 12;

interface Card {
  section: Section;
  /** Undefined if it could not be loaded, null if there is nothing to show. */
  content: ReactNode;
}

interface OfSection {
  section: Section;
  need: Need;
}

/** Shows what needs attention, then the sections' cards. */
export function OverviewPage(
  props: Framed & { cards: readonly Card[]; needs: readonly OfSection[]; steps: ReactNode },
): ReactElement {
  const { view, cards, needs, steps } = props;
  const shown = cards.filter(({ content }) => content !== null);
  return (
    <Frame {...props} path="/" title="Overview" ofProject>
      <Live name="cards" className="overview">
        {steps}
        <Needs needs={needs} view={view} />
        {ORDER.map((group) => {
          const ofGroup = shown.filter(({ section }) => section.group === group);
          if (ofGroup.length === 0) return null;
          return (
            <section key={group} className="stack" aria-labelledby={`cards-${group}`}>
              <h2 id={`cards-${group}`} className="small muted">
                {titleOf(group, view)}
              </h2>
              <div className="cards">
                {ofGroup.map((card) => (
                  <OneCard key={card.section.path} {...card} view={view} />
                ))}
              </div>
            </section>
          );
        })}
      </Live>
    </Frame>
  );
}

function OneCard({ section, content, view }: Card & { view: View }): ReactElement {
  return (
    <section className={section.wideCard ? "card stack wide" : "card stack"}>
      <h3>
        <a className="target" href={addressOf(view, section.path)}>
          {section.title}
        </a>
      </h3>
      {content ?? <p className="muted">Could not be loaded just now. Reload the page to try again.</p>}
    </section>
  );
}

function Needs({ needs, view }: { needs: readonly OfSection[]; view: View }): ReactElement {
  if (needs.length === 0) return <p className="muted">Nothing waits for you.</p>;
  const ordered = ORDER.flatMap((group) => needs.filter(({ section }) => section.group === group));
  const urgentFirst = [...ordered.filter(isUrgent), ...ordered.filter((each) => !isUrgent(each))];
  const more = needs.length - MAX_NEEDS;
  return (
    <section className="card stack" aria-labelledby="needs">
      <h2 id="needs">Waits for you</h2>
      <ul className="needs">
        {urgentFirst.slice(0, MAX_NEEDS).map(({ section, need }) => (
          <li key={section.path + need.said} className={need.isUrgent ? "urgent" : undefined}>
            <a className="target" href={addressOf(view, section.path, need.asked)}>
              {need.said}
            </a>
            {need.detail !== undefined && <span className="small muted">{need.detail}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small muted">And {more} more, in the sections themselves.</p>}
    </section>
  );
}

function isUrgent({ need }: OfSection): boolean {
  return need.isUrgent === true;
}

function titleOf(group: Group, { visit, projectId }: View): string {
  switch (group) {
    case "Server":
      return "This server";
    case "Account":
      return `Account ${visit.signedIn.account.name}`;
    case "Project":
      return `Project ${projectId}`;
    case "Tools":
      return `Tools in project ${projectId}`;
  }
}
