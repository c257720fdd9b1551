import type { ReactElement, ReactNode } from "react";
import { endInWords } from "../../../system/clock.ts";
import { consoleScript } from "../../assets.ts";
import { FOCUSED } from "../../fault.tsx";
import { Form } from "../../form.tsx";
import { Page, SideMenu } from "../../layout.tsx";
import { addressOf, sameAddress } from "./address.ts";
import { ProjectChoice, type ProjectName } from "./projects.tsx";
import { type Done, GROUPS, type Section, type View } from "./section.ts";

export interface FrameProps {
  view: View;
  /** The sections that the viewer may see. */
  sections: readonly Section[];
  projects: readonly ProjectName[];
  /** The path of the current page. */
  path: string;
  title: string;
  /** The document's title, if that says more. */
  documentTitle?: string;
  /** Whether the page shows one project. */
  ofProject: boolean;
  width?: "medium" | "wide";
  /** The outcome of the form that led here. */
  done?: Done | undefined;
  children: ReactNode;
}

/** The frame of every console page: the sections beside it, the outcome of a form above it. */
export function Frame(props: FrameProps): ReactElement {
  const { view, path, title, documentTitle = title, ofProject, width = "wide", done } = props;
  return (
    <Page
      title={documentTitle}
      visit={view.visit}
      width={width}
      script={consoleScript}
      aside={<Sections {...props} />}
    >
      {done && <WhatWasDone done={done} path={path} view={view} />}
      <div className="row">
        <h1>{title}</h1>
        {ofProject && <ProjectChoice view={view} action={path} projects={props.projects} />}
      </div>
      {props.children}
    </Page>
  );
}

function Sections({ view, sections, path }: FrameProps): ReactElement {
  const { account, user } = view.visit.signedIn;
  const link = (to: string, title: string) => (
    <li key={to}>
      <a className="target" href={addressOf(view, to)} aria-current={to === path ? "page" : undefined}>
        {title}
      </a>
    </li>
  );
  return (
    <SideMenu label="Sections" viewer={user.id}>
      <p className="account">
        <span className="small muted">Account</span>
        <strong title={account.name}>{account.name}</strong>
        <span className="small muted">
          Plan {view.nameOfPlan(account.plan)} · {user.role}
        </span>
        {account.nextPlan && (
          <span className="small muted">
            until {endInWords(account.nextPlan.at)}, then {view.nameOfPlan(account.nextPlan.plan)}
          </span>
        )}
      </p>
      <ul>{link("/", "Overview")}</ul>
      {GROUPS.map((group) => {
        const members = sections.filter((section) => section.group === group);
        if (members.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`sections-${group}`}>
            <h2 id={`sections-${group}`} className="small muted">
              {group}
            </h2>
            <ul>{members.map((section) => link(section.path, section.title))}</ul>
          </section>
        );
      })}
      <ul>
        <li>
          <a className="target" href="/docs">
            API reference
          </a>
        </li>
      </ul>
    </SideMenu>
  );
}

function WhatWasDone({ done, path, view }: { done: Done; path: string; view: View }): ReactElement {
  return (
    <div className="notice done row" role="status" {...FOCUSED}>
      <p>{done.said}</p>
      {done.undo && (
        <Form action={sameAddress(view, path, {})} visit={view.visit}>
          {Object.entries(done.undo).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit">Undo</button>
        </Form>
      )}
    </div>
  );
}
