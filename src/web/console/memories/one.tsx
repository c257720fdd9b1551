import type { ReactElement } from "react";
import type * as z from "zod";
import type { agentMemoryContract } from "../../../tools/agent-memory/contract.ts";
import { KINDS } from "../../../tools/agent-memory/memory.ts";
import { Form } from "../../form.tsx";
import { times } from "../../format.ts";
import { Ago, Until } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { PATH } from "./read.ts";

type Shown = z.output<(typeof agentMemoryContract)["show"]["output"]>;

/** Shows a memory in full, the one that replaced it, and those that it replaced. */
export function OneMemory(props: Shown & { view: View }): ReactElement {
  const { memory, supersededBy, replaced = [], view } = props;
  const of = (asked: Record<string, string>) => addressOf(view, PATH, asked);
  return (
    <>
      <a className="target" href={of({})}>
        All memories
      </a>
      {supersededBy !== undefined && (
        <p className="notice">
          It is no longer in force: <a href={of({ memory: supersededBy })}>another memory</a> took its place.
        </p>
      )}
      <p className="prose">{memory.content}</p>
      <Facts {...props} />
      {replaced.length > 0 && (
        <>
          <h2>It took the place of</h2>
          <ul className="items">
            {replaced.map(({ id, content, at }) => (
              <li key={id}>
                <a className="quiet" href={of({ memory: id })}>
                  {content}
                </a>
                <p className="small muted">
                  <Ago at={Date.parse(at)} now={view.now} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      {may(view, "write") && (
        <>
          <Correct {...props} />
          <TwoSteps
            action={addressOf(view, PATH)}
            visit={view.visit}
            verb="Forget"
            fields={{ do: "forget", memory: memory.id }}
            subject={memory.id}
            consequence="It is gone for good: nobody recalls it any more."
          />
        </>
      )}
    </>
  );
}

function Facts({ memory, view }: Shown & { view: View }): ReactElement {
  const { kind, agent, thread, tags, keywords, importance, importanceReasons, at, expiresAt } = memory;
  const of = (asked: Record<string, string>) => addressOf(view, PATH, asked);
  return (
    <dl className="facts">
      <Fact name="Kind">
        <a href={of({ kind })}>{kind}</a>
      </Fact>
      {agent !== undefined && (
        <Fact name="Agent">
          <a href={of({ agent })}>{agent}</a>
        </Fact>
      )}
      {thread !== undefined && (
        <Fact name="Thread">
          <a href={of({ thread })}>{thread}</a>
        </Fact>
      )}
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map((tag, index) => (
            <span key={tag}>
              {index > 0 && ", "}
              <a href={of({ tag })}>{tag}</a>
            </span>
          ))}
        </Fact>
      )}
      {keywords.length > 0 && <Fact name="Keywords">{keywords.join(", ")}</Fact>}
      <Fact name="Weight">
        importance {importance}
        {importanceReasons.length > 0 && `: ${importanceReasons.join(", ")}`}
      </Fact>
      <Fact name="Happened">
        <Ago at={Date.parse(at)} now={view.now} />
      </Fact>
      {expiresAt !== undefined && (
        <Fact name="Expires">
          in <Until at={Date.parse(expiresAt)} now={view.now} />
        </Fact>
      )}
      <Fact name="Recalled">
        {times(memory.uses)}
        {memory.lastUsedAt !== undefined && (
          <>
            , last <Ago at={Date.parse(memory.lastUsedAt)} now={view.now} />
          </>
        )}
      </Fact>
      {memory.merges > 0 && <Fact name="Merged">{times(memory.merges)} with what says the same</Fact>}
      <Fact name="Id">
        <code>{memory.id}</code>
      </Fact>
    </dl>
  );
}

function Correct({ memory, view }: Shown & { view: View }): ReactElement {
  return (
    <details>
      <summary>Correct it</summary>
      <Form action={addressOf(view, PATH, { memory: memory.id })} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="correct" />
        <input type="hidden" name="memory" value={memory.id} />
        <div>
          <label htmlFor="content">What it says</label>
          <textarea id="content" name="content" rows={6} required defaultValue={memory.content} />
          <p className="small muted">
            What became otherwise is better stored as a new memory: it takes the place of this one.
          </p>
        </div>
        <div>
          <label htmlFor="kind">Kind</label>
          <select id="kind" name="kind" defaultValue={memory.kind}>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="tags">Tags, parted by commas</label>
          <input id="tags" name="tags" autoComplete="off" defaultValue={memory.tags.join(", ")} />
        </div>
        <button type="submit">Correct it</button>
      </Form>
    </details>
  );
}
