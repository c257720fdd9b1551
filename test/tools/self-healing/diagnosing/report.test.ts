import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

const FINDINGS = [
  "shop/cart.py:3:1: W291 trailing whitespace",
  "shop/cart.py:14:5: W391 blank line at end of file",
];

describe("a log that reports only the exit of a step", () => {
  it.each([
    ["Error: Process completed with exit code 137.", "out_of_memory"],
    ["Error: Process completed with exit code 2.", "unknown"],
  ])("is diagnosed as a failure: %j", (log, category) => {
    const { cause, category: found } = diagnose({ log });
    expect(cause?.message).toContain("Process completed");
    expect(found).toBe(category);
  });

  it("has the program's last words as its cause, rather than the service's", () => {
    const log =
      "building\nshop.js is 5120 bytes, over the budget of 4096\nProcess completed with exit code 2.";
    expect(diagnose({ log }).cause?.message).toBe("shop.js is 5120 bytes, over the budget of 4096");
  });

  it("passes over what the service itself writes in between", () => {
    const gitlab = "over the budget\nCleaning up project directory and file based variables\n";
    expect(diagnose({ log: `${gitlab}ERROR: Job failed: exit code 1` }).cause?.message).toBe(
      "over the budget",
    );
    const jenkins = "over the budget\n[Pipeline] }\n[Pipeline] End of Pipeline\n";
    const ended = `${jenkins}ERROR: script returned exit code 1\nFinished: FAILURE`;
    expect(diagnose({ log: ended }).cause?.message).toBe("over the budget");
  });

  it("is not diagnosed as a failure if a success follows", () => {
    const log = "Error: Process completed with exit code 2.\nretrying\nBuild succeeded.";
    expect(diagnose({ log }).cause).toBeNull();
  });
});

describe("findings of a linter without an outcome", () => {
  it("are the cause if the log has hardly any other lines", () => {
    const { cause } = diagnose({ log: FINDINGS.join("\n") });
    expect(cause).toMatchObject({ file: "shop/cart.py" });
    const framed = ["reading settings", "", ...FINDINGS, ""].join("\n");
    expect(diagnose({ log: framed }).cause).toMatchObject({ file: "shop/cart.py" });
  });

  it("are not the cause in a build that reports success", () => {
    const log = [...FINDINGS, "", "Build succeeded."].join("\n");
    expect(diagnose({ log }).cause).toBeNull();
  });

  it("are not the cause if they are warnings of a compiler", () => {
    const log = "src/cart.c:3:7: warning: unused variable 'total' [-Wunused-variable]";
    expect(diagnose({ log }).cause).toBeNull();
    expect(diagnose({ log, exitCode: 0 }).cause).toBeNull();
  });

  it.each([
    [
      "javac under Maven",
      "[WARNING] /w/src/Cart.java:[9,214] [deprecation] total() in Tax has been deprecated",
    ],
    [
      "Eclipse's under Maven",
      "[WARNING] /w/src/Cart.java:[9] \n\tint a;\n\t    ^\nThe value is not used\n1 problem (1 warning)",
    ],
    [
      "Eclipse's under Ant",
      "    [javac] 1. WARNING in /w/Cart.java (at line 3)\n    [javac] \tint a;\n    [javac] \t    ^\n    [javac] unused\n    [javac] 5 problems (5 warnings)",
    ],
    ["javac", "src/Cart.java:3: warning: [rawtypes] found raw type: List\n    List a;\n    ^"],
    ["MSVC", "..\\cart\\total.cpp(53): note: see reference to function template instantiation 'total<int>'"],
    [
      "GCC",
      "cart.h: In instantiation of 'T error() [with T = int]':\ncart.h:27:30:   required from here\ncart.h:9:2: warning: odd [-Wodr]",
    ],
    [
      "Doxygen",
      "src/cart.cpp:171: Warning: reached end of file\n<unknown>:1: Warning: Found unknown command `\\TODO'",
    ],
    ["NAG", "Extension(F2008): cart.f90, line 4: NUM_IMAGES intrinsic procedure"],
    ["TI", '"src/cart.c", line 45: warning #1-D: last line of file ends without a newline'],
    ["automake", "configure.ac:9: installing `aux/config.guess'\nconfigure.ac:6: installing `aux/missing'"],
    ["ESLint", "✖ 5 problems (0 errors, 5 warnings)"],
    [
      "a compiler that names what it compiles",
      "Compiling shop/cart/Exception.cpp\nCompiling shop/cart/Total.cpp",
    ],
  ])("are not the cause if %s calls none an error", (_, log) => {
    expect(diagnose({ log }).cause).toBeNull();
  });

  it("are the cause if they are warnings with a column, for which a linter may fail", () => {
    const log = "src/cart.yaml:42:18: [warning] comment not indented like content";
    expect(diagnose({ log }).cause).toMatchObject({ file: "src/cart.yaml", line: 42 });
  });

  it("are the cause if one is an error", () => {
    const log =
      "[WARNING] /w/src/Cart.java:[9,2] total() has been deprecated\n[ERROR] /w/src/Tax.java:[3,1] ';' expected";
    expect(diagnose({ log }).cause).toMatchObject({ file: "/w/src/Tax.java", line: 3 });
  });
});
