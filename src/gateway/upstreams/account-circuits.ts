import { BoundedMap } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { type Circuit, type CircuitState, createCircuit } from "./circuit.ts";

/** Number of accounts kept, the most recently used. */
const MAX_ACCOUNTS = 1000;

export interface Circuits {
  /** Returns the circuit of an account. They are separate, so that one account's failures do not pause the others. */
  of(accountId: string): Circuit;
  /** State of the circuit that all accounts' requests count for. */
  readonly state: CircuitState;
}

/** @param onChange called for the circuit of an account, and without an account for the shared one. */
export function createCircuits(
  clock: Pick<Clock, "monotonic">,
  onChange: (isUp: boolean, accountId?: string) => void = () => {},
): Circuits {
  const seen = createCircuit(clock, onChange);
  const byAccount = new BoundedMap<string, Circuit>(MAX_ACCOUNTS);
  return {
    of(accountId) {
      const circuit = byAccount.get(accountId) ?? createCircuit(clock, (isUp) => onChange(isUp, accountId));
      byAccount.set(accountId, circuit);
      return {
        enter() {
          const wait = circuit.enter();
          if (wait === 0) seen.enter();
          return wait;
        },
        settle(went, since) {
          circuit.settle(went, since);
          seen.settle(went, since);
        },
        get state() {
          return circuit.state;
        },
      };
    },
    get state() {
      return seen.state;
    },
  };
}
