import type { ReactElement } from "react";
import type { Project } from "../../../accounts/model.ts";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { ArchiveOrRestore, PATH, ProjectForm } from "./forms.tsx";
import { State } from "./table.tsx";

/** Shows all about a project, with the actions on it. */
export function OneProject({ project, view }: { project: Project; view: View }): ReactElement {
  const { id, name, plan, learningOptIn, createdAt } = project;
  return (
    <>
      <div>
        <a className="target" href={addressOf(view, PATH)}>
          All projects
        </a>
        <h2>{name}</h2>
      </div>
      <dl className="facts">
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
        <Fact name="State">
          <State project={project} now={view.now} />
        </Fact>
        {plan !== undefined && <Fact name="Plan">{view.nameOfPlan(plan)}, for its gates</Fact>}
        <Fact name="Learning">
          {learningOptIn ? "takes part in learning across projects" : "keeps to itself"}
        </Fact>
        <Fact name="Made">
          <Ago at={createdAt} now={view.now} />
        </Fact>
      </dl>
      <div className="inline">
        <a className="button" href={addressOf(view, "/usage", { project: id })}>
          Its usage
        </a>
        {may(view, "admin") && <ArchiveOrRestore project={project} view={view} />}
      </div>
      {may(view, "admin") && !project.deleting && <Rename project={project} view={view} />}
      {may(view, "admin") && <Delete project={project} view={view} />}
    </>
  );
}

function Rename({ project: { id, name }, view }: { project: Project; view: View }): ReactElement {
  return (
    <>
      <h2>Rename it</h2>
      <ProjectForm view={view} id={id} does="rename" className="stack">
        <div>
          <label htmlFor="name">Name</label>
          <input id="name" name="name" maxLength={256} autoComplete="off" required defaultValue={name} />
          <p className="small muted">Programs go on naming it by its id, which stays.</p>
        </div>
        <button type="submit">Rename</button>
      </ProjectForm>
    </>
  );
}

function Delete({ project: { id, deleting }, view }: { project: Project; view: View }): ReactElement {
  if (deleting) {
    return (
      <ProjectForm view={view} id={id} does="delete" className="stack">
        <input type="hidden" name="same" value={id} />
        <p>It is being deleted: nobody writes to it any more, and some of what it held is still there.</p>
        <button type="submit" className="filled">
          Go on deleting it
        </button>
      </ProjectForm>
    );
  }
  return (
    <TwoSteps
      action={sameAddress(view, PATH, {})}
      visit={view.visit}
      fields={{ do: "delete", id }}
      verb="Delete this project"
      consequence="With all that tools keep in it and what was counted in it, for good; keys that are bound to it end. The account's own totals stay. Archiving it instead keeps everything."
    >
      <div>
        <label htmlFor="same">Type its id, {id}, to make sure</label>
        <input id="same" name="same" autoComplete="off" required />
      </div>
    </TwoSteps>
  );
}
