/** An error of a program that recurs over some days. */
export interface FailingLine {
  type: string;
  message: string;
  route: string;
  file: string;
  function: string;
  line: number;
  /** The total number of occurrences from day `from` to day `until`. */
  times: number;
  from: number;
  until: number;
  release: string;
}

export const ERRORS: readonly FailingLine[] = [
  {
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'postcode')",
    route: "/checkout/address",
    file: "src/checkout/address-form.ts",
    function: "fillAddress",
    line: 84,
    times: 17,
    from: 38,
    until: 46,
    release: "checkout@4.11.0",
  },
  {
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'postcode')",
    route: "/checkout/address",
    file: "src/checkout/address-form.ts",
    function: "fillAddress",
    line: 84,
    times: 21,
    from: 50,
    until: 59,
    release: "checkout@4.12.0",
  },
  {
    type: "TimeoutError",
    message: "The payment provider did not answer within 8000 ms",
    route: "/checkout/pay",
    file: "src/payments/client.ts",
    function: "authorise",
    line: 131,
    times: 9,
    from: 31,
    until: 37,
    release: "checkout@4.10.2",
  },
  {
    type: "TimeoutError",
    message: "The payment provider did not answer within 8000 ms",
    route: "/checkout/pay",
    file: "src/payments/client.ts",
    function: "authorise",
    line: 131,
    times: 16,
    from: 40,
    until: 58,
    release: "checkout@4.11.0",
  },
  {
    type: "RangeError",
    message: "Invalid time value",
    route: "/tracking/:parcel",
    file: "src/tracking/eta.ts",
    function: "formatEta",
    line: 27,
    times: 9,
    from: 44,
    until: 57,
    release: "tracking@2.3.1",
  },
  {
    type: "ConflictError",
    message: "The label of this parcel was printed already",
    route: "/labels",
    file: "src/labels/print.ts",
    function: "printOnce",
    line: 58,
    times: 14,
    from: 33,
    until: 49,
    release: "labels@1.8.0",
  },
  {
    type: "SyntaxError",
    message: "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
    route: "/search",
    file: "src/search/suggest.ts",
    function: "readSuggestions",
    line: 19,
    times: 6,
    from: 50,
    until: 59,
    release: "web@7.0.0",
  },
  {
    type: "Error",
    message: "connect ECONNREFUSED 10.2.0.14:6379",
    route: "/pricing",
    file: "src/pricing/cache.ts",
    function: "open",
    line: 41,
    times: 11,
    from: 46,
    until: 46,
    release: "pricing@3.2.0",
  },
  {
    type: "QuotaExceededError",
    message: "The quota has been exceeded.",
    route: "/basket",
    file: "src/web/basket-store.ts",
    function: "save",
    line: 12,
    times: 3,
    from: 58,
    until: 59,
    release: "web@7.0.1",
  },
];

/** Decisions about errors, which are found by a search for `query`. */
export const DECISIONS: readonly { day: number; query: string; as: "resolve" | "ignore" }[] = [
  { day: 47, query: "postcode", as: "resolve" },
  { day: 48, query: "ECONNREFUSED", as: "ignore" },
  { day: 51, query: "label", as: "resolve" },
];

/** Returns the event that a Sentry SDK would send for an error. */
export function reportOf(error: FailingLine, id: string, at: number): Record<string, unknown> {
  const { type, message, route, file, line, release } = error;
  const frames = [
    {
      filename: "node:internal/process/task_queues",
      function: "processTicksAndRejections",
      lineno: 105,
      colno: 5,
      in_app: false,
    },
    { filename: "src/server/router.ts", function: "dispatch", lineno: 212, colno: 9, in_app: true },
    { filename: file, function: error.function, lineno: line, colno: 17, in_app: true },
  ];
  return {
    event_id: id,
    timestamp: at / 1000,
    platform: "javascript",
    level: "error",
    release,
    environment: "production",
    transaction: route,
    exception: { values: [{ type, value: message, stacktrace: { frames } }] },
  };
}

/** A failed build and its fix. */
export interface FailedBuild {
  day: number;
  command: string;
  exitCode: number;
  log: string;
  fix?: { text: string; outcome: "success" | "failure" };
}

const peer = `npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error
npm error Found: react@19.2.0
npm error node_modules/react
npm error   react@"^19.2.0" from the root project
npm error
npm error Could not resolve dependency:
npm error peer react@"^18.0.0" from @shop/datepicker@3.1.4
`;
const types = `src/pricing/rate-card.ts(48,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/pricing/rate-card.ts(61,21): error TS2345: Argument of type 'undefined' is not assignable to parameter of type 'Rate'.
`;
const python = `Traceback (most recent call last):
  File "/app/reports/month_end.py", line 12, in <module>
    import pandas as pd
ModuleNotFoundError: No module named 'pandas'
`;
const memory = `<--- Last few GCs --->
[41:0x5581] 118034 ms: Mark-Compact 2047.1 (2083.6) -> 2046.2 (2083.8) MB
FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory
`;
const push = `remote: Permission to kestrel/checkout.git denied to ci-bot.
fatal: unable to access 'https://git.kestrel.example/kestrel/checkout.git/': The requested URL returned error: 403
`;
const golang = `# kestrel.example/labels/print
./printer.go:77:9: undefined: newSpooler
./printer.go:91:2: label declared and not used
`;
const disk = `Step 9/14 : RUN npm ci
npm error code ENOSPC
npm error syscall write
npm error errno -28
npm error nospc ENOSPC: no space left on device, write
`;

export const BUILDS: readonly FailedBuild[] = [
  {
    day: 22,
    command: "npm ci",
    exitCode: 1,
    log: peer,
    fix: { text: "Took @shop/datepicker 4, which allows React 19", outcome: "success" },
  },
  {
    day: 27,
    command: "npx tsc --noEmit",
    exitCode: 2,
    log: types,
    fix: { text: "Parsed the amount where it is read", outcome: "success" },
  },
  {
    day: 34,
    command: "python -m reports.month_end",
    exitCode: 1,
    log: python,
    fix: { text: "Added pandas to requirements.txt", outcome: "success" },
  },
  {
    day: 41,
    command: "npm run build",
    exitCode: 134,
    log: memory,
    fix: { text: "NODE_OPTIONS=--max-old-space-size=2048", outcome: "failure" },
  },
  {
    day: 42,
    command: "npm run build",
    exitCode: 134,
    log: memory,
    fix: { text: "Built the two bundles one after the other", outcome: "success" },
  },
  { day: 48, command: "git push", exitCode: 128, log: push },
  {
    day: 51,
    command: "go build ./...",
    exitCode: 1,
    log: golang,
    fix: { text: "Committed spooler.go, which was left out", outcome: "success" },
  },
  {
    day: 55,
    command: "docker build .",
    exitCode: 1,
    log: disk,
    fix: { text: "docker system prune on the runner", outcome: "success" },
  },
  { day: 58, command: "npm ci", exitCode: 1, log: peer },
];
