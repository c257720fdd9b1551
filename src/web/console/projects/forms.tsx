import type { ReactElement } from "react";
import type { Project } from "../../../accounts/model.ts";
import { Form } from "../../form.tsx";
import { sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";

export const PATH = "/projects";

/** Shows the button that archives or restores a project. One that is being deleted cannot be restored. */
export function ArchiveOrRestore({ project, view }: { project: Project; view: View }): ReactElement | null {
  const { id, name, archivedAt, deleting } = project;
  if (deleting) return null;
  const isArchived = archivedAt !== undefined;
  return (
    <ProjectForm view={view} id={id} does={isArchived ? "restore" : "archive"}>
      <button type="submit">
        {isArchived ? "Restore" : "Archive"}
        <span className="unseen"> the project {name}</span>
      </button>
    </ProjectForm>
  );
}

export function ProjectForm(props: {
  view: View;
  id: string;
  does: string;
  className?: string;
  children: React.ReactNode;
}): ReactElement {
  const { view, id, does, className, children } = props;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} {...(className && { className })}>
      <input type="hidden" name="do" value={does} />
      <input type="hidden" name="id" value={id} />
      {children}
    </Form>
  );
}
