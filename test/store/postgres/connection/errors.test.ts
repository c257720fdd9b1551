import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { explained, isAmbiguous, messageOf } from "../../../../src/store/postgres/connection/errors.ts";
import { StoreUnavailable } from "../../../../src/store/store.ts";

/** Creates a server error with a SQLSTATE (PostgreSQL, appendix A). */
function refusal(code: string | undefined): DatabaseError {
  return Object.assign(new DatabaseError("refused", 0, "error"), { code });
}

describe("a failed statement", () => {
  it.each([
    ["08006", "connection failure"],
    ["28P01", "invalid password"],
    ["3D000", "no such database"],
    ["53300", "too many connections"],
    ["57014", "query canceled"],
    ["57P01", "admin shutdown"],
    ["58030", "I/O error"],
    ["25P03", "idle-in-transaction timeout"],
    ["25P04", "transaction timeout"],
    ["25006", "read-only: a standby"],
    ["55P03", "lock not available"],
    ["42501", "no privilege"],
    ["42P01", "no such table"],
    ["3F000", "no such schema"],
    ["42P10", "a table that has no key yet"],
    ["40P01", "deadlock with an operator's locks"],
    ["40001", "conflict with the recovery of a standby"],
  ])("becomes StoreUnavailable for SQLSTATE %s (%s)", (code) => {
    const error = refusal(code);
    const told = explained(error);
    expect(told).toBeInstanceOf(StoreUnavailable);
    expect(told).toMatchObject({ message: "the database answers with an error: refused", cause: error });
  });

  it.each(["23505", "42601", "22P02", "25P02", "55000", "42703", "22308", undefined])(
    "stays the same error for SQLSTATE %s",
    (code) => {
      const error = refusal(code);
      expect(explained(error)).toBe(error);
    },
  );

  it("becomes StoreUnavailable if transaction ids or the room for notifications are used up", () => {
    const limit = (routine: string) => Object.assign(refusal("54000"), { routine });
    for (const routine of ["GetNewTransactionId", "GetNewMultiXactId", "PreCommit_Notify"]) {
      expect(explained(limit(routine))).toBeInstanceOf(StoreUnavailable);
    }
    const tooLong = limit("_bt_check_third_page");
    expect(explained(tooLong)).toBe(tooLong);
  });

  it.each(["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"])(
    "says where to name the authority of a certificate that it does not know (%s)",
    (code) => {
      expect(explained(Object.assign(new Error("not trusted"), { code }))).toMatchObject({
        name: "StoreUnavailable",
        message: expect.stringMatching(/not trusted: .*sslrootcert=/),
      });
      expect(explained(new Error("not trusted"))).toMatchObject({
        message: "the database does not answer: not trusted",
      });
    },
  );

  it("says where to name the password that the database asks for", () => {
    for (const kind of ["a string", "a non-empty string"])
      expect(
        explained(new Error(`SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be ${kind}`)),
      ).toMatchObject({
        name: "StoreUnavailable",
        message: expect.stringMatching(/asks for a password.*TOOL_DATABASE_PASSWORD/),
      });
  });

  it.each(["42P05", "26000"])(
    "says that a pooler swaps connections where a prepared statement is another connection's (%s)",
    (code) => {
      expect(explained(refusal(code))).toMatchObject({
        name: "StoreUnavailable",
        message: expect.stringMatching(
          /answers with an error: refused: .*pools transactions.*TOOL_DATABASE_DIRECT_URL/,
        ),
      });
    },
  );

  it("becomes StoreUnavailable if no server answered, and is not wrapped twice", () => {
    const told = explained(new Error("connect ECONNREFUSED"));
    expect(told).toMatchObject({
      name: "StoreUnavailable",
      message: "the database does not answer: connect ECONNREFUSED",
    });
    expect(explained(told)).toBe(told);
  });
});

describe("a failed COMMIT", () => {
  it("is ambiguous only if the connection broke or the server was shut down", () => {
    expect(isAmbiguous(new Error("Connection terminated unexpectedly"))).toBe(true);
    expect(isAmbiguous(refusal("57P01"))).toBe(true);
    // "server conn crashed?" of PgBouncer
    expect(isAmbiguous(refusal("08P01"))).toBe(true);
    for (const code of ["57014", "40001", "23505", "53100", undefined]) {
      expect(isAmbiguous(refusal(code))).toBe(false);
    }
  });
});

describe("messageOf()", () => {
  it("joins the messages of all addresses that did not answer", () => {
    const none = new AggregateError([new Error("::1 refused"), new Error("127.0.0.1 refused")]);
    expect(messageOf(none)).toBe("::1 refused; 127.0.0.1 refused");
    expect(messageOf(new Error("alone"))).toBe("alone");
    expect(messageOf("a text")).toBe("a text");
  });
});
