import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";

export interface ProjectName {
  id: string;
  name: string;
}

/** The projects of the account of who looks. */
export type Projects = (signedIn: SignedIn) => Promise<readonly ProjectName[]>;

/** Chooses the project that the page shows; nothing where there is none to choose. */
export function ProjectChoice(props: {
  action: string;
  projects: readonly ProjectName[];
  chosen: string;
}): ReactElement | null {
  const { action, projects, chosen } = props;
  if (projects.every(({ id }) => id === chosen)) return null;
  return (
    <form method="get" action={action} className="inline">
      <label htmlFor="project">Project</label>
      <select id="project" name="project" defaultValue={chosen}>
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
