import type { createAuthenticator } from "../../support/accounts/authenticator.ts";
import type { TestApp } from "../../support/app.ts";
import { memberOn } from "../../support/browsing.ts";
import type { FakeClock } from "../../support/clock.ts";
import type { Page, Visitor } from "../../web/support/visitor.ts";
import type { Says } from "../entries.ts";

export const OWNER = {
  email: "owner@localhost",
  password: "correct horse battery",
  apiKey: "owner-key-for-tests-0123456789abcdef",
};

/** The server that forms are sent to, and the means to send them. */
export interface Place {
  app: TestApp;
  clock: FakeClock;
  /** Browser of the operator, who also owns an account. */
  operator: Visitor;
  authenticator: ReturnType<typeof createAuthenticator>;
}

export interface Sent {
  action: string;
  says?: Says;
  /** Number of audit logs that get an entry; by default one. */
  logs?: number;
  /** Sends the form. Passes the browser to continue with to `goesOn` if it is not the operator's. */
  send(place: Place, goesOn: (browser: Visitor) => void): Promise<Page>;
}

let count = 0;
export const email = () => `form-${++count}@example.com`;

/** Invites a user, who joins. */
export const come = ({ app }: Place, role = "member") => memberOn(app, email(), role);
