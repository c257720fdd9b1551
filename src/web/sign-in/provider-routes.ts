import type { ProviderSignIn } from "../../accounts/sign-in/provider-sign-in.ts";
import { Problem } from "../../contract/problem.ts";
import { ProviderFault } from "../../providers/provider.ts";
import type { Log } from "../../system/log.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { localPath } from "../local-path.ts";
import { type PageRequest, page, seeOther } from "../page.ts";
import type { ServePage } from "../serve-page.ts";
import type { Visits } from "../visits.ts";
import { LeavePage, ProviderFaultPage, WITH } from "./provider-pages.tsx";
import type { ReplaceSession } from "./replace-session.ts";

/** Adds the routes for signing in with a provider, and for connecting one to the signed-in person. */
export function providerRoutes(parts: {
  providerSignIn: ProviderSignIn;
  serve: ServePage;
  visits: Visits;
  cookie: BrowserCookie;
  replaceSession: ReplaceSession;
  log: Pick<Log, "error">;
}): void {
  const { providerSignIn, serve, visits, cookie, replaceSession, log } = parts;
  if (providerSignIn.providers.length === 0) return;
  const held = ({ raw }: PageRequest) => cookie.read(raw) ?? "";

  const begin = visits.anyone(async (visit, request) => {
    const { form } = request;
    const next = localPath(form.get("next"));
    const errand = {
      next,
      link: form.get("link") ?? undefined,
      ...(form.has("connect") && { connects: visit.signedIn }),
    };
    if (form.has("connect") && !visit.signedIn) {
      throw new Problem("forbidden", "You are not signed in any more. Sign in, and connect it then.");
    }
    const { name = "" } = request.parameters;
    try {
      const url = await providerSignIn.begin(name, errand, held(request), visits.visitor(request));
      return page(200, LeavePage({ title: titleOf(name), url }));
    } catch (error) {
      return page(502, ProviderFaultPage({ message: messageOf(error, name), next }));
    }
  });

  const finish = visits.anyone(async (visit, request) => {
    const { name = "" } = request.parameters;
    const callback = new URL(`http://here.invalid${request.url}`);
    const visitor = visits.visitor(request);
    try {
      const { next, started } = await providerSignIn.finish(
        name,
        callback,
        held(request),
        visitor,
        visit.signedIn,
      );
      if (started) await replaceSession(request, started);
      return seeOther(localPath(next));
    } catch (error) {
      const message = messageOf(error, name);
      const status = error instanceof Problem ? error.status : (error as ProviderFault).denied ? 403 : 502;
      return page(status, ProviderFaultPage({ message, next: "/" }));
    }
  });

  serve(`${WITH}:name`, { get: finish, post: begin });

  function titleOf(name: string): string {
    return providerSignIn.providers.find((provider) => provider.name === name)?.title ?? name;
  }

  /** Returns the message for people. Faults of the provider are logged. */
  function messageOf(error: unknown, name: string): string {
    if (error instanceof Problem && ["invalid_state", "forbidden", "conflict"].includes(error.error)) {
      return error.detail;
    }
    if (!(error instanceof ProviderFault)) throw error;
    if (!error.denied)
      log.error({ err: error.cause ?? error, provider: name }, "a provider could not be used");
    return error.message;
  }
}
