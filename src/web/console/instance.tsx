import type { ReactElement } from "react";
import * as z from "zod";
import { UserId } from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import type { SigningKeys } from "../../metering/signing-keys/signing-keys.ts";
import type { Registrations } from "../../oauth/clients/registration.ts";
import { byteSize, duration } from "../../text/amounts.ts";
import { grouped } from "../../text/grouped.ts";
import { Ago } from "../time.tsx";
import { addressOf, sameAddress } from "./frame/address.ts";
import { may } from "./frame/endpoint-calls.ts";
import { Fact } from "./frame/facts.tsx";
import { Live } from "./frame/live.tsx";
import type { Actions, Need, Section, View } from "./frame/section.ts";
import { Below, Table } from "./frame/table.tsx";
import { TwoSteps } from "./frame/two-steps.tsx";

const PATH = "/server/instance";
const CLIENTS = 50;
const NamedClient = z.object({ client: UserId });

/** The state of this server. */
export interface InstanceState {
  version: string;
  /** In milliseconds. */
  up: number;
  storeBytes: number;
  /** Of stores that are held in memory. */
  memory: { usedBytes: number; limitBytes: number } | undefined;
  processBytes: number;
  jobs: { waiting: number; longestWaitMs: number; running: number; workers: number };
  /** Failing webhooks of all accounts. With `isMore`, the count is a minimum. */
  failingWebhooks: { count: number; isMore: boolean };
  loopDelay: { mean: number; worst: number };
  signUp: string;
  mail: boolean;
  providers: readonly string[];
  passkeys: boolean;
}

/** Creates the section of the server itself, which only operators see. */
export function instanceSection(parts: {
  state: () => Promise<InstanceState>;
  signingKeys: Pick<SigningKeys, "list" | "rotate">;
  registrations: Pick<Registrations, "list" | "revoke">;
}): Section {
  const { state, signingKeys, registrations } = parts;
  const actions: Actions = {
    async rotate({ visit }) {
      const { kid } = await signingKeys.rotate(visit.by);
      return { said: `The key ${kid} signs from now on. What the one before signed can still be verified.` };
    },
    async "revoke-client"({ visit }, form) {
      const { client } = checked(NamedClient, { client: form.get("client") });
      const name = await registrations.revoke(visit.by, client);
      return { said: `${name} is revoked, and everybody is signed out of it.` };
    },
  };
  return {
    path: PATH,
    title: "Instance",
    group: "Server",
    isFor: (view) => may(view, "operator"),
    async card() {
      const { version, up, jobs, loopDelay } = await state();
      return (
        <p>
          Version {version}, up for {duration(up)}.{" "}
          {jobs.waiting === 1 ? "1 job waits" : `${grouped(jobs.waiting)} jobs wait`}; the event loop is held
          up by {Math.round(loopDelay.mean)} ms.
        </p>
      );
    },
    needs: async () => needsOf(await state()),
    async page(view) {
      const { query } = view;
      const after = query.get("after") ?? undefined;
      return (
        <>
          <Live name="instance">
            <State state={await state()} />
          </Live>
          <h2>Keys that sign entitlements</h2>
          <SigningKeyList keys={await signingKeys.list()} view={view} />
          <h2>Clients that registered themselves</h2>
          <Clients page={await registrations.list({ limit: CLIENTS, cursor: after })} view={view} />
        </>
      );
    },
    actions,
  };
}

function State({ state }: { state: InstanceState }): ReactElement {
  const { version, up, storeBytes, memory, processBytes, jobs, failingWebhooks, loopDelay } = state;
  const { signUp, mail, providers, passkeys } = state;
  return (
    <dl className="facts">
      <Fact name="Version">{version}</Fact>
      <Fact name="Up">{duration(up)}</Fact>
      <Fact name="Store">
        {memory ? "a directory" : "a database"} of {byteSize(storeBytes)}
        {memory &&
          `; ${byteSize(memory.usedBytes)} of ${byteSize(memory.limitBytes)} of memory for documents`}
      </Fact>
      <Fact name="Memory">{byteSize(processBytes)} of this process</Fact>
      <Fact name="Jobs">
        {grouped(jobs.waiting)} wait, {grouped(jobs.running)} run, on {grouped(jobs.workers)} workers
      </Fact>
      <Fact name="Webhooks">
        {failingWebhooks.count === 0 ? "all take what they are sent" : `${inWords(failingWebhooks)} fail`}
      </Fact>
      <Fact name="Loop">
        held up by {loopDelay.mean.toFixed(1)} ms on average, {Math.round(loopDelay.worst)} ms at worst
      </Fact>
      <Fact name="Mail">
        {mail ? "is sent" : "is not sent: links are shown to whoever makes them (TOOL_SMTP_URL)"}
      </Fact>
      <Fact name="Sign-in">
        {["password", ...(mail ? ["mailed link"] : []), ...(passkeys ? ["passkey"] : []), ...providers].join(
          ", ",
        )}
      </Fact>
      <Fact name="Sign-up">{signUp}</Fact>
    </dl>
  );
}

