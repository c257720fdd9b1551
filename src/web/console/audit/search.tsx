import type { ReactElement, ReactNode } from "react";
import type { AuditEntry } from "../../../audit/model.ts";
import { sameAddress } from "../frame/address.ts";
import { may, queryParam } from "../frame/endpoint-calls.ts";
import { FilterForm, Kept } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { PATH } from "./question.ts";

/** Shows the filters of the log. Those set by a click on an entry are kept until they are removed. */
export function Search({ view, found }: { view: View; found: readonly AuditEntry[] }): ReactElement {
  const narrowed = (["actor", "target"] as const).flatMap((name) => {
    const id = queryParam(view, name);
    return id === undefined ? [] : [{ name, called: nameIn(found, name, id) ?? id }];
  });
  return (
    <>
      <FilterForm view={view} path={PATH} className="fields">
        <Field name="query" label="Find">
          <input
            id="query"
            name="query"
            type="search"
            maxLength={254}
            placeholder="name, id, request"
            defaultValue={queryParam(view, "query")}
          />
        </Field>
        <Field name="action" label="Action">
          <input
            id="action"
            name="action"
            maxLength={64}
            placeholder="key.created"
            defaultValue={queryParam(view, "action")}
          />
        </Field>
        <Field name="outcome" label="Outcome">
          <select id="outcome" name="outcome" defaultValue={queryParam(view, "outcome") ?? ""}>
            <option value="">any</option>
            <option>done</option>
            <option>refused</option>
          </select>
        </Field>
        <Field name="since" label="From">
          <input id="since" name="since" type="date" defaultValue={queryParam(view, "since")} />
        </Field>
        <Field name="until" label="Before">
          <input id="until" name="until" type="date" defaultValue={queryParam(view, "until")} />
        </Field>
        {may(view, "operator") && (
          <Field name="of" label="Log">
            <input
              id="of"
              name="of"
              maxLength={256}
              placeholder="id, instance, all"
              defaultValue={queryParam(view, "of")}
            />
          </Field>
        )}
        <Kept view={view} names={["actor", "target"]} />
      </FilterForm>
      {narrowed.length > 0 && (
        <p className="inline">
          {narrowed.map(({ name, called }) => (
            <a
              key={name}
              className="target"
              href={sameAddress(view, PATH, { [name]: undefined, after: undefined })}
            >
              Only {name === "actor" ? "by" : "to"} <bdi>{called}</bdi>: show all
            </a>
          ))}
        </p>
      )}
    </>
  );
}

/** Returns what the newest of the entries found calls an actor or a target. */
function nameIn(found: readonly AuditEntry[], of: "actor" | "target", id: string): string | undefined {
  if (of === "actor") return found.find(({ actor }) => actor.userId === id)?.actor.name;
  return found.find(({ target }) => target.id === id)?.target.name;
}

function Field(props: { name: string; label: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <label htmlFor={props.name}>{props.label}</label>
      {props.children}
    </div>
  );
}
