import type { ReactElement } from "react";
import type * as z from "zod";
import { CATEGORIES } from "../../../tools/self-healing/categories.ts";
import type { selfHealingContract } from "../../../tools/self-healing/contract.ts";
import { Command, commandFor } from "../../command.tsx";
import { beginning, titled } from "../../format.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { FilterForm, SelectField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";

type History = z.output<(typeof selfHealingContract)["history"]["output"]>;
export type Diagnosis = History["items"][number];

export const PATH = "/diagnoses";
const SHOWN = 280;

export function NoDiagnoses({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">Nothing was diagnosed in project {view.projectId}. Run what fails behind:</p>
      <Command>{commandFor(view.baseUrl, "diagnose", view.projectId).concat(" -- npm test")}</Command>
    </>
  );
}

export function Filter({ view }: { view: View }): ReactElement {
  return (
    <FilterForm view={view} path={PATH} choices={{ category: CATEGORIES }}>
      <SelectField view={view} name="category" label="Kind" all="Every kind" choices={CATEGORIES} />
    </FilterForm>
  );
}

export function DiagnosisList(props: History & { view: View; paged?: boolean }): ReactElement {
  const { items, nextCursor, view, paged } = props;
  return (
    <>
      {items.length === 0 && <p className="muted">No diagnosis is of that kind.</p>}
      <ul className="items">
        {items.map((diagnosis) => (
          <Item key={diagnosis.diagnosisId} diagnosis={diagnosis} view={view} />
        ))}
      </ul>
      {paged && <Below view={view} path={PATH} after={nextCursor} />}
    </>
  );
}

function Item({ diagnosis, view }: { diagnosis: Diagnosis; view: View }): ReactElement {
  const { diagnosisId, at, category, cause, command, outcomes } = diagnosis;
  const last = outcomes.at(-1);
  return (
    <li>
      <p className="row">
        <a className="target" href={addressOf(view, PATH, { id: diagnosisId })}>
          <strong>{cause ? titled(category) : "Nothing failed"}</strong>
        </a>
        <span className="small muted">
          {last && `${last.outcome === "success" ? "mended" : "not mended"} · `}
          <Ago at={Date.parse(at)} now={view.now} />
        </span>
      </p>
      {cause && <p className="small">{beginning(cause.message, SHOWN)}</p>}
      <p className="small muted">
        {[cause && placeOf(cause), command && `$ ${beginning(command, SHOWN)}`].filter(Boolean).join(" · ")}
      </p>
    </li>
  );
}

/** Formats a place as `src/a.ts:12:3`, without the parts that are unknown. */
export function placeOf({ file, line, column }: NonNullable<Diagnosis["cause"]>): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
