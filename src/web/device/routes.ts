import type { Request, Response } from "express";
import { Problem } from "../../contract/problem.ts";
import type { Approver, Decision, DeviceAuthorizations } from "../../oauth/device/device-authorization.ts";
import type { Clock } from "../../system/clock.ts";
import { sendPage } from "../layout.tsx";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit, Visits } from "../visit.ts";
import { ConfirmRequest } from "./confirm-request.tsx";
import { EnterCode } from "./enter-code.tsx";
import { Decided, DecidedBefore } from "./outcome.tsx";

/** Adds the verification page (RFC 8628 §3.3). GET decides nothing. */
export function deviceRoutes(parts: {
  devices: Pick<DeviceAuthorizations, "describe" | "decide">;
  serve: ServePage;
  visits: Visits;
  baseUrl: () => string;
  clock: Pick<Clock, "now">;
}): void {
  const { devices, serve, visits, baseUrl, clock } = parts;

  const show = visits.signedIn(async (visit, request, response) => {
    const code = request.query.user_code ?? "";
    if (typeof code !== "string") {
      throw new Problem("invalid_request", "The address holds more than one code.");
    }
    if (code === "") return sendPage(response, 200, EnterCode({ visit, baseUrl: baseUrl() }));
    try {
      const approver = approverOf(visit);
      const found = await devices.describe(code, approver);
      const page =
        found.status === "pending"
          ? ConfirmRequest({ visit, request: found, address: approver.address, now: clock.now() })
          : DecidedBefore({ status: found.status });
      sendPage(response, 200, page);
    } catch (error) {
      askAgain(error, response, visit, code);
    }
  });

  const decide = visits.signedIn(async (visit, request, response) => {
    const form: URLSearchParams = request.body;
    const code = form.get("user_code") ?? "";
    const decision = decisionIn(form);
    const approver = approverOf(visit);
    try {
      await devices.decide(code, decision, approver);
      sendPage(response, 200, Decided({ decision }));
    } catch (error) {
      if (!is(error, "conflict")) return askAgain(error, response, visit, code);
      const { status } = await devices.describe(code, approver);
      sendPage(response, 409, DecidedBefore({ status: status === "denied" ? "denied" : "approved" }));
    }
  }, devicePath);

  serve("/device", { get: show, post: decide });

  /** Asks again for a code that was wrong. Rethrows any other error. */
  function askAgain(error: unknown, response: Response, visit: SignedInVisit, entered: string): void {
    if (!is(error, "not_found")) throw error;
    sendPage(response, 404, EnterCode({ visit, baseUrl: baseUrl(), entered, fault: error.detail }));
  }
}

function decisionIn(form: URLSearchParams): Decision {
  const decision = form.get("decision");
  if (decision === "approve" || decision === "deny") return decision;
  throw new Problem("invalid_request", "The form holds no decision. Choose Approve or Deny.");
}

/** Returns the path of the page that a form came from, to return to after signing in. */
function devicePath(request: Request): string {
  const code = (request.body as URLSearchParams).get("user_code");
  return code ? `/device?${new URLSearchParams({ user_code: code })}` : "/device";
}

function is(error: unknown, code: Problem["error"]): error is Problem {
  return error instanceof Problem && error.error === code;
}

function approverOf({ signedIn, by }: SignedInVisit): Approver {
  return { ...by, scopes: signedIn.scopes };
}
