import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { MAX_READ } from "../../../../src/tools/self-healing/diagnosing/log-lines.ts";
import { COMPILER_FORMATS } from "../../../../src/tools/self-healing/diagnostics/compiler-formats.ts";
import { diagnosticOf } from "../../../../src/tools/self-healing/diagnostics/diagnostic.ts";
import { comesToAnEnd, pumpedLines } from "../../../support/pumped.ts";

function shown(text: string): string | undefined {
  const found = diagnosticOf(text, () => undefined);
  if (!found) return undefined;
  const { file, line, column, severity, code, message } = found;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${[place, severity, code].filter((part) => part !== undefined).join(" ")} | ${message}`;
}

const LINES: [tool: string, line: string, finding: string][] = [
  ["TI", '"cart.c", line 25: error #20: "totl" is undefined', 'cart.c:25 error #20 | "totl" is undefined'],
  ["TI", '"cart.c", line 25: warning #1-D: no newline', "cart.c:25 warning #1-D | no newline"],
  ["Keil", '"cart.c", line 5: Error:  #65: expected a ";"', 'cart.c:5 error #65 | expected a ";"'],
  ["Keil", '"boot.s", line 12: Error: A1163E: Unknown opcode', "boot.s:12 error A1163E | Unknown opcode"],
  ["Keil", "*** ERROR C141 IN LINE 12 OF cart.c: syntax", "cart.c:12 error C141 | syntax"],
  ["IBM", '"cart.c", line 12.5: 1506-045 (S) Undeclared.', "cart.c:12:5 error 1506-045 | Undeclared."],
  ["IBM", '"cart.c", line 12.5: 1506-342 (W) Odd.', "cart.c:12:5 warning 1506-342 | Odd."],
  ["IBM", '"cart.c", line 12.5: 1506-137 (I) So.', "cart.c:12:5 info 1506-137 | So."],
  ["Analog", '"cart.c", line 36 (col. 2): cc1462: {D} warning: no', "cart.c:36:2 warning cc1462 | no"],
  ["Sun", '"cart.c", line 12: syntax error before total', "cart.c:12 | syntax error before total"],
  ["chess", 'chess: Error in "cart.c", line 12, column 5: no', "cart.c:12:5 error | no"],
  ["IAR", '"/w/cart.c",33  Error[Pe020]: no "totl"', '/w/cart.c:33 error Pe020 | no "totl"'],
  ["IAR", '"cart.c",3  Fatal error[Pe1696]: cannot open it', "cart.c:3 error Pe1696 | cannot open it"],
  ["IAR", "C:\\w\\cart.c(33) : Warning[Pe177]: unused", "C:\\w\\cart.c:33 warning Pe177 | unused"],
  ["IAR", "C:\\w\\cart.c(33,5) : Remark[Pe381]: extra", "C:\\w\\cart.c:33:5 info Pe381 | extra"],
  ["IAR", "Error[Pe020]: no totl C:\\w\\cart.c 33", "C:\\w\\cart.c:33 error Pe020 | no totl"],
  ["TASKING", 'ctc E208: ["a/cart.c" 380/1] syntax error', "a/cart.c:380:1 error E208 | syntax error"],
  ["TASKING", 'ctc W549: ["cart.c" 8/7] always true', "cart.c:8:7 warning W549 | always true"],
  ["NAG", "Fatal Error: cart.f90, line 5: no type", "cart.f90:5 error | no type"],
  ["NAG", "Panic: cart.f90, line 5: no", "cart.f90:5 error | no"],
  ["NAG", "Extension(F2018): cart.f90, line 5: attribute", "cart.f90:5 info | attribute"],
  ["Eclipse", "Error: file /w/Cart.java, line 57: no total", "/w/Cart.java:57 error | no total"],
  ["Eclipse", "2. WARNING in C:\\my shop\\A.java (at line 3)", "C:\\my shop\\A.java:3 warning | at line 3"],
  ["Questa", "# ** Error: cart.sv(45): (vlog-2730) no", "cart.sv:45 error vlog-2730 | no"],
  ["Questa", "** Warning: (vsim-8233) cart.sv(45): no", "cart.sv:45 warning vsim-8233 | no"],
  ["Questa", "** Error (suppressible): cart.sv(45): (vopt-7) no", "cart.sv:45 error vopt-7 | no"],
  ["Cadence", "xmvlog: *E,EXPSMC (cart.sv,45|10): no ;", "cart.sv:45:10 error EXPSMC | no ;"],
  ["Coco/R", "src\\cart.atg (22,17): Error CS0103: no", "src\\cart.atg:22:17 error CS0103 | no"],
  ["Sun", '"cart.f", Line = 4, Column = 7: ERROR: no', "cart.f:4:7 error | no"],
  ["Borland", "Error E2451 cart.c 12: Undefined symbol", "cart.c:12 error E2451 | Undefined symbol"],
  ["Watcom", "cart.c(12): Error! E1011: not declared", "cart.c:12 error E1011 | not declared"],
  ["FreeBASIC", "cart.bas(12) error 41: not declared", "cart.bas:12 error 41 | not declared"],
  ["NVIDIA", "NVFORTRAN-S-0034-Syntax error (cart.f90: 12)", "cart.f90:12 error 0034 | Syntax error"],
  ["PGI", "PGC-W-0095-Type cast required (cart.c: 12)", "cart.c:12 warning 0095 | Type cast required"],
  ["glslang", "ERROR: cart.frag:12: 'totl' : undeclared", "cart.frag:12 error | 'totl' : undeclared"],
  ["ANTLR", "error(50): Cart.g4:12:5: syntax error: no", "Cart.g4:12:5 error 50 | syntax error: no"],
  [
    "Thrift",
    "[ERROR:/w/cart.thrift:12] (last token was 'x')",
    "/w/cart.thrift:12 error | (last token was 'x')",
  ],
  ["Code::Blocks", "main.cpp|12|error: no totl|", "main.cpp:12 error | no totl"],
  ["Quartus", "Error (10500): no end File: /w/a.vhd Line: 12", "/w/a.vhd:12 error 10500 | no end"],
  ["Quartus", "Error (10161): error at a.v(45): no", "a.v:45 error 10161 | error at a.v(45): no"],
  ["Vivado", "ERROR: [Synth 8-2715] no end [/w/a.v:45]", "/w/a.v:45 error Synth 8-2715 | no end"],
  ["FXC", "cart.hlsl(12,5-9): error X3004: no", "cart.hlsl:12:5 error X3004 | no"],
  ["go vet", "cart_test.go:59: missing argument for Fatalf", "cart_test.go:59 | missing argument for Fatalf"],
  ["GNAT", "cart.adb:96:80: (style) too long", "cart.adb:96:80 info | (style) too long"],
  ["GCC", "cart.h:27:30:   required from here", "cart.h:27:30 info | required from here"],
];

describe("a finding of a compiler", () => {
  it.each(LINES)("is read as %s writes it: %j", (_, line, finding) => {
    expect(shown(line)).toBe(finding);
  });

  it("is none where a host, or nothing, is named in the form of one", () => {
    expect(shown('"shop.test", line 3')).toBeUndefined();
    expect(shown("Info: acme, line 3: nothing")).toBeUndefined();
  });

  it("takes linear time on adversarial lines", () => {
    const hard = LINES.flatMap(([, line]) => pumpedLines(line, MAX_READ));
    for (const pattern of COMPILER_FORMATS) expect(comesToAnEnd(pattern, hard), pattern.source).toBe(true);
  });

  it("is an error of the compiler, whatever its words", () => {
    const log = [
      '"src/tax.c", line 3: warning #177-D: variable "rate" was declared but never referenced',
      '"src/cart.c", line 25: error #79: invalid type argument',
      '"src/cart.c", line 40: error #20: identifier "totl" is undefined',
    ].join("\n");
    const { category, cause } = diagnose({ log, exitCode: 1 });
    expect({ category, cause }).toMatchObject({
      category: "compile_error",
      cause: { file: "src/cart.c", line: 25, severity: "error", code: "#79" },
    });
    const sql = '** Error: rtl/cart.sv(45): near "endmodule": syntax error, unexpected endmodule';
    expect(diagnose({ log: sql, exitCode: 1 })).toMatchObject({
      category: "compile_error",
      cause: { file: "rtl/cart.sv", line: 45 },
    });
    const undeclared = "# ** Error: rtl/cart.sv(45): (vlog-2730) Undefined variable: 'totl'.";
    expect(diagnose({ log: undeclared, exitCode: 1 }).category).toBe("compile_error");
  });

  it("is none of settings in a source", () => {
    const log = 'cart_test.go:59: missing argument for Fatalf("%v"): it reads arg 2';
    expect(diagnose({ log, exitCode: 1 }).category).toBe("lint");
  });

  it("is as grave as what Questa heads it with", () => {
    const log = [
      "# ** Warning: ** while parsing file included at tb/tb_all.sv(12)",
      "# ** at rtl/cart.v(71): (vlog-2623) Undefined variable: full.",
    ];
    expect(diagnose({ log: log.join("\n") }).cause).toBeNull();
    const failed = log.join("\n").replace("Warning", "Error");
    expect(diagnose({ log: failed, exitCode: 2 }).cause).toMatchObject({ file: "rtl/cart.v", line: 71 });
  });

  it("is the missing header, where that is what it says", () => {
    const log = '"src/cart.c",3  Fatal error[Pe1696]: cannot open source file "tax.h"';
    expect(diagnose({ log, exitCode: 1 })).toMatchObject({
      category: "missing_file",
      cause: { file: "src/cart.c", line: 3 },
    });
  });

  it.each([
    "E:\\shop\\cart.c(15): ERROR C1815: totl not declared (or typename)",
    "Unit1.pas(205) Error: E2003 Undeclared identifier: 'totl'",
    "cart.asm(12) : error A2006: undefined symbol : totl",
    "cart.s:12: Error: no such instruction: `movz'",
    "Cart.h(12): Error: Unrecognized type 'FTotl' - type must be a UCLASS, USTRUCT, UENUM, or global delegate.",
    "cart.js:12:5: ERROR - [JSC_UNDEFINED_VARIABLE] variable totl is undeclared",
  ])("is a compiler's error by its file or its number: %j", (log) => {
    expect(diagnose({ log, exitCode: 2 })).toMatchObject({
      category: "compile_error",
      cause: { severity: "error" },
    });
  });

  it("is a linter's where its code is a rule's", () => {
    const log = "src/cart.c:12:5: error: Null pointer dereference: p [nullPointer]";
    expect(diagnosticOf(log, () => undefined)?.code).toBe("nullPointer");
    const robot = "+ tests/cart.robot\nE: 28, 0: space not allowed in tag name (TagWithSpaces)";
    expect(diagnose({ log: robot, exitCode: 1 })).toMatchObject({
      category: "lint",
      cause: { file: "tests/cart.robot", line: 28, code: "TagWithSpaces" },
    });
  });
});

