import { describe, expect, it } from "vitest";
import { doubtCaptured } from "../../../../src/tools/self-healing/diagnosing/captured-output.ts";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

const JEST = `FAIL src/login.test.tsx
  ● Login › asks for a password

    TestingLibraryElementError: Unable to find a label with the text of: Password

      at Object.getElementError (node_modules/@testing-library/dom/dist/config.js:37:19)
      at Object.<anonymous> (src/login.test.tsx:22:12)

  console.error
    Error: connect ECONNREFUSED 127.0.0.1:80
        at Object.dispatchError (/app/node_modules/jsdom/lib/jsdom/living/xhr/xhr-utils.js:63:19)

      10 |   useEffect(() => {
    > 11 |     console.error(error);
         |             ^

      at src/login.tsx:11:13

  console.warn
    FATAL ERROR: JavaScript heap out of memory is what this test is about

Test Suites: 1 failed, 3 passed, 4 total
`;

const JEST_CONSOLE_FIRST = `PASS src/errors.test.ts
  ● Console

    console.error node_modules/jsdom/lib/jsdom/virtual-console.js:29
      Error: ENOSPC: no space left on device
          at write (/app/src/log.ts:3:2)

    console.trace
      TypeError: Cannot read properties of null (reading 'x')

FAIL src/login.test.tsx
  ● opens

    expect(received).toBe(expected) // Object.is equality

      at Object.<anonymous> (src/login.test.tsx:22:20)

`;

const E = String.fromCharCode(27);
const VITEST = `stderr | src/z.test.ts > logs a failed request
Error: connect ECONNREFUSED 10.0.0.1:5432
TypeError: Cannot read properties of undefined (reading 'x')
    at open (/app/src/z.ts:4:2)

${E}[90mstdout${E}[2m | src/z.test.ts > says so${E}[22m${E}[39m
ENOSPC: no space left on device

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/login.test.tsx > opens
AssertionError: expected 1 to be 2 // Object.is equality
 ❯ src/login.test.tsx:22:3

 Test Files  1 failed | 1 passed (2)
`;

describe("the captured output of a test", () => {
  it.each([
    ["below the failure, of Jest", JEST],
    ["above it, of Jest", JEST_CONSOLE_FIRST],
    ["above it, of Vitest", VITEST],
  ])("is not the cause, and its heading is not a file: %s", (_, log) => {
    for (const exitCode of [undefined, 1]) {
      const { category, cause, alsoSeen } = diagnose({ log, exitCode });
      expect(category).toBe("test_failure");
      expect(cause).toMatchObject({ file: "src/login.test.tsx", line: 22 });
      const said = alsoSeen.map(({ message, file = "" }) => `${file} ${message}`).join("\n");
      expect(said).not.toMatch(/ECONNREFUSED|ENOSPC|heap|properties|console\./);
    }
  });

  it("is the cause of a failed command if there is no other", () => {
    const log = "  console.error\n    Error: Not implemented: navigation (except hash changes)\n";
    const { cause } = diagnose({ log, exitCode: 1 });
    expect(cause?.message).toBe("Error: Not implemented: navigation (except hash changes)");
    expect(cause).not.toHaveProperty("file");
    expect(diagnose({ log }).cause).toBeNull();
  });

  it("ends at a line indented no deeper than its heading", () => {
    const log = "  console.log\n    x\nTypeError: Cannot read properties of null\n";
    expect(diagnose({ log }).cause?.message).toMatch(/TypeError/);
  });

  it("does not include the output of a container named stderr", () => {
    const log = "stderr | Error: Cannot find module 'left-pad'\n";
    expect(diagnose({ log }).category).toBe("dependency_resolution");
  });
});

it("a heading of captured output is not taken for the file of a finding", () => {
  const log = "  console.error\n  3:10  error  'x' is never used  no-unused-vars\n";
  expect(diagnose({ log, exitCode: 1 }).cause?.file).toBeUndefined();
});

describe("consecutive headings of captured output", () => {
  it.each(["stderr | a.test.ts > x", "  console.error"])("are read in linear time: %s", (heading) => {
    const lines = Array<string>(1000).fill(heading);
    let looked = 0;
    const around = (at: number) => (offset: number) => {
      looked++;
      return lines[at + offset]?.replace(/^stderr \| /, "");
    };
    for (const at of lines.keys()) doubtCaptured([], at, around(at));
    expect(looked).toBeLessThan(5 * lines.length);
  });
});
