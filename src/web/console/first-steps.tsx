import type { ReactElement, ReactNode } from "react";
import type { ApiKeys } from "../../accounts/credentials/api-keys.ts";
import type { SignedInDevices } from "../../accounts/devices/signed-in-devices.ts";
import type { Users } from "../../accounts/users/users.ts";
import type { UsageViews } from "../../metering/usage/reports/usage-views.ts";
import { Command, commandFor, loginCommand } from "../command.tsx";
import { may } from "./frame/endpoint-calls.ts";
import type { View } from "./frame/section.ts";
import { sumOf } from "./usage/chart.tsx";
import { lastDays } from "./usage/question.ts";

interface Step {
  title: string;
  command: string;
  isDone: boolean;
}

/** How many days back a use is searched for. */
const DAYS = 366;
/** Bound of the cache of projects that have been used. */
const MAX_BEGUN = 10_000;

/**
 * Returns a function that shows the first steps, if the viewer sees no use of the project in a year, and null
 * otherwise.
 */
export function createFirstSteps(parts: {
  usage: Pick<UsageViews, "series">;
  devices: Pick<SignedInDevices, "list">;
  apiKeys: Pick<ApiKeys, "list">;
  users: Pick<Users, "list">;
}): (view: View) => Promise<ReactNode> {
  const { usage, devices, apiKeys, users } = parts;

  async function stepsOf(view: View): Promise<Step[]> {
    const { visit, baseUrl, projectId } = view;
    const { account, user } = visit.signedIn;
    const own = await devices.list(account.id, user.id);
    const steps = [{ title: "Sign a terminal in", command: loginCommand(baseUrl), isDone: own.length > 0 }];
    if (!may(view, "write")) return steps;
    steps.push(
      {
        title: "Count a first use",
        command: commandFor(baseUrl, "track api_calls", projectId),
        isDone: false,
      },
      {
        title: "Give a coding agent the tools",
        command: commandFor(baseUrl, "mcp install --client claude-code", projectId),
        isDone: false,
      },
    );
    if (!may(view, "admin")) return steps;
    const [keys, people] = await Promise.all([
      apiKeys.list(account.id, { limit: 1 }),
      users.list(account.id, { limit: 2 }),
    ]);
    steps.push(
      {
        title: "Make a key for a program",
        command: commandFor(baseUrl, "keys create ci"),
        isDone: keys.items.length > 0,
      },
      {
        title: "Invite somebody",
        command: commandFor(baseUrl, "users invite somebody@example.com"),
        isDone: people.items.length > 1,
      },
    );
    return steps;
  }

  /** Caches the viewers of projects that have a use, which rarely changes. */
  const begun = new Set<string>();

  async function hasBegun({ visit, projectId, now }: View): Promise<boolean> {
    const look = [visit.by.accountId, visit.by.userId, projectId].join("/");
    if (begun.has(look)) return true;
    if (sumOf(await usage.series(visit.by, { ...lastDays(now, DAYS), projectId })) === 0) return false;
    if (begun.size >= MAX_BEGUN) begun.clear();
    begun.add(look);
    return true;
  }

  return async (view) => {
    const { projectId } = view;
    if (await hasBegun(view)) return null;
    return <FirstSteps steps={await stepsOf(view)} projectId={projectId} />;
  };
}

function FirstSteps({ steps, projectId }: { steps: readonly Step[]; projectId: string }): ReactElement {
  return (
    <section className="card stack" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps in project {projectId}</h2>
      <ol className="steps">
        {steps.map(({ title, command, isDone }) => (
          <li key={title}>
            {title}
            {isDone ? <span className="small muted"> · done</span> : <Command>{command}</Command>}
          </li>
        ))}
      </ol>
    </section>
  );
}
