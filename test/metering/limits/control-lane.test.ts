import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/contract/caller.ts";
import { type ControlCaller, controlWindows } from "../../../src/metering/limits/control-lane.ts";

function callerWith(
  scopes: Scope[],
  credential: Partial<ControlCaller["credential"]> = {},
  accountId = "acc_1",
): ControlCaller {
  const account = { id: accountId, name: "One", plan: "free", createdAt: 0 };
  return { account, credential: { kind: "api_key", id: "key_1", scopes, ...credential } };
}

const figures = (caller: ControlCaller, least: number, plan: number) =>
  controlWindows(caller, least, plan).map(({ name, limit }) => [name, limit]);
const keys = (caller: ControlCaller) => controlWindows(caller, 120, 20).map(({ key }) => key);

describe("the windows of the control lane", () => {
  it("admit the catalogue's or the plan's minute, whichever is more, and 20 times the former in all", () => {
    expect(figures(callerWith(["read"]), 120, 20)).toEqual([
      ["control", 120],
      ["control-account", 2400],
    ]);
    expect(figures(callerWith(["read"]), 120, 1000)).toEqual([
      ["control", 1000],
      ["control-account", 2400],
    ]);
    expect(figures(callerWith(["read"]), 120, 5000)).toEqual([
      ["control", 5000],
      ["control-account", 5000],
    ]);
  });

  it("have no ceiling for the operator", () => {
    expect(figures(callerWith(["operator"]), 120, 20)).toEqual([["control", 120]]);
  });

  it("are shared by all tokens of one sign-in, and by no other credential", () => {
    const token = (id: string, familyId: string) =>
      keys(callerWith(["read"], { kind: "access_token", id, familyId }))[0];
    expect(token("tok_1", "fam_1")).toBe(token("tok_2", "fam_1"));
    expect(token("tok_1", "fam_1")).not.toBe(token("tok_1", "fam_2"));
    expect(keys(callerWith(["read"], { id: "key_1" }))[0]).not.toBe(
      keys(callerWith(["read"], { id: "key_2" }))[0],
    );
  });

  it("have separate ceilings for browsers and programs, admins and members", () => {
    const ceilings = [
      callerWith(["read"]),
      callerWith(["admin"]),
      callerWith(["read"], { kind: "session" }),
      callerWith(["admin"], { kind: "session" }),
    ].map((caller) => keys(caller)[1]);
    expect(new Set(ceilings).size).toBe(4);
    expect(keys(callerWith(["write"], { id: "key_2" }))[1]).toBe(ceilings[0]);
    expect(keys(callerWith(["read"], {}, "acc_2"))[1]).not.toBe(ceilings[0]);
    expect(keys(callerWith(["read"]))[0]).not.toBe(ceilings[0]);
  });
});
