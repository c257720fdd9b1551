import type { ReactElement } from "react";
import { hasExpired } from "../../../accounts/credentials/api-keys.ts";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { grouped } from "../../../text/grouped.ts";
import { Ago, Until } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { Fact } from "../frame/facts.tsx";
import type { ProjectName } from "../frame/projects.tsx";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { ChangeKey, RotateKey } from "./forms.tsx";
import { Stop } from "./stop.tsx";
import { Expires } from "./times.tsx";

/** Shows all about a key, with the actions on it. */
export function KeyDetails(props: {
  knownKey: KnownKey;
  /** What was counted for the key in 30 days, if known. */
  used: number | undefined;
  /** The projects to choose from. */
  projects: readonly ProjectName[];
  view: View;
}): ReactElement {
  const { knownKey, used, projects, view } = props;
  const { name, prefix, id, scopes, projectId, tools, addresses, previous } = knownKey;
  const { suspendedAt, createdAt, createdBy, rotatedAt, lastUsedAt, lastUsedAddress } = knownKey;
  const { now } = view;
  return (
    <>
      <div>
        <a className="target" href={addressOf(view, "/keys")}>
          All keys
        </a>
        <h2>{name}</h2>
      </div>
      <dl className="facts">
        <Fact name="Secret">
          <code>{prefix}…</code>
          {previous && (
            <>
              {" "}
              and <code>{previous.prefix}…</code> for <Until at={previous.endsAt} now={now} /> more
            </>
          )}
        </Fact>
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
        <Fact name="Made">
          <Ago at={createdAt} now={now} /> by {createdBy}
        </Fact>
        {rotatedAt !== undefined && (
          <Fact name="Rotated">
            <Ago at={rotatedAt} now={now} />
          </Fact>
        )}
        <Fact name="Used">
          {lastUsedAt === undefined ? "never" : <Ago at={lastUsedAt} now={now} />}
          {lastUsedAddress !== undefined && ` from ${lastUsedAddress}`}
          {used !== undefined && ` · ${grouped(used)} counted in 30 days`}
        </Fact>
        {suspendedAt !== undefined && (
          <Fact name="Stopped">
            <Ago at={suspendedAt} now={now} />: whoever uses it is refused
          </Fact>
        )}
        <Fact name="May">{scopes.join(" ")}</Fact>
        <Fact name="Project">{projectId ?? "any"}</Fact>
        <Fact name="Tools">{tools?.join(", ") ?? "all"}</Fact>
        <Fact name="From">{addresses?.join(", ") ?? "anywhere"}</Fact>
        <Fact name="Expires">
          <Expires knownKey={knownKey} now={now} />
        </Fact>
      </dl>
      <div className="inline">
        <Stop knownKey={knownKey} next={sameAddress(view, "/keys", {})} view={view} />
        <a className="button" href={addressOf(view, "/usage", { key: id, of: "all", by: "tool" })}>
          Its usage
        </a>
      </div>
      <h2>Change it</h2>
      <ChangeKey knownKey={knownKey} projects={projects} view={view} />
      <h2>Give it a new secret</h2>
      {hasExpired(knownKey, now) ? (
        <p className="muted">It has expired. Let it work until a later day first.</p>
      ) : (
        <RotateKey knownKey={knownKey} view={view} />
      )}
      <TwoSteps
        verb="Revoke"
        action="/keys"
        visit={view.visit}
        fields={{ do: "revoke", key: id }}
        subject={name}
        consequence="Programs that use it stop working at once."
      />
    </>
  );
}
