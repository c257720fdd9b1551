import { describe, expect, it } from "vitest";
import type { Problem } from "../../../src/contract/problem.ts";
import { projectSpace } from "../../../src/store/store.ts";
import { pairCollections, type SessionDocument, sessions } from "../../../src/tools/pair/documents.ts";
import type { Participant } from "../../../src/tools/pair/session-contract.ts";
import { handedOff, sessionsPage } from "../../../src/tools/pair/sessions.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = projectSpace("acc", "one");

describe("handedOff()", () => {
  const of = (...roles: ("driver" | "navigator")[]) => roles.map((role, at) => ({ id: `p${at}`, role }));
  const rolesAfter = (given: Participant[], named: object = {}) =>
    handedOff(given, named)
      .map(({ role }) => role[0])
      .join("");
  const fault = (given: Participant[], named: object = {}): Problem => {
    try {
      handedOff(given, named);
    } catch (error) {
      return error as Problem;
    }
    throw new Error("It was handed off.");
  };

  it("hands off between the named participants, or the only ones of each role", () => {
    expect(rolesAfter(of("driver", "navigator"))).toBe("nd");
    expect(rolesAfter(of("driver", "navigator", "navigator"), { to: "p2" })).toBe("nnd");
    expect(rolesAfter(of("driver", "driver", "navigator"), { from: "p1" })).toBe("dnd");
    expect(rolesAfter(of("driver", "driver", "navigator", "navigator"), { from: "p0", to: "p3" })).toBe(
      "ndnd",
    );
  });

  it.each<[Participant[], object, string, string]>([
    [of("navigator", "navigator"), {}, "from", "there is no driver in this session"],
    [of("driver"), {}, "to", "there is no navigator in this session"],
    [of("driver", "driver", "navigator"), {}, "from", 'must name one of the drivers, "p0", "p1"'],
    [of("driver", "navigator"), { from: "p1" }, "from", '"p1" is no driver; there is "p0"'],
    [of("driver", "navigator"), { to: "p0" }, "to", '"p0" is no navigator; there is "p1"'],
  ])("refuses %j with %j, naming %s", (given, named, path, message) => {
    const problem = fault(given, named);
    expect([problem.error, problem.extras.errors]).toEqual(["unprocessable", [{ path, message }]]);
  });

  it("names at most ten participants in the error", () => {
    const { message } = fault(of(...Array(12).fill("driver"), "navigator"));
    expect(message).toContain('"p9".');
    expect(message).not.toContain("p10");
  });
});

describe("sessionsPage()", () => {
  it("lists sessions by state in pages, the newest first", async () => {
    const { transact: run } = await openTestStore({ collections: pairCollections });
    const began: SessionDocument = {
      ...{ participants: [], sequence: 0, oldest: 1, weight: 0, length: 0, files: 0 },
      ...{ createdAt: 0, updatedAt: 0 },
    };
    await run(async (tx) => {
      for (let at = 0; at < 410; at++) {
        const isActive = at % 205 === 3 || at === 0;
        await tx.put(sessions, SPACE, `s${1000 + at}`, { ...began, ...(!isActive && { endedAt: 5 }) });
      }
    });
    const page = (more: object) => run((tx) => sessionsPage(tx, SPACE, { limit: 9, ...more }));
    const ids = async (more: object) => (await page(more)).items.map(({ session }) => session.id);
    expect(await ids({ state: "active" })).toEqual(["s1208", "s1003", "s1000"]);
    expect((await page({ state: "active", limit: 2 })).nextCursor).toBe("s1003");
    expect(await ids({ state: "active", limit: 2, cursor: "s1003" })).toEqual(["s1000"]);
    expect((await page({ state: "active", limit: 3 })).nextCursor).toBeUndefined();
    expect(await ids({ limit: 2 })).toEqual(["s1409", "s1408"]);
    expect((await ids({ state: "ended", limit: 500 })).length).toBe(407);
    expect((await ids({ limit: 500 })).length).toBe(410);
  });
});