describe("a finding of MSBuild", () => {
  it("has no place in the user's own file that a warning before it names", () => {
    const log = [
      "        Cart.cs(12,13): warning CS1717: Assignment made to same variable",
      "    Target _CopyFilesMarkedCopyLocal:",
      '        C:\\Windows\\Microsoft.NET\\Framework\\v3.5\\Microsoft.Common.targets(2703,9): error MSB3021: Unable to copy file "a.dll" to "b.dll".',
    ].join("\n");
    expect(diagnose({ log, exitCode: 1 }).cause?.file).not.toBe("Cart.cs");
  });

  it("is no failed test where it names what it made", () => {
    const log = "  Shop -> C:\\w\\Shop\\bin\\Release\\Shop.dll\n  Done";
    expect(diagnose({ log, exitCode: 1 }).category).toBe("unknown");
  });
});

describe("a path with blanks", () => {
  it.each([
    ["  [javadoc] /w/my shop/src/Cart.java:26: error: bad use of '>'", "/w/my shop/src/Cart.java:26"],
    ["C:\\my shop\\Cart.java:26: error: no symbol", "C:\\my shop\\Cart.java:26"],
    ["C:\\Program Files (x86)\\shop\\cart:28:2: no return type", "C:\\Program Files (x86)\\shop\\cart:28"],
  ])("is read where it is absolute: %j", (log, place) => {
    const { cause } = diagnose({ log, exitCode: 1 });
    expect(`${cause?.file}:${cause?.line}`).toBe(place);
  });
});

