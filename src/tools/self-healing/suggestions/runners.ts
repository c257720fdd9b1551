import { configuration, edit, retry, within } from "./suggestion.ts";

export const runners = within("ci", [
  retry(
    { categories: ["infrastructure"] },
    "ci-rerun",
    "Run the job again",
    "The runner was lost or stopped; nothing in the project failed.",
    undefined,
  ),
  configuration(
    { signatures: ["job-time-limit"], categories: ["timeout"] },
    "ci-time-limit",
    "Split the job, or raise its limit",
    "The job ran to the end of its time; a step that waits for input or a lock does so as well.",
    undefined,
  ),
  edit(
    { signatures: ["workflow-file"], categories: ["configuration"] },
    "ci-workflow",
    "Correct the workflow file",
    "An action, an input or an expression is not what the service knows.",
    "actionlint",
  ),
  configuration(
    { signatures: ["run-cancelled"] },
    "ci-concurrency",
    "See whether a newer run cancelled it",
    "A concurrency group ends older runs of the same branch.",
    undefined,
  ),
]);
