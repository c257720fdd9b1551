import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { describeFailure } from "../../src/cli/describe-failure.ts";
import { EXIT, UsageError } from "../../src/cli/exit-codes.ts";
import {
  BadBaseUrl,
  SignedOut,
  UnexpectedAnswer,
  Unreachable,
  UntrustedEntitlements,
} from "../../src/client/errors.ts";
import {
  OAUTH_ERRORS,
  OAuthError,
  type OAuthErrorCode,
  PROBLEMS,
  Problem,
  type ProblemCode,
} from "../../src/contract/problem.ts";
import { OperationalError } from "../../src/system/operational-error.ts";

const URL = "https://control.example";
const headers = { "x-request-id": "req_1", "retry-after": "40" };

function systemError(): unknown {
  try {
    return readFileSync("/no/such/file");
  } catch (error) {
    return error;
  }
}

describe("describeFailure()", () => {
  it.each<[string, unknown, number, string]>([
    ["wrong usage", new UsageError("No."), EXIT.usage, "usage"],
    ["a base URL that is none", new BadBaseUrl("No."), EXIT.usage, "bad_base_url"],
    ["an invalid request", new Problem("invalid_request", "No."), EXIT.usage, "invalid_request"],
    ["nobody signed in", new SignedOut(URL, "none", "No."), EXIT.signedOut, "signed_out"],
    ["a token that is not accepted", new Problem("invalid_token", "No."), EXIT.signedOut, "invalid_token"],
    ["a sign-in that ended", new OAuthError("invalid_grant", "No."), EXIT.signedOut, "invalid_grant"],
    ["a limit", new Problem("rate_limited", "No."), EXIT.rateLimited, "rate_limited"],
    ["a limit of OAuth", new OAuthError("slow_down", "No.", { status: 429 }), EXIT.rateLimited, "slow_down"],
    ["nobody there", new Unreachable(URL, "gone", { delivery: "never" }), EXIT.unreachable, "unreachable"],
    ["a busy server", new Problem("overloaded", "No."), EXIT.unreachable, "overloaded"],
    ["a missing scope", new Problem("insufficient_scope", "No."), EXIT.failed, "insufficient_scope"],
    ["a denial", new OAuthError("access_denied", "No."), EXIT.failed, "access_denied"],
    ["a stranger's answer", new UnexpectedAnswer(200, "No."), EXIT.failed, "unexpected_answer"],
    ["a forged document", new UntrustedEntitlements(URL), EXIT.failed, "untrusted_entitlements"],
    ["an interruption", new DOMException("No.", "AbortError"), EXIT.interrupted, "interrupted"],
    ["the system", systemError(), EXIT.failed, "system"],
    ["what an operator can mend", new OperationalError("No."), EXIT.failed, "system"],
    ["our own fault", new TypeError("x is not a function"), EXIT.failed, "internal"],
    ["what is no error", "oops", EXIT.failed, "internal"],
  ])("returns the exit code and the error name for %s", (_, error, exitCode, name) => {
    expect(describeFailure(error)).toMatchObject({ exitCode, error: name });
  });

  it("names the usual reason why a file belongs to somebody else", () => {
    const denied = Object.assign(new Error("EACCES"), { code: "EACCES", path: "/home/ada/config.json" });
    expect(describeFailure(denied).next).toContain("sudo");
    expect(describeFailure(systemError()).next).toBeUndefined();
  });

  it("says of a change whose answer was lost that it may have been made", () => {
    const lost = new Unreachable(URL, "the connection was torn", { delivery: "unknown" });
    expect(describeFailure(lost).next).toContain("Check the network");
    lost.perhapsDone = true;
    expect(describeFailure(lost).next).toContain("It may have been done all the same");
  });

  it("gives the failure's own advice about a server that cannot be reached", () => {
    const expired = new Unreachable(URL, "its certificate is not trusted", {
      delivery: "never",
      next: "Renew it.",
    });
    expect(describeFailure(expired).next).toBe("Renew it.");
  });

  it("returns a sentence without a stack for every error", () => {
    const problems = (Object.keys(PROBLEMS) as ProblemCode[]).map(
      (code) => new Problem(code, "It went wrong"),
    );
    const oauth = (Object.keys(OAUTH_ERRORS) as OAuthErrorCode[]).map(
      (code) => new OAuthError(code, "It went wrong"),
    );
    for (const error of [...problems, ...oauth, systemError(), new Error("boom")]) {
      const { message, next, exitCode } = describeFailure(error);
      expect(message).toMatch(/^\S.*[.!?]$/);
      expect(next ?? "So.").toMatch(/^[A-Z`].*\.$/);
      expect(message + next).not.toMatch(/\n|\bat .*:\d+:\d+/);
      expect(exitCode).toBeGreaterThan(0);
    }
  });

  it("says when to try again after a limit or an overload", () => {
    const limited = (seconds: string) =>
      describeFailure(new Problem("rate_limited", "No.", { headers: { "retry-after": seconds } })).next;
    expect(limited("1")).toBe("Try again in 1 s.");
    expect(limited("40")).toBe("Try again in 40 s.");
    expect(limited("1800")).toBe("Try again in 30 min.");
    expect(describeFailure(new Problem("overloaded", "No.")).next).toBe("Try again later.");
  });

  it("passes on the request id and the faults of the request", () => {
    const errors = [{ path: "type", message: "is required" }];
    expect(describeFailure(new Problem("invalid_request", "No.", { headers, errors }))).toMatchObject({
      requestId: "req_1",
      faults: errors,
    });
    expect(describeFailure(new OAuthError("invalid_scope", "No.", { headers })).requestId).toBe("req_1");
    expect(describeFailure(new SignedOut(URL, "refused", "No.", "req_2")).requestId).toBe("req_2");
    expect(describeFailure(new UntrustedEntitlements(URL, undefined, "req_3")).requestId).toBe("req_3");
  });

  it("names the file that the system refused", () => {
    expect(describeFailure(systemError()).message).toBe("/no/such/file does not exist.");
    const full = Object.assign(new Error("EMFILE: too many open files"), {
      code: "EMFILE",
      path: "/some/file",
    });
    expect(describeFailure(full)).toMatchObject({
      error: "system",
      message: "/some/file cannot be opened: this process may not open more files, see `ulimit -n`.",
    });
    // Node has no name for a quota that is used up.
    const quota = Object.assign(new Error("Unknown system error -122"), {
      code: "Unknown system error -122",
      errno: -constants.errno.EDQUOT,
      path: "/some/file",
    });
    expect(describeFailure(quota).message).toBe(
      "/some/file cannot be written: your share of the disk is used up.",
    );
  });
});
