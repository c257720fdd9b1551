import { describe, expect, it } from "vitest";
import type { Objective } from "../../../src/tools/models/contract.ts";
import { type Fitting, ranked } from "../../../src/tools/models/rank.ts";
import { model } from "./models.ts";

const fitting = (id: string, more: Partial<Fitting> = {}): Fitting => ({
  model: model(id),
  cost: 1,
  chance: 0.5,
  latencyMs: undefined,
  ...more,
});

const order = (objective: Objective, ...models: Fitting[]) => {
  const ids = ranked(models, objective).map(({ model }) => model.id);
  // The ranking does not depend on the order of the models.
  expect(ranked(models.toReversed(), objective).map(({ model }) => model.id)).toEqual(ids);
  return ids.join(" ");
};

describe("the ranking", () => {
  it("by quality prefers the better chance, then the lower cost, then the name", () => {
    const [good, dear] = [fitting("good", { chance: 0.9, cost: 9 }), fitting("dear", { cost: 2 })];
    expect(order("quality", dear, fitting("b"), fitting("a"), good)).toBe("good a b dear");
  });

  it("by cost prefers the lowest cost per success, and puts unknown costs last", () => {
    const unknown = fitting("unknown", { cost: undefined, chance: 0.99 });
    const sure = fitting("sure", { cost: 1.5, chance: 0.9 });
    const cheap = fitting("cheap", { cost: 1, chance: 0.5 });
    expect(order("cost", unknown, cheap, sure)).toBe("sure cheap unknown");
  });

  it("by balance accepts ten times the price for a quarter more chance, but not for less", () => {
    const cheap = fitting("cheap", { cost: 0.01, chance: 0.5 });
    const worth = fitting("worth", { cost: 0.1, chance: 0.64 });
    const vain = fitting("vain", { cost: 0.1, chance: 0.61 });
    const unknown = fitting("unknown", { cost: undefined, chance: 0.99 });
    expect(order("balanced", unknown, vain, cheap, worth)).toBe("worth cheap vain unknown");
    const free = [fitting("a", { cost: 0.000_01, chance: 0.5 }), fitting("b", { cost: 0, chance: 0.51 })];
    expect(order("balanced", ...free)).toBe("b a");
  });

  it("by balance counts what is given away as the cheapest that is paid for", () => {
    const [free, cheapest] = [fitting("free", { cost: 0 }), fitting("cheapest", { cost: 0.02 })];
    const worth = fitting("worth", { cost: 0.1, chance: 0.64 });
    expect(order("balanced", free, cheapest, worth)).toBe("worth free cheapest");
  });

  it("by cost takes what is given away, unless it nearly always fails", () => {
    const free = fitting("free", { cost: 0 });
    const cheap = fitting("cheap", { cost: 0.001, chance: 0.9 });
    expect(order("cost", cheap, free)).toBe("free cheap");
    expect(order("cost", cheap, fitting("failing", { cost: 0, chance: 0.05 }))).toBe("cheap failing");
    expect(order("cost", free, fitting("another", { cost: 0, chance: 0.6 }))).toBe("another free");
  });

  it("by speed prefers low latency per success, and counts unknown latency as the usual one", () => {
    const timed = (id: string, latencyMs: number, chance = 0.5) => fitting(id, { latencyMs, chance });
    expect(
      order("speed", timed("slow", 900), fitting("unknown"), timed("fast", 100), timed("usual", 500)),
    ).toBe("fast unknown usual slow");
    expect(order("speed", timed("fast", 100, 0.1), timed("steady", 400, 0.9))).toBe("steady fast");
    const thinks = { ...fitting("a-thinker"), model: model("a-thinker", { capabilities: ["reasoning"] }) };
    expect(order("speed", thinks, fitting("plain", { cost: 9 }))).toBe("plain a-thinker");
  });

  it("by speed presumes that a dear model takes longer, and takes it where cheap ones would mostly fail", () => {
    const speed = (chance: number) =>
      order("speed", fitting("cheap", { cost: 0.001, chance }), fitting("dear", { cost: 0.1, chance: 0.9 }));
    expect(speed(0.8)).toBe("cheap dear");
    expect(speed(0.3)).toBe("dear cheap");
    // A price of 0 says as little of the time it takes as an unknown one.
    for (const cost of [0, undefined])
      expect(
        order(
          "speed",
          fitting("small", { cost: 0.5 }),
          fitting("vague", { cost }),
          fitting("z", { cost: 0.9 }),
        ),
      ).toMatch(/^small/);
    const slow = fitting("slow", { cost: 0.1, latencyMs: 1000 });
    expect(order("speed", slow, fitting("cheaper", { cost: 0.01 }), fitting("dearer", { cost: 1 }))).toBe(
      "cheaper slow dearer",
    );
  });
});
