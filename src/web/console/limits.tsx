import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/browser-sessions.ts";
import { grouped } from "../format.ts";
import { Until } from "../time.tsx";
import type { Section } from "./section.ts";

/** What is left of a rate-limit window of the account. */
export interface WindowLeft {
  name: "minute" | "hour" | "day";
  /** Requests that the plan promises in the window. */
  limit: number;
  /** The most that it holds: more than `limit` where short spikes are let through. */
  capacity: number;
  remaining: number;
  /** When it is whole again: milliseconds since the epoch. */
  resetAt: number;
}

export type LimitsLeft = (signedIn: SignedIn) => Promise<readonly WindowLeft[]>;

export function limitsSection(limits: LimitsLeft): Section {
  return {
    path: "/limits",
    title: "Rate limits",
    card: async ({ visit, now }) => <Windows windows={await limits(visit.signedIn)} now={now} />,
    page: async ({ visit, now }) => (
      <>
        <p>
          All keys, devices and browsers of the account share these. Beyond one of them a request is answered
          with 429 and the time to wait; it counts in none.
        </p>
        <Windows windows={await limits(visit.signedIn)} now={now} />
      </>
    ),
  };
}

const EACH = { minute: "a minute", hour: "an hour", day: "a day" };

function Windows({ windows, now }: { windows: readonly WindowLeft[]; now: number }): ReactElement {
  return (
    <ul className="items">
      {windows.map(({ name, limit, capacity, remaining, resetAt }) => (
        <li key={name} className="stack tight meter">
          <p className="row">
            <span>{`${grouped(limit)} ${EACH[name]}`}</span>
            <span className="small muted">{`${grouped(Math.floor(remaining))} of ${grouped(capacity)} left`}</span>
          </p>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect width={(100 * remaining) / capacity} height="1" />
          </svg>
          <p className="small muted">
            {resetAt > now ? (
              <>
                full again in <Until at={resetAt} now={now} />
              </>
            ) : (
              "full"
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
