import { isValidElement, type ReactElement, type ReactNode } from "react";
import type { Problem } from "../../../contract/problem.ts";
import { Form } from "../../form.tsx";
import { Page } from "../../layout.tsx";
import type { SignedInVisit } from "../../visit.ts";
import { addressOf } from "./address.ts";
import { Frame, type FrameProps } from "./frame.tsx";
import type { Section } from "./section.ts";

export type Framed = Pick<FrameProps, "view" | "sections" | "projects" | "done">;

const MAX_TITLE = 80;

/** The content of a page about one thing, whose name the browser's tab and history show before the section's. */
export function Titled({ children }: { name: string; children?: ReactNode }): ReactElement {
  return <>{children}</>;
}

/** Returns the document's title of a section's page. */
function titleOf(section: string, content: ReactNode): string {
  if (!isValidElement<{ name: string }>(content) || content.type !== Titled) return section;
  const characters = [
    ...content.props.name
      .slice(0, 4 * MAX_TITLE)
      .replace(/\s+/g, " ")
      .trim(),
  ];
  const name =
    characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join("")}…` : characters.join("");
  return name === "" ? section : `${name} · ${section}`;
}

/** Shows a section's own page. */
export function SectionPage(props: Framed & { section: Section; content: ReactNode }): ReactElement {
  const { section, content } = props;
  return (
    <Frame
      {...props}
      path={section.path}
      title={section.title}
      documentTitle={titleOf(section.title, content)}
      ofProject={isOfProject(section)}
      width={section.wide ? "wide" : "medium"}
    >
      <div className="card stack">{content}</div>
    </Frame>
  );
}

/** Says why a page of a section cannot be shown, or a form of it was refused. */
export function ProblemPage(props: Framed & { section: Section; problem: Problem }): ReactElement {
  const { section, problem, view } = props;
  return (
    <Frame
      {...props}
      path={section.path}
      title={problem.title}
      ofProject={isOfProject(section)}
      width="medium"
    >
      <div className="card stack">
        <p>{problem.detail}</p>
        <a className="target" href={addressOf(view, section.path)}>
          {section.title}
        </a>
      </div>
    </Frame>
  );
}

function isOfProject({ group }: Section): boolean {
  return group === "Project" || group === "Tools";
}

/** Says that an address belongs to another account of the same person. */
export function OtherAccountPage(props: {
  visit: SignedInVisit;
  accountId: string;
  next: string;
}): ReactElement {
  const { visit, accountId, next } = props;
  return (
    <Page title="Another account" visit={visit} width="narrow">
      <div className="card stack">
        <h1>This page is of another account of yours</h1>
        <p>You are in {visit.signedIn.account.name}.</p>
        <Form action="/accounts" visit={visit} next={next}>
          <input type="hidden" name="account" value={accountId} />
          <button type="submit" className="filled">
            Switch to it
          </button>
        </Form>
        <a className="button" href="/">
          Stay here
        </a>
      </div>
    </Page>
  );
}
