import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { ErrorGroup } from "../../tools/observability/contract.ts";
import { Command } from "../command.tsx";
import { grouped } from "../format.ts";
import { Ago } from "../time.tsx";
import type { Section } from "./section.ts";

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
    card: async ({ visit, projectId, now }) => (
      <Errors list={await recent(visit.signedIn, projectId, ON_CARD)} projectId={projectId} now={now} />
    ),
    page: async ({ visit, projectId, now }) => (
      <Errors
        list={await recent(visit.signedIn, projectId, ON_PAGE)}
        projectId={projectId}
        now={now}
        stacks
      />
    ),
  };
}

function Errors(props: {
  list: readonly ErrorGroup[];
  projectId: string;
  now: number;
  stacks?: boolean;
}): ReactElement {
  const { list, projectId, now, stacks } = props;
  if (list.length === 0) {
    return (
      <>
        <p className="muted">Project {projectId} has no errors. Programs report theirs with the DSN of:</p>
        <Command>tool observability config</Command>
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
