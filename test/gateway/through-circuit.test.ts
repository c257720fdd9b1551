import { describe, expect, it } from "vitest";
import { createCircuits } from "../../src/gateway/upstreams/account-circuits.ts";
import { throughCircuit } from "../../src/gateway/upstreams/through-circuit.ts";
import { UpstreamFailure, type UpstreamRequest } from "../../src/gateway/upstreams/upstream-port.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

/** An upstream that is silent to all requests. Some have to wait for their turn before. */
function silentUpstream() {
  const clock = fakeClock();
  const circuits = createCircuits(clock);
  const turns: (() => void)[] = [];
  let sent = 0;
  const port = {
    async send({ owner, onTurn }: UpstreamRequest): Promise<never> {
      if (owner === "waits") {
        await new Promise<void>((resolve) => turns.push(resolve));
        onTurn?.();
      }
      sent++;
      throw new UpstreamFailure("timeout", "It was silent.");
    },
  };
  const reached = throughCircuit({ port, circuits, clock, title: "Notes" });
  return {
    clock,
    circuit: circuits.of("acc_1"),
    /** Resolves with the kind of the failure. */
    send: (owner: "waits" | "is sent") => {
      const { signal } = new AbortController();
      const request = { method: "POST" as const, headers: {}, owner, accountId: "acc_1", signal };
      return reached(request, "acc_1").catch((failure: UpstreamFailure) => failure.kind);
    },
    takeTurns() {
      for (const turn of turns) turn();
    },
    sent: () => sent,
  };
}

describe("a request that waits for its turn", () => {
  it("is not sent if the circuit has opened meanwhile, and its refusal is no sign of life", async () => {
    const { circuit, send, takeTurns, sent } = silentUpstream();
    const late = [send("waits"), send("waits")];
    for (let time = 0; time < 5; time++) expect(await send("is sent")).toBe("timeout");
    takeTurns();
    expect(await Promise.all(late)).toEqual(["paused", "paused"]);
    expect([sent(), circuit.state]).toEqual([5, "open"]);
  });

  it("tells of a failure although others succeeded while it waited", async () => {
    const { clock, circuit, send, takeTurns } = silentUpstream();
    const all = Array.from({ length: 5 }, () => send("waits"));
    clock.advance(1_000);
    circuit.settle(true, clock.monotonic());
    clock.advance(1_000);
    takeTurns();
    await Promise.all(all);
    expect(circuit.state).toBe("open");
  });
});
