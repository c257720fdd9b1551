import { expect } from "vitest";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { signedInVisitor, type Visitor, visitor } from "./visitor.ts";

export const OWNER = { email: "owner@localhost", password: "correct horse battery", apiKey: OWNER_KEY };

export interface ToolPages {
  app: TestApp;
  /** The owner's browser. */
  browser: Visitor;
  /** Calls an endpoint of the tools, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read without their types
  call(method: string, path: string, body?: unknown): Promise<any>;
}

/** Starts a whole server, and a browser that is signed in as its owner. */
export async function openToolPages(): Promise<ToolPages> {
  const app = await startApp({ owner: OWNER });
  return {
    app,
    browser: await signedInVisitor(app.url, OWNER),
    async call(method, path, body) {
      const answer = await app.request(method, `/api/v1/tools${path}`, body === undefined ? {} : { body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    },
  };
}

/** Returns a browser that is signed in as a new user with this role in the owner's account. */
export async function openAs(app: TestApp, role: string): Promise<Visitor> {
  const invited = await app.request("POST", "/api/v1/users", { body: { email: `${role}@b.test`, role } });
  const link = new URL(invited.body.signInLink);
  const browser = visitor(app.url);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return browser;
}
