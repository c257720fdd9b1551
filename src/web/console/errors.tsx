import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { ErrorGroup } from "../../tools/observability/groups/contract.ts";
import { Command, commandFor } from "../command.tsx";
import { grouped } from "../format.ts";
import { Ago } from "../time.tsx";
import type { Section, View } from "./section.ts";

/** A project's errors, the one seen last first. */
export type RecentErrors = (
  signedIn: SignedIn,
  projectId: string,
  limit: number,
) => Promise<readonly ErrorGroup[]>;

const ON_CARD = 3;
const ON_PAGE = 100;
const MAX_ON_CARD = 200;

export function errorsSection(recent: RecentErrors): Section {
  return {
    path: "/errors",
    title: "Recent errors",
    group: "Tools",
    card: async (view) => (
      <Errors list={await recent(view.visit.signedIn, view.projectId, ON_CARD)} view={view} />
    ),
    page: async (view) => (
      <Errors list={await recent(view.visit.signedIn, view.projectId, ON_PAGE)} view={view} stacks />
    ),
  };
}

function Errors(props: { list: readonly ErrorGroup[]; view: View; stacks?: boolean }): ReactElement {
  const { list, view, stacks } = props;
  const { projectId, baseUrl, now } = view;
  if (list.length === 0) {
    return (
      <>
        <p className="muted">Project {projectId} has no errors. Programs report theirs with the DSN of:</p>
        <Command>{commandFor(baseUrl, "observability config", projectId)}</Command>
      </>
    );
  }
  return (
    <ul className="items">
      {list.map((error) => (
        <li key={error.fingerprint}>
          <p className="row">
            <strong>{error.type}</strong>
            <span className="small muted">{times(error.count)}</span>
          </p>
          {error.message !== "" && (
            <p className="small">{stacks ? error.message : beginning(error.message)}</p>
          )}
          <p className="small muted">
            {error.source === "server" ? "this server" : "reported"}
            {error.route !== undefined && `, ${error.route}`} ·{" "}
            <Ago at={Date.parse(error.lastSeenAt)} now={now} />
          </p>
          {stacks && error.stack !== undefined && (
            <details>
              <summary>Stack</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <pre className="scroll small" tabIndex={0}>
                {error.stack}
              </pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A card has room for a few lines. */
function beginning(message: string): string {
  return message.length > MAX_ON_CARD ? `${message.slice(0, MAX_ON_CARD).toWellFormed()}…` : message;
}

function times(count: number): string {
  return count === 1 ? "once" : `${grouped(count)} times`;
}
