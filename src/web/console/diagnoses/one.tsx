import type { ReactElement } from "react";
import type * as z from "zod";
import type { Suggestion, selfHealingContract } from "../../../tools/self-healing/contract.ts";
import { Command } from "../../command.tsx";
import { Form } from "../../form.tsx";
import { titled } from "../../format.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { type Diagnosis, PATH, placeOf } from "./list.tsx";

type Shown = z.output<(typeof selfHealingContract)["show"]["output"]>;

/** Shows what failed and where, suggestions, and recorded outcomes. */
export function OneDiagnosis(props: Shown & { view: View }): ReactElement {
  const { diagnosis, suggestions, view } = props;
  const { diagnosisId, category, cause } = diagnosis;
  const mayRecord = may(view, "write") && cause !== null;
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        All diagnoses
      </a>
      <h2>{cause ? titled(category) : "Nothing failed"}</h2>
      {cause && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre className="scroll small" tabIndex={0}>
          {cause.message}
        </pre>
      )}
      <Facts {...props} />
      {suggestions.length > 0 && (
        <>
          <h2>What may mend it</h2>
          <ul className="items">
            {suggestions.map((suggestion) => (
              <li key={suggestion.id} className="stack">
                <Advice suggestion={suggestion} />
                {mayRecord && (
                  <div className="inline">
                    <Record diagnosisId={diagnosisId} suggestion={suggestion} outcome="success" view={view} />
                    <Record diagnosisId={diagnosisId} suggestion={suggestion} outcome="failure" view={view} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Outcomes outcomes={diagnosis.outcomes} view={view} />
      {mayRecord && <OwnFix diagnosisId={diagnosisId} view={view} />}
      {may(view, "write") && (
        <TwoSteps
          action={addressOf(view, PATH)}
          visit={view.visit}
          verb="Delete"
          fields={{ do: "delete", id: diagnosisId }}
          subject={`the diagnosis ${diagnosisId}`}
          consequence="It is gone for good; with the last diagnosis of a failure, what was recorded for that failure."
        />
      )}
    </>
  );
}

function Facts({ diagnosis, seen, view }: Shown & { view: View }): ReactElement {
  const { diagnosisId, at, cause, command, exitCode, ecosystem, confidence } = diagnosis;
  const place = cause ? placeOf(cause) : "";
  return (
    <dl className="facts">
      {place !== "" && (
        <Fact name="Where">
          <code>{place}</code>
        </Fact>
      )}
      {cause?.code !== undefined && (
        <Fact name="Code">
          <code>{cause.code}</code>
        </Fact>
      )}
      {cause && <Fact name="Log line">{cause.logLine}</Fact>}
      {command !== undefined && (
        <Fact name="Command">
          <code>{command}</code>
          {exitCode !== undefined && `, exit code ${exitCode}`}
        </Fact>
      )}
      <Fact name="Tools">
        {ecosystem}, {Math.round(confidence * 100)} % sure
      </Fact>
      <Fact name="When">
        <Ago at={Date.parse(at)} now={view.now} />
      </Fact>
      {seen && seen.count > 1 && (
        <Fact name="Came">
          {seen.count} times, last <Ago at={Date.parse(seen.lastAt)} now={view.now} />
        </Fact>
      )}
      {seen?.lastFix && (
        <Fact name="Mended by">
          {seen.lastFix.title}, <Ago at={Date.parse(seen.lastFix.at)} now={view.now} />
        </Fact>
      )}
      <Fact name="Id">
        <code>{diagnosisId}</code>
      </Fact>
    </dl>
  );
}

function Advice({ suggestion }: { suggestion: Suggestion }): ReactElement {
  const { title, command, rationale, successRate, attempts } = suggestion;
  return (
    <>
      <p>
        <strong>{title}</strong>
      </p>
      <p className="small muted">
        {rationale}
        {successRate &&
          ` It works in about ${Math.round(successRate.mid * 100)} %, from ${attempts === 1 ? "1 try" : `${attempts} tries`}.`}
      </p>
      {command !== undefined && <Command>{command}</Command>}
    </>
  );
}

function Record(props: {
  diagnosisId: string;
  suggestion: Suggestion;
  outcome: "success" | "failure";
  view: View;
}): ReactElement {
  const { diagnosisId, suggestion, outcome, view } = props;
  return (
    <Form action={addressOf(view, PATH, { id: diagnosisId })} visit={view.visit}>
      <input type="hidden" name="do" value="record" />
      <input type="hidden" name="id" value={diagnosisId} />
      <input type="hidden" name="suggestion" value={suggestion.id} />
      <button type="submit" name="outcome" value={outcome}>
        {outcome === "success" ? "It worked" : "It did not"}
        <span className="unseen">: {suggestion.title}</span>
      </button>
    </Form>
  );
}

function Outcomes(props: { outcomes: Diagnosis["outcomes"]; view: View }): ReactElement | null {
  const { outcomes, view } = props;
  if (outcomes.length === 0) return null;
  return (
    <>
      <h2>What was tried</h2>
      <ul className="items">
        {outcomes.map(({ outcome, suggestionId, fix, note, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same outcome may be recorded twice
          <li key={index}>
            <p className="row">
              <span>
                {outcome === "success" ? "Worked: " : "Did not work: "}
                {fix ?? suggestionId ?? "what was not said"}
              </span>
              <span className="small muted">
                <Ago at={Date.parse(at)} now={view.now} />
              </span>
            </p>
            {note !== undefined && <p className="small muted">{note}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function OwnFix({ diagnosisId, view }: { diagnosisId: string; view: View }): ReactElement {
  return (
    <details>
      <summary>Something else helped</summary>
      <Form action={addressOf(view, PATH, { id: diagnosisId })} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="record" />
        <input type="hidden" name="id" value={diagnosisId} />
        <input type="hidden" name="outcome" value="success" />
        <div>
          <label htmlFor="fix">What was done</label>
          <input id="fix" name="fix" maxLength={4000} autoComplete="off" required />
          <p className="small muted">It is suggested when the same failure comes again.</p>
        </div>
        <div>
          <label htmlFor="note">What else is worth knowing</label>
          <input id="note" name="note" maxLength={4000} autoComplete="off" />
        </div>
        <button type="submit">Record it</button>
      </Form>
    </details>
  );
}
