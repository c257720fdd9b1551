import type { ReactElement } from "react";
import { consoleScript } from "../assets.ts";
import { Command } from "../command.tsx";
import { Live } from "../console/frame/live.tsx";
import { Form } from "../form.tsx";
import { Page, SideMenu } from "../layout.tsx";
import type { Visit } from "../visit.ts";
import { signInPath } from "../visits.ts";
import { type ApiDocument, type Parameter, responseIn } from "./document.ts";
import { canBeTried, exampleOf, type Listed } from "./operations.ts";
import { inline, Prose } from "./prose.tsx";
import { samplesOf } from "./samples.ts";
import { Members, Parameters } from "./schema.tsx";

/** What somebody sent to try an operation, and its answer. */
export interface Tried {
  given: URLSearchParams;
  answer?: { status: number; headers: Readonly<Record<string, string>>; text: string };
  /** Why nothing was sent. */
  fault?: string;
}

interface Shown {
  document: ApiDocument;
  operations: readonly Listed[];
  visit: Visit;
}

/** Shows `/docs`: all operations, by topic. */
export function ReferencePage(props: Shown & { query: string }): ReactElement {
  const { document, operations, visit, query } = props;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ id, method, path, tag, operation }) => {
    const text = `${id} ${method} ${path} ${tag} ${operation.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Page title="API reference" visit={visit} width="wide" script={consoleScript} aside={<Tags {...props} />}>
      <h1>API reference</h1>
      <div className="card stack">
        <Prose>{document.info.description ?? ""}</Prose>
        <p className="small muted">
          Version {document.info.version} · <a href="/openapi.json">OpenAPI document</a>, for generators of
          clients · <a href="/docs/problems">What each problem means</a>
        </p>
      </div>
      <form method="get" action="/docs" className="inline" data-filter="">
        <label htmlFor="query">Find</label>
        <input id="query" name="query" type="search" maxLength={200} defaultValue={query} />
        <button type="submit">Search</button>
      </form>
      <Live name="operations" className="stack" still>
        {found.length === 0 && <p className="muted">Nothing is called that.</p>}
        {document.tags.map(({ name, description }) => {
          const members = found.filter(({ tag }) => tag === name);
          if (members.length === 0) return null;
          return (
            <section key={name} id={name} className="card stack" aria-labelledby={`tag-${name}`}>
              <h2 id={`tag-${name}`}>{name}</h2>
              {description !== undefined && <p className="muted">{inline(description)}.</p>}
              <ul className="items">
                {members.map((each) => (
                  <li key={each.id}>
                    <a className="target" href={`/docs/${each.id}`}>
                      {each.operation.summary}
                    </a>
                    <p className="small muted">
                      <code>
                        {each.method} {each.path}
                      </code>
                    </p>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </Live>
    </Page>
  );
}

/** Shows `/docs/<operation>`: its input and output, how programs call it, and a form that sends it. */
export function OperationPage(
  props: Shown & { listed: Listed; baseUrl: string; tried?: Tried },
): ReactElement {
  const { document, operations, visit, listed, baseUrl } = props;
  const { method, path, operation, parameters } = listed;
  const body = operation.requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [status, responseIn(document, response)] as const,
  );
  const beside = operations.filter(({ tag }) => tag === listed.tag);
  return (
    <Page
      title={operation.summary}
      visit={visit}
      width="wide"
      script={consoleScript}
      aside={<Tags {...props} beside={beside} current={listed.id} />}
    >
      <div className="stack tight">
        <h1>{operation.summary}</h1>
        <p>
          <code>
            {method} {path}
          </code>
        </p>
        <p className="small muted">
          {operation["x-scope"] === undefined ? "Needs no credential" : `Scope ${operation["x-scope"]}`}
        </p>
      </div>
      {operation.description !== undefined && (
        <div className="card stack">
          <Prose>{operation.description}</Prose>
        </div>
      )}
      {(["path", "query", "header"] as const).map((place) => {
        const list = parameters.filter((each) => each.in === place);
        if (list.length === 0) return null;
        return (
          <section key={place} className="card stack">
            <h2>{PLACES[place]}</h2>
            <Parameters list={list} document={document} />
          </section>
        );
      })}
      {body && (
        <section className="card stack">
          <h2>Body</h2>
          <Members schema={body} document={document} />
        </section>
      )}
      <section className="card stack">
        <h2>Answers</h2>
        {answers
          .filter(([status]) => status < "4")
          .map(([status, { description, content }]) => {
            const schema = content?.["application/json"]?.schema;
            return (
              <div key={status} className="stack">
                <p>
                  <strong>{status}</strong> {inline(description)}
                </p>
                {schema && <Members schema={schema} document={document} />}
              </div>
            );
          })}
        <details>
          <summary>Problems</summary>
          <ul className="items">
            {answers
              .filter(([status]) => status >= "4")
              .map(([status, { description }]) => (
                <li key={status}>
                  <strong>{status}</strong> {inline(description)}
                </li>
              ))}
          </ul>
        </details>
      </section>
      <section className="card stack">
        <h2>From a program</h2>
        {samplesOf(listed, baseUrl).map(({ language, code }, index) => (
          <details key={language} open={index === 0}>
            <summary>{language}</summary>
            <Command>{code}</Command>
          </details>
        ))}
      </section>
      {canBeTried(listed) && <TryIt {...props} />}
    </Page>
  );
}

const PLACES = { path: "In the path", query: "In the query", header: "Headers" };

function Tags(props: Shown & { beside?: readonly Listed[]; current?: string }): ReactElement {
  const { document, beside = [], current } = props;
  return (
    <SideMenu label="Operations">
      <ul>
        <li>
          <a className="target" href="/docs" aria-current={current === undefined ? "page" : undefined}>
            All operations
          </a>
        </li>
        {beside.map(({ id, operation }) => (
          <li key={id}>
            <a className="target" href={`/docs/${id}`} aria-current={id === current ? "page" : undefined}>
              {operation.summary}
            </a>
          </li>
        ))}
      </ul>
      <h2 className="small muted">About</h2>
      <ul>
        {document.tags.map(({ name }) => (
          <li key={name}>
            <a className="target" href={`/docs#${name}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </SideMenu>
  );
}