function SigningKeyList(props: { keys: Awaited<ReturnType<SigningKeys["list"]>>; view: View }): ReactElement {
  const { keys, view } = props;
  return (
    <>
      <ul className="items">
        {keys.map(({ kid, algorithm, createdAt, isCurrent }) => (
          <li key={kid}>
            <p className="row">
              <code>{kid}</code>
              <span className="small muted">{isCurrent ? "signs" : "verifies what it signed"}</span>
            </p>
            <p className="small muted">
              {algorithm}, made <Ago at={createdAt} now={view.now} />
            </p>
          </li>
        ))}
      </ul>
      <TwoSteps
        action={addressOf(view, PATH)}
        visit={view.visit}
        fields={{ do: "rotate" }}
        verb="Have another key sign"
        consequence="At once, on all servers of this store. What the present one signed is verified until it has expired; it takes over by itself every 90 days."
      />
    </>
  );
}

function Clients(props: { page: Awaited<ReturnType<Registrations["list"]>>; view: View }): ReactElement {
  const { page, view } = props;
  if (page.items.length === 0) return <p className="muted">None.</p>;
  return (
    <>
      <Table
        view={view}
        path={PATH}
        label="Clients that registered themselves"
        rows={page.items}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", cell: ({ name }) => name },
          { title: "Id", isName: true, cell: ({ id }) => <code>{id}</code> },
          { title: "Leads back to", isName: true, cell: ({ redirectUris }) => redirectUris[0] ?? "" },
          { title: "Made", cell: ({ createdAt }) => <Ago at={createdAt} now={view.now} /> },
          {
            title: "Used",
            cell: ({ lastUsedAt }) =>
              lastUsedAt === undefined ? "never" : <Ago at={lastUsedAt} now={view.now} />,
          },
          {
            title: "Revoke",
            cell: ({ id, name }) => (
              <TwoSteps
                action={sameAddress(view, PATH, {})}
                visit={view.visit}
                fields={{ do: "revoke-client", client: id }}
                verb="Revoke"
                subject={name}
                consequence="It can ask nobody any more, and everybody who has signed in to it is signed out at once."
              />
            ),
          },
        ]}
      />
      <Below view={view} path={PATH} after={page.nextCursor} />
    </>
  );
}

/** A job that waits for longer is stuck behind others. */
const LONG_WAIT_MS = 5_000;
const NEARLY_FULL = 0.8;

function needsOf({ jobs, memory, failingWebhooks }: InstanceState): Need[] {
  const needs: Need[] = [];
  const used = memory ? memory.usedBytes / memory.limitBytes : 0;
  if (used >= NEARLY_FULL) {
    needs.push({
      said: `The store fills ${Math.floor(100 * used)} % of the memory that it may have`,
      detail: used >= 1 ? "Nothing more is stored." : "Beyond it nothing more is stored.",
      isUrgent: used >= 1,
    });
  }
  if (jobs.longestWaitMs >= LONG_WAIT_MS) {
    needs.push({
      said: `${grouped(jobs.waiting)} jobs wait, the first for ${duration(jobs.longestWaitMs)}`,
      detail: `${grouped(jobs.running)} run`,
      isUrgent: true,
    });
  }
  if (failingWebhooks.count > 0) {
    needs.push({
      said: `Deliveries to ${inWords(failingWebhooks)} of all accounts fail`,
      isUrgent: true,
    });
  }
  return needs;
}

function inWords({ count, isMore }: InstanceState["failingWebhooks"]): string {
  if (isMore) return `${grouped(count)} webhooks or more`;
  return count === 1 ? "one webhook" : `${grouped(count)} webhooks`;
}
