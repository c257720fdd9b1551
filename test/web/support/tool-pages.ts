import { expect } from "vitest";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { signedInVisitor, type Visitor, visitor } from "./visitor.ts";

export const OWNER = { email: "owner@localhost", password: "correct horse battery", apiKey: OWNER_KEY };

export interface ToolPages {
  app: TestApp;
  /** The owner's. */
  browser: Visitor;
  /** What an endpoint of the tools answers; it must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: what an endpoint answers is looked into freely
  call(method: string, path: string, body?: unknown): Promise<any>;
}

/** A whole server, and a browser in which its owner is signed in. */
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

/** A browser in which somebody of this role, whom the owner invited, is signed in. */
export async function openAs(app: TestApp, role: string): Promise<Visitor> {
  const invited = await app.request("POST", "/api/v1/users", { body: { email: `${role}@b.test`, role } });
  const link = new URL(invited.body.signInLink);
  const browser = visitor(app.url);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return browser;
}
