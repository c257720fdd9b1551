import { Problem } from "../../contract/problem.ts";
import type { Approver, Decision, DeviceAuthorizations } from "../../oauth/device/device-authorization.ts";
import type { Clock } from "../../system/clock.ts";
import { type PageAnswer, type PageRequest, page } from "../page.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit } from "../visit.ts";
import type { Visits } from "../visits.ts";
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

  const show = visits.signedIn(async (visit, { query }) => {
    const [code = "", ...others] = query.getAll("user_code");
    if (others.length > 0) throw new Problem("invalid_request", "The address holds more than one code.");
    if (code === "") return page(200, EnterCode({ visit, baseUrl: baseUrl() }));
    try {
      const approver = approverOf(visit);
      const found = await devices.describe(code, approver);
      return page(
        200,
        found.status === "pending"
          ? ConfirmRequest({ visit, request: found, address: approver.address, now: clock.now() })
          : DecidedBefore({ status: found.status }),
      );
    } catch (error) {
      return askAgain(error, visit, code);
    }
  });

  const decide = visits.signedIn(async (visit, { form }) => {
    const code = form.get("user_code") ?? "";
    const decision = decisionIn(form);
    const approver = approverOf(visit);
    try {
      await devices.decide(code, decision, approver);
      return page(200, Decided({ decision }));
    } catch (error) {
      if (!is(error, "conflict")) return askAgain(error, visit, code);
      const { status } = await devices.describe(code, approver);
      return page(409, DecidedBefore({ status: status === "denied" ? "denied" : "approved" }));
    }
  }, devicePath);

  serve("/device", { get: show, post: decide });

  /** Asks again for a code that was wrong. Rethrows any other error. */
  function askAgain(error: unknown, visit: SignedInVisit, entered: string): PageAnswer {
    if (!is(error, "not_found")) throw error;
    return page(404, EnterCode({ visit, baseUrl: baseUrl(), entered, fault: error.detail }));
  }
}

function decisionIn(form: URLSearchParams): Decision {
  const decision = form.get("decision");
  if (decision === "approve" || decision === "deny") return decision;
  throw new Problem("invalid_request", "The form holds no decision. Choose Approve or Deny.");
}

/** Returns the path of the page that a form came from, to return to after signing in. */
function devicePath({ form }: PageRequest): string {
  const code = form.get("user_code");
  return code ? `/device?${new URLSearchParams({ user_code: code })}` : "/device";
}

function is(error: unknown, code: Problem["error"]): error is Problem {
  return error instanceof Problem && error.error === code;
}

function approverOf({ signedIn, by }: SignedInVisit): Approver {
  return { ...by, scopes: signedIn.scopes };
}
