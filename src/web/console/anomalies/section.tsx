import { type anomaliesContract, SEVERITIES, STATES } from "../../../tools/anomalies/contract.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import { Live } from "../frame/live.tsx";
import { firstOf, needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Section } from "../frame/section.ts";
import { Anomalies, AnomalyList, NoAnomalies, PATH } from "./list.tsx";
import { OneAnomaly } from "./one.tsx";

export type ProjectAnomalies = Pick<
  EndpointCalls<typeof anomaliesContract>,
  "history" | "show" | "dismiss" | "apply" | "reopen"
>;

const ON_CARD = 3;
const ON_PAGE = 20;
const OF_METRIC = 10;

/** Creates the section of a project's anomalies: charts and decisions. */
export function anomaliesSection(anomalies: ProjectAnomalies): Section {
  return {
    path: PATH,
    title: "Anomalies",
    group: "Tools",
    async card(view) {
      const { items } = await anomalies.history({ state: "open", limit: ON_CARD }, view);
      if (items.length === 0) return <NoAnomalies view={view} />;
      return <AnomalyList items={items.map((anomaly) => ({ anomaly, around: null }))} view={view} />;
    },
    async needs(view) {
      const question = { state: "open", severity: "critical", limit: ON_PAGE } as const;
      const kindOf = ({ kind }: { kind: string }) => kind.replaceAll("_", " ");
      return needOf(
        await anomalies.history(question, view),
        (anomaly) => ({
          said: `A critical anomaly in ${anomaly.metric} is open`,
          detail: kindOf(anomaly),
          asked: { id: anomaly.id },
        }),
        (count, items) => ({
          said: `${count} critical anomalies are open`,
          detail: firstOf(items, ({ metric }) => metric),
          asked: { severity: "critical" },
        }),
      );
    },
    async page(view) {
      const id = queryParam(view, "id");
      if (id !== undefined) {
        const shown = await anomalies.show({ id }, view);
        const { metric } = shown.anomaly;
        const { items } = await anomalies.history({ metric, limit: OF_METRIC }, view);
        const others = items.filter((each) => each.id !== id);
        return (
          <Titled name={metric}>
            <OneAnomaly {...shown} others={others} view={view} />
          </Titled>
        );
      }
      const state = choice(view, "state", [...STATES, "all"]) ?? "open";
      const found = await anomalies.history(
        {
          ...(state !== "all" && { state }),
          metric: queryParam(view, "metric"),
          severity: choice(view, "severity", SEVERITIES),
          include: "around",
          limit: ON_PAGE,
          cursor: queryParam(view, "after"),
        },
        view,
      );
      const items = found.items.map(({ around = null, ...anomaly }) => ({ anomaly, around }));
      return (
        <Anomalies state={state} view={view}>
          <Live name="anomalies" className="stack">
            <AnomalyList {...found} items={items} view={view} paged />
          </Live>
        </Anomalies>
      );
    },
    actions: {
      async dismiss(view, form) {
        const { anomaly } = await anomalies.dismiss({ id: idIn(form) }, view);
        return {
          said: `Dismissed: the like of it on ${anomaly.metric} is scored lower from now on.`,
          undo: { do: "reopen", id: anomaly.id },
        };
      },
      async apply(view, form) {
        const { anomaly } = await anomalies.apply({ id: idIn(form) }, view);
        return {
          said: `Applied: ${anomaly.suggestion?.effect ?? ""}`,
          undo: { do: "reopen", id: anomaly.id },
        };
      },
      async reopen(view, form) {
        const { anomaly } = await anomalies.reopen({ id: idIn(form) }, view);
        return { said: `Open again: ${anomaly.metric} is judged as before.` };
      },
    },
  };
}

function idIn(form: URLSearchParams): string {
  return form.get("id") ?? "";
}
