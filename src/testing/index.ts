/**
 * For the tests of what you build on Toolplane: a whole server, clocks that are turned by hand, and the suite
 * that every store passes. The suite runs under vitest and needs fast-check; the rest runs under anything.
 */

export { type AdjustableClock, adjustableClock } from "./adjustable-clock.ts";
export type { Medium, OpenMedium } from "./conformance/medium.ts";
export { type FakeClock, fakeClock } from "./fake-clock.ts";
export type { RequestOptions, TestRequest, TestResponse } from "./request.ts";
export { type ConformanceOptions, storeConformance } from "./store-conformance.ts";
export { createTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";
