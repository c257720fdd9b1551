/**
 * Helpers for testing extensions of Toolplane: a whole server, clocks under the test's control, and the conformance
 * suite for stores. The suite runs under vitest and needs fast-check; the rest works with any test runner.
 */

export { type AdjustableClock, adjustableClock } from "./adjustable-clock.ts";
export type { Medium, OpenMedium } from "./conformance/medium.ts";
export { type FakeClock, fakeClock } from "./fake-clock.ts";
export type { RequestOptions, TestRequest, TestResponse } from "./request.ts";
export { type ConformanceOptions, storeConformance } from "./store-conformance.ts";
export { createTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";