describe("what GNAT says", () => {
  it("is an error where nothing marks it, and a remark where it is about style", () => {
    const log =
      'src/cart.adb:9:80: (style) this line is too long\nsrc/cart.adb:12:10: missing ";"\ngnatmake: "cart.adb" compilation error';
    expect(diagnose({ log, exitCode: 4 }).cause).toMatchObject({ file: "src/cart.adb", line: 12 });
  });
});

describe("Eclipse's compiler", () => {
  const error = (line: number, message: string) => [
    `${line}. ERROR in /w/src/Cart.java (at line ${line})`,
    "\tint total = tax.of(order);",
    "\t            ^^^",
    message,
    "----------",
  ];

  it("says below the source what is wrong", () => {
    const log = [
      "----------",
      ...error(1, "tax cannot be resolved"),
      ...error(2, "no"),
      "2 problems (2 errors)",
    ];
    const { category, cause } = diagnose({ log: log.join("\n"), exitCode: 1 });
    expect(category).toBe("compile_error");
    expect(cause).toMatchObject({ message: "tax cannot be resolved", file: "/w/src/Cart.java", line: 1 });
  });

  it("is read under Ant", () => {
    const log = [
      "    [javac] ----------",
      ...error(3, "tax cannot be resolved").map((each) => `    [javac] ${each}`),
    ];
    const { cause } = diagnose({ log: log.join("\n"), exitCode: 1 });
    expect(cause).toMatchObject({ message: "tax cannot be resolved", file: "/w/src/Cart.java", line: 3 });
  });

  it("is read under Maven, which names the place alone", () => {
    const log = [
      "[ERROR] /w/src/Cart.java:[7] ",
      "\tint total = tax.of(order);",
      "\t            ^^^",
      "tax cannot be resolved",
      "1 problem (1 error)",
    ].join("\n");
    const { cause } = diagnose({ log, exitCode: 1 });
    expect(cause).toMatchObject({ message: "tax cannot be resolved", file: "/w/src/Cart.java", line: 7 });
  });
});

