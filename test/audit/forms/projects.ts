import { press } from "../../web/support/forms.ts";
import type { Place, Sent } from "./place.ts";

let count = 0;

/** Creates a project by a write to it. */
async function project({ app }: Place): Promise<string> {
  const id = `form-${++count}`;
  await app.request("POST", "/api/v1/track", {
    headers: { "X-Project-Id": id },
    body: { type: "api_calls" },
  });
  return id;
}

const toProject = (action: string, fields = {}, first?: string): Sent["send"] => {
  return async (place) => {
    const id = await project(place);
    if (first !== undefined) await press(place.operator, `/projects?id=${id}`, first);
    return press(place.operator, `/projects?id=${id}`, action, fields);
  };
};

export const PROJECTS: Record<string, Sent> = {
  "/projects rename": { action: "project.updated", send: toProject("rename", { name: "Another name" }) },
  "/projects archive": { action: "project.updated", says: "after", send: toProject("archive") },
  "/projects restore": {
    action: "project.updated",
    says: "before",
    send: toProject("restore", {}, "archive"),
  },
  "/projects delete": {
    action: "project.deleted",
    says: "before",
    async send(place) {
      const id = await project(place);
      let over = false;
      const deleting = press(place.operator, `/projects?id=${id}`, "delete", { same: id }).finally(() => {
        over = true;
      });
      // Deletion waits two seconds for instances that have the project cached.
      while (!over) {
        place.clock.advance(500);
        await new Promise((turn) => setTimeout(turn, 10));
      }
      return deleting;
    },
  },
};
