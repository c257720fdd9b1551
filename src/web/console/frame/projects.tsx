import type { ReactElement } from "react";
import type { SignedIn } from "../../../accounts/sign-in/browser-sessions.ts";
import type { View } from "./section.ts";

export interface ProjectName {
  id: string;
  name: string;
}

/** The projects of the account of who looks. */
export type Projects = (signedIn: SignedIn) => Promise<readonly ProjectName[]>;

/** Chooses the project that the page shows; nothing where there is none to choose. */
export function ProjectChoice(props: {
  view: View;
  action: string;
  projects: readonly ProjectName[];
}): ReactElement | null {
  const { view, action, projects } = props;
  const { projectId, query } = view;
  if (projects.every(({ id }) => id === projectId)) return null;
  const known = projects.some(({ id }) => id === projectId);
  const account = query.get("account");
  return (
    <form method="get" action={action} className="inline" data-submit="change">
      {account && <input type="hidden" name="account" value={account} />}
      <label htmlFor="project">Project</label>
      <select id="project" name="project" defaultValue={projectId}>
        {!known && <option value={projectId}>{projectId}</option>}
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">Show</button>
    </form>
  );
}