describe("what is told on other lines", () => {
  it.each([
    [
      "gfortran",
      [
        "cart.f90:7.10:",
        "",
        "      totl = 1",
        "          1",
        "Error: Symbol 'totl' at (1) has no IMPLICIT type",
      ],
      "cart.f90:7",
    ],
    [
      "LLVM's linker",
      [
        "ld.lld: error: undefined symbol: total(int)",
        ">>> referenced by cart.cpp:12 (src/cart.cpp:12)",
        ">>>               cart.o:(main)",
      ],
      "src/cart.cpp:12",
    ],
    [
      "Questa",
      [
        "# ** Error: The total is 12, expected 13",
        "#    Time: 90 ns  Iteration: 0  Scope: tb File: rtl/cart_tb.sv Line: 31",
      ],
      "rtl/cart_tb.sv:31",
    ],
    [
      "VCS",
      [
        "Error-[SE] Syntax error",
        "  Following verilog source has syntax error :",
        "  \"rtl/cart.sv\", 12: token is 'end'",
      ],
      "rtl/cart.sv:12",
    ],
    [
      "Cray",
      [
        "ftn-1725 crayftn: ERROR SHOP, File = cart.f90, Line = 12, Column = 5",
        "  Unexpected syntax while parsing the statement",
      ],
      "cart.f90:12",
    ],
    [
      "Dr. Memory",
      [
        "Error #1: UNADDRESSABLE ACCESS: reading 0x7-0x8 1 byte(s)",
        "# 0 replace_malloc   [/build/common/alloc_replace.c:2576]",
        "# 1 fill             [/w/src/over.c:3]",
      ],
      "/w/src/over.c:3",
    ],
  ])("is the place of %s", (_, log, place) => {
    const { cause } = diagnose({ log: log.join("\n"), exitCode: 1 });
    expect(`${cause?.file}:${cause?.line}`).toBe(place);
  });

  it.each([
    "Error: L6218E: Undefined symbol shop_total (referred from main.o).",
    "ERROR L1822: Symbol shop_total in file build/cart.o is undefined",
    'Error[Li005]: no definition for "shop_total" [referenced from main.o]',
    "ltc E106: unresolved external: shop_total",
  ])("is the symbol that a linker lacks: %j", (log) => {
    const { category, suggestions } = diagnose({ log, exitCode: 1 });
    expect(category).toBe("compile_error");
    expect(suggestions[0]?.title).toContain("shop_total");
  });

  it("is why NMAKE ends, which says itself only that it does", () => {
    const log = [
      "cart.c(12) : error C2065: 'totl' : undeclared identifier",
      "NMAKE : fatal error U1077: 'cl.exe' : return code '0x2'",
    ].join("\n");
    expect(diagnose({ log, exitCode: 2 }).cause).toMatchObject({ file: "cart.c", line: 12 });
    const silent = "the total is wrong\nNMAKE : fatal error U1077: 'test.exe' : return code '0x1'";
    expect(diagnose({ log: silent, exitCode: 2 }).cause?.message).toBe("the total is wrong");
  });
});