function TryIt(props: { listed: Listed; visit: Visit; tried?: Tried }): ReactElement {
  const { listed, visit, tried } = props;
  const { method, operation } = listed;
  const scope = operation["x-scope"];
  if (!visit.signedIn) {
    return (
      <section className="card stack" id="try">
        <h2>Try it</h2>
        <p>
          <a href={signInPath(`/docs/${listed.id}`)}>Sign in</a> to send this from here, as yourself.
        </p>
      </section>
    );
  }
  const fields = listed.parameters.filter(
    ({ in: place, name }) => place !== "header" || name === "X-Project-Id",
  );
  return (
    <section className="card stack" id="try">
      <h2>Try it</h2>
      <p className="small muted">
        Sent as you, {visit.signedIn.user.email}, in the account {visit.signedIn.account.name}
        {scope !== undefined && `, with the scope ${scope}`}. It does what it says and counts in the same
        limits.
      </p>
      <Form action={`/docs/${listed.id}#try`} visit={visit} className="stack">
        {fields.map((field) => (
          <Field key={field.name} field={field} given={tried?.given} />
        ))}
        {operation.requestBody && (
          <div>
            <label htmlFor="body">Body</label>
            <textarea
              id="body"
              name="body"
              rows={8}
              spellCheck={false}
              className="code"
              defaultValue={tried?.given.get("body") ?? JSON.stringify(exampleOf(listed) ?? {}, null, 2)}
            />
          </div>
        )}
        <button type="submit" className="filled">
          Send {method}
        </button>
      </Form>
      {tried?.fault !== undefined && <p role="alert">{tried.fault}</p>}
      {tried?.answer && (
        <div className="stack tight" role="status">
          <p>
            <strong>{tried.answer.status}</strong>{" "}
            <span className="small muted">{tried.answer.headers["Content-Type"]}</span>
          </p>
          <pre className="command answer">
            <code>{tried.answer.text === "" ? "(no body)" : tried.answer.text}</code>
          </pre>
        </div>
      )}
    </section>
  );
}

function Field({ field, given }: { field: Parameter; given: URLSearchParams | undefined }): ReactElement {
  const id = `parameter-${field.name}`;
  return (
    <div>
      <label htmlFor={id}>
        {field.name}
        {field.required && <span className="muted"> (required)</span>}
      </label>
      <input
        id={id}
        name={id}
        required={field.required}
        maxLength={4096}
        autoComplete="off"
        defaultValue={given?.get(id) ?? ""}
      />
    </div>
  );
}
