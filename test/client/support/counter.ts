import { expect } from "vitest";
import { problem, type Reaction, type Seen } from "./server.ts";

/**
 * Counts as a server does: each batch id and each event id once. Repeats of a batch get its first
 * answer. Fails the test if a repeat differs from the first request.
 */
export interface Counter {
  /** How often each event was counted, by its id, or by its Idempotency-Key for `track`. */
  readonly counted: Map<string, number>;
  readonly batches: number;
  receive(request: Seen): Reaction;
}

interface Body {
  batch: { id: string };
  events: { id: string; event: string }[];
}

/** Creates a counter that rejects single events named `bad`. */
export function createCounter(): Counter {
  const counted = new Map<string, number>();
  const known = new Map<string, { request: string; reaction: Reaction }>();
  const count = (id: string) => counted.set(id, (counted.get(id) ?? 0) + 1);

  function receiveBatch(body: string): Reaction {
    const { events } = JSON.parse(body) as Body;
    const results = events.map(({ id, event }, index) => {
      if (event === "bad") return { index, status: "rejected", error: "its name is bad" };
      if (counted.has(id)) return { index, status: "duplicate" };
      count(id);
      return { index, status: "accepted" };
    });
    return { status: 202, body: { results } };
  }

  return {
    counted,
    get batches() {
      return known.size;
    },
    receive({ path, body, headers }) {
      // A sender also requests the policy, at any time if the machine is slow.
      if (!/\/(track|events\/batch)$/.test(path)) return problem(404, "not_found");
      const key = String(headers["idempotency-key"]);
      const id = path === "/api/v1/track" ? key : (JSON.parse(body) as Body).batch.id;
      const request = `${path} ${headers["x-project-id"]} ${body}`;
      const before = known.get(id);
      if (before) {
        expect(request, "a batch sent again under its id").toBe(before.request);
        return before.reaction;
      }
      if (path === "/api/v1/track") count(key);
      const reaction: Reaction = path === "/api/v1/track" ? { body: { recorded: true } } : receiveBatch(body);
      known.set(id, { request, reaction });
      return reaction;
    },
  };
}

export const refusal = problem(422, "unprocessable");
