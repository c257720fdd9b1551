import type { ReactElement } from "react";
import type { SignedIn } from "../../../accounts/sign-in/sessions/signed-in.ts";
import type { View } from "./section.ts";

export interface ProjectName {
  id: string;
  name: string;
}

/** Returns the projects of the viewer's account. */
export type Projects = (signedIn: SignedIn) => Promise<readonly ProjectName[]>;

/** Lets the viewer choose the project of the page; shows nothing if there is no choice. */
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
    <form method="get" action={action} className="inline">
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
