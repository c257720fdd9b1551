import type { ReactElement } from "react";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import type { ErrorDetails } from "../../../tools/observability/groups/contract.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Do, Form } from "../../form.tsx";
import { times } from "../../format.ts";
import { Ago, Until } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may, queryParam } from "../frame/endpoint-calls.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { Tabs } from "../frame/tabs.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";
import { PATH, stateOf, users } from "./list.tsx";
import { Stack } from "./stack.tsx";

const UNITS = { hour: HOUR_MS, day: DAY_MS };

/** Shows an error, when and where it happened, and the actions on it. */
export function OneError({ error, view }: { error: ErrorDetails; view: View }): ReactElement {
  const { type, message, stack } = error;
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        All errors
      </a>
      <h2>{type}</h2>
      {message !== "" && <p className="prose">{message}</p>}
      {may(view, "write") && <Decide error={error} view={view} />}
      <Trend error={error} view={view} />
      <Facts error={error} view={view} />
      {stack !== undefined && <Stack stack={stack} restored={error.restored} />}
      <Occurrences error={error} view={view} />
      {may(view, "write") && (
        <TwoSteps
          action={addressOf(view, PATH)}
          visit={view.visit}
          verb="Delete"
          fields={{ do: "delete", [error.fingerprint]: "on" }}
          subject={type}
          consequence="What is known of it is gone. If it happens again, it is new."
        />
      )}
    </>
  );
}

function Decide({ error, view }: { error: ErrorDetails; view: View }): ReactElement {
  const { state, fingerprint, releases } = error;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} className="inline">
      <input type="hidden" name={fingerprint} value="on" />
      {state === "open" ? (
        <>
          <Do what="resolve">Resolve</Do>
          {releases && <Do what="resolve-next">Resolve in the next release</Do>}
          <Do what="ignore">Ignore</Do>
          <Do what="ignore-week">Ignore for a week</Do>
        </>
      ) : (
        <Do what="reopen">Reopen</Do>
      )}
    </Form>
  );
}

function Trend({ error, view }: { error: ErrorDetails; view: View }): ReactElement {
  const granularity = queryParam(view, "by") === "hour" ? "hour" : "day";
  const { from, counts } = granularity === "hour" ? error.hourly : error.daily;
  const start = Date.parse(from);
  return (
    <>
      <TimeChart
        label={`${error.type} over time`}
        at={counts.map((_, index) => new Date(start + index * UNITS[granularity]).toISOString())}
        granularity={granularity}
        series={[{ name: "Errors", colour: "workflows_started", values: counts }]}
      />
      <Tabs
        label="Period"
        tabs={(["day", "hour"] as const).map((each) => ({
          title: each === "day" ? "90 days" : "14 days by the hour",
          href: sameAddress(view, PATH, { by: each }),
          isCurrent: each === granularity,
        }))}
      />
    </>
  );
}

function Facts({ error, view }: { error: ErrorDetails; view: View }): ReactElement {
  const { now } = view;
  const { decision, releases, environments, usersAffected, route, traceId, regressedAt } = error;
  const of = (asked: Record<string, string>) => addressOf(view, PATH, { state: "all", ...asked });
  return (
    <dl className="facts">
      <Fact name="State">
        {stateOf(error)}
        {regressedAt !== undefined && (
          <>
            , back since <Ago at={Date.parse(regressedAt)} now={now} />
          </>
        )}
        {decision && (
          <>
            {" "}
            <Ago at={Date.parse(decision.at)} now={now} /> by {decision.by}
            {decision.inNextRelease && ", for the next release"}
            {decision.untilCount !== undefined && `, until it happened ${times(decision.untilCount)}`}
            {decision.until !== undefined && (
              <>
                , for <Until at={Date.parse(decision.until)} now={now} />
              </>
            )}
          </>
        )}
      </Fact>
      <Fact name="Seen">
        {times(error.count)}
        {usersAffected !== undefined && `, by ${users(usersAffected)}`}
      </Fact>
      <Fact name="First">
        <Ago at={Date.parse(error.firstSeenAt)} now={now} />
      </Fact>
      <Fact name="Last">
        <Ago at={Date.parse(error.lastSeenAt)} now={now} />
      </Fact>
      {route !== undefined && <Fact name="Where">{route}</Fact>}
      {releases && (
        <Fact name="Releases">
          {releases.map(({ name, count, firstSeenAt }, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <a href={of({ release: name })}>{name}</a> ({times(count)}, since{" "}
              <Ago at={Date.parse(firstSeenAt)} now={now} />)
            </span>
          ))}
        </Fact>
      )}
      {environments && (
        <Fact name="In">
          {environments.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <a href={of({ environment: name })}>{name}</a>
            </span>
          ))}
        </Fact>
      )}
      {traceId !== undefined && (
        <Fact name="Trace">
          <code>{traceId}</code>
        </Fact>
      )}
      <Fact name="Id">
        <code>{error.fingerprint}</code>
      </Fact>
    </dl>
  );
}

function Occurrences({ error, view }: { error: ErrorDetails; view: View }): ReactElement | null {
  const { occurrences } = error;
  if (occurrences.length === 0) return null;
  return (
    <>
      <h3>The last {occurrences.length === 1 ? "time" : `${occurrences.length} times`}</h3>
      <ul className="items">
        {occurrences.map(({ at, release, environment, traceId, tags = {} }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two occurrences may have the same time
          <li key={index}>
            <p className="small">
              <Ago at={Date.parse(at)} now={view.now} />
              {[release, environment].filter(Boolean).map((word) => ` · ${word}`)}
              {traceId !== undefined && (
                <>
                  {" · trace "}
                  <code>{traceId}</code>
                </>
              )}
            </p>
            {Object.keys(tags).length > 0 && (
              <p className="small muted">
                {Object.entries(tags)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(" · ")}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
