import type { ReactElement } from "react";
import type { Entitlements } from "../../metering/contract.ts";
import { Command, commandFor } from "../command.tsx";
import type { Section, View } from "./frame/section.ts";

/** Returns what a project's keys may use, as `/api/v1/entitlements/resolve` does. */
export type EntitlementsOf = (
  view: View,
) => Promise<Pick<Entitlements, "tier" | "features" | "agents" | "upgradeUrl">>;

export function entitlementsSection(entitlements: EntitlementsOf): Section {
  return {
    path: "/entitlements",
    title: "Entitlements",
    group: "Project",
    async page(view) {
      const { projectId, baseUrl, nameOfPlan } = view;
      const { tier, features, agents, upgradeUrl } = await entitlements(view);
      return (
        <>
          <p>
            Project {projectId} has the plan {nameOfPlan(tier)}, with these gates. A star stands for every
            gate below it.
          </p>
          <Gates features={features} />
          <h2>Agents that this plan lacks</h2>
          {agents.denied.length === 0 ? (
            <p className="muted">None: every agent is included.</p>
          ) : (
            <ul className="items">
              {agents.denied.map((agent) => (
                <li key={agent} className="row">
                  <code>{agent}</code>
                  <span className="small muted">needs {nameOfPlan(agents.required[agent] ?? "")}</span>
                </li>
              ))}
            </ul>
          )}
          {upgradeUrl !== undefined && (
            <p>
              <a href={upgradeUrl}>Get a larger plan</a>
            </p>
          )}
          <p className="muted">Ask from a script whether a gate is open; 0 is yes, 3 is no:</p>
          <Command>{commandFor(baseUrl, "entitlements --check agents.business", projectId)}</Command>
        </>
      );
    },
  };
}

function Gates({ features }: { features: readonly string[] }): ReactElement {
  return (
    <ul className="chips">
      {features.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
  );
}
