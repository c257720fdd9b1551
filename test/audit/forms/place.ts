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

/** Where forms are sent. */
export interface Place {
  app: TestApp;
  clock: FakeClock;
  /** The browser of the operator, who owns an account. */
  operator: Visitor;
  authenticator: ReturnType<typeof createAuthenticator>;
}

export interface Sent {
  action: string;
  says?: Says;
  /** In so many logs; one unless said. */
  logs?: number;
  /** Sends the form; `goesOn` is told whose browser goes on from there, unless it is the operator's. */
  send(place: Place, goesOn: (browser: Visitor) => void): Promise<Page>;
}

let count = 0;
export const email = () => `form-${++count}@example.com`;

/** Somebody who has come. */
export const come = ({ app }: Place, role = "member") => memberOn(app, email(), role);
