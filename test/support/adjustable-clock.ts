export { type AdjustableClock, adjustableClock } from "../../src/testing/adjustable-clock.ts";
