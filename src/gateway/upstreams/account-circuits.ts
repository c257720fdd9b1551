import type { Clock } from "../../system/clock.ts";
import { Recent } from "../../system/lately.ts";
import { type Circuit, type CircuitState, createCircuit } from "./circuit.ts";

/** Of the accounts that asked last. */
const MAX_ACCOUNTS = 1000;

export interface Circuits {
  /** One for each account: whoever makes an upstream fail has it paused for nobody else. */
  of(accountId: string): Circuit;
  /** How the upstream has been answering, whoever asked. */
  readonly state: CircuitState;
}

/** @param onChange hears of the circuit of an account, and of that of whoever asks: then without an account. */
export function createCircuits(
  clock: Pick<Clock, "monotonic">,
  onChange: (isUp: boolean, accountId?: string) => void = () => {},
): Circuits {
  const seen = createCircuit(clock, onChange);
  const byAccount = new Recent<string, Circuit>(MAX_ACCOUNTS);
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
