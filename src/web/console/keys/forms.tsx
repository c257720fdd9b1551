import type { ReactElement } from "react";
import { MAX_BOUND_TO } from "../../../accounts/credentials/binding.ts";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { allows, SCOPES, type Scope } from "../../../contract/caller.ts";
import { iso } from "../../../system/clock.ts";
import { Form } from "../../form.tsx";
import { addressOf } from "../frame/address.ts";
import type { ProjectName } from "../frame/projects.tsx";
import type { View } from "../frame/section.ts";
import { OVERLAPS } from "./read-forms.ts";

const MAY: Record<Scope, string> = {
  read: "read",
  write: "read and write",
  admin: "read, write and manage the account",
  operator: "all of that, and operate this server",
};

export function NewKey({ view, projects }: { view: View; projects: readonly ProjectName[] }): ReactElement {
  return (
    <>
      <h2 id="make">Make a key</h2>
      <Form action={addressOf(view, "/keys")} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="create" />
        <Name />
        <Scopes view={view} chosen="write" />
        <Project projects={projects} />
        <ExpiryDate now={view.now} />
        <Bindings />
        <button type="submit" className="filled">
          Make the key
        </button>
      </Form>
    </>
  );
}

/** A form that is filled with the key's values and replaces them by what is sent. */
export function ChangeKey(props: {
  knownKey: KnownKey;
  projects: readonly ProjectName[];
  view: View;
}): ReactElement {
  const { knownKey, projects, view } = props;
  const { id, name, scopes, projectId, expiresAt, tools, addresses } = knownKey;
  return (
    <Form action={addressOf(view, "/keys", { key: id })} visit={view.visit} className="stack">
      <input type="hidden" name="do" value="change" />
      <input type="hidden" name="key" value={id} />
      <Name value={name} />
      <Scopes view={view} chosen={scopes.at(-1) ?? "read"} />
      <Project value={projectId} projects={projects} />
      <ExpiryDate now={view.now} at={expiresAt} />
      <Bindings tools={tools} addresses={addresses} isOpen={tools !== undefined || addresses !== undefined} />
      <button type="submit">Save changes</button>
    </Form>
  );
}

export function RotateKey({ knownKey, view }: { knownKey: KnownKey; view: View }): ReactElement {
  return (
    <Form action={addressOf(view, "/keys", { key: knownKey.id })} visit={view.visit} className="stack">
      <input type="hidden" name="do" value="rotate" />
      <input type="hidden" name="key" value={knownKey.id} />
      <div>
        <label htmlFor="overlap">The old secret works</label>
        <select id="overlap" name="overlap" defaultValue="86400">
          {Object.entries(OVERLAPS).map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Make a new secret</button>
    </Form>
  );
}

function Name({ value }: { value?: string }): ReactElement {
  return (
    <div>
      <label htmlFor="name">Name</label>
      <input id="name" name="name" maxLength={256} autoComplete="off" required defaultValue={value} />
    </div>
  );
}

/** Offers the scopes that the viewer can grant. */
function Scopes({ view, chosen }: { view: View; chosen: Scope }): ReactElement {
  const held = view.visit.signedIn.scopes;
  const offered = SCOPES.filter((scope) => scope === chosen || allows(held, scope));
  return (
    <div>
      <label htmlFor="may">It may</label>
      <select id="may" name="may" data-member="scopes" defaultValue={chosen}>
        {offered.map((scope) => (
          <option key={scope} value={scope}>
            {MAY[scope]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Offers the projects that there are: a mistyped one would be made. */
function Project(props: { value?: string | undefined; projects: readonly ProjectName[] }): ReactElement {
  const { value, projects } = props;
  return (
    <div>
      <label htmlFor="project">Only for the project</label>
      <input
        id="project"
        name="project"
        data-member="projectId"
        list="projects"
        maxLength={256}
        autoComplete="off"
        defaultValue={value}
      />
      <datalist id="projects">
        {projects.map(({ id, name }) => (
          <option key={id} value={id} label={name} />
        ))}
      </datalist>
      <p className="small muted">
        The id of a project, which is made if there is none; any project where this is empty.
      </p>
    </div>
  );
}

function ExpiryDate({ now, at }: { now: number; at?: number | undefined }): ReactElement {
  const day = (ms: number) => iso(ms).slice(0, 10);
  return (
    <div>
      <label htmlFor="expires">Works until the end of</label>
      <input
        id="expires"
        name="expires"
        data-member="expiresAt"
        type="date"
        min={day(Math.min(now, at ?? now))}
        defaultValue={at === undefined ? undefined : day(at)}
      />
      <p className="small muted">In UTC. It never expires where this is empty.</p>
    </div>
  );
}

function Bindings(props: {
  tools?: readonly string[] | undefined;
  addresses?: readonly string[] | undefined;
  isOpen?: boolean;
}): ReactElement {
  const { tools, addresses, isOpen } = props;
  return (
    <details open={isOpen}>
      <summary>Bind it to tools or addresses</summary>
      <div className="stack">
        <Lines
          name="tools"
          label="Only for these tools"
          lines={tools}
          hint="One a line, such as usage.track, knowledge-graph.* or files/read_file; all where this is empty."
        />
        <Lines
          name="addresses"
          label="Only from these addresses"
          lines={addresses}
          hint={`One a line, IPv4 or IPv6, or ranges such as 203.0.113.0/24, ${MAX_BOUND_TO} at most; any where this is empty.`}
        />
      </div>
    </details>
  );
}

function Lines(props: {
  name: string;
  label: string;
  hint: string;
  lines?: readonly string[] | undefined;
}): ReactElement {
  const { name, label, hint, lines = [] } = props;
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <textarea id={name} name={name} rows={4} spellCheck={false} defaultValue={lines.join("\n")} />
      <p className="small muted">{hint}</p>
    </div>
  );
}
