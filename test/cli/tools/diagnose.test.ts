import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { startOwner } from "../support/owner.ts";
import { user } from "../support/tool.ts";

const LOG =
  "> shop@1.0.0 build\nsrc/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n";

describe("tool diagnose", () => {
  it("shows cause, place, lines and suggestions, and remembers a suggestion that helped", async () => {
    const { tool, home } = await startOwner();
    writeFileSync(join(home, "build.log"), LOG);
    const nothing = await tool("self-healing", "history");
    expect(nothing.stdout).toBe("Nothing was diagnosed yet. Begin with: tool diagnose -- <command>\n");
    const first = await tool("diagnose", "build.log", "--command", "npm run build", "--exit-code", "2");
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^✖ Type error in src\/cart\.ts:12:5 \(node, \d+ % sure\)$/m);
    expect(first.stdout).toMatch(/^› 2 {2}src\/cart\.ts\(12,5\): error TS2322: /m);
    expect(first.stdout).toMatch(/^Try\n {2}Mend src\/cart\.ts:12: Type .* mend-place$/m);
    const id = first.stdout.match(/record (dia_\w+) success/)?.[1] as string;
    const recorded = await tool("self-healing", "record", id, "success", "--suggestion", "node-type-check");
    expect(recorded.stdout).toMatch(
      /^✔ Recorded the success of "Check types locally .*": 60 % likely to help \(tried 1 time\)$/m,
    );
    const again = await tool("diagnose", "build.log");
    expect(again.stdout).toMatch(/^Try\n {2}Check types locally .* 60 % likely to help \(tried 1 time\)/m);
    expect(again.stdout).toMatch(/^Seen 1 time before, last .*; then this helped: Check types locally/m);
    const history = await tool("self-healing", "history");
    expect(history.stdout).toMatch(/^Diagnosis +When +Kind +Outcome +Cause$/m);
    expect(history.stdout).toMatch(new RegExp(`^${id} .* Type error +success +src/cart\\.ts:12:5 `, "m"));
    const none = await tool("self-healing", "history", "--category", "network");
    expect(none.stdout).toBe("No diagnosis is of the category network.\n");
  });

  it.each([
    ["FileNotFoundError: [Errno 2] No such file or directory: 'cart.json'", "Missing file: cart.json ("],
    ["src/cart.ts(12,5): error TS2307: Cannot find module './tax' or its types.", "in src/cart.ts:12:5 ("],
  ])("names the missing or the faulty file in the heading: %s", async (log, heading) => {
    const { tool, home } = await startOwner();
    writeFileSync(join(home, "build.log"), `${log}\n`);
    expect((await tool("diagnose", "build.log")).stdout.split("\n")[0]).toContain(heading);
  });

  it("runs a command, passes on output and exit code, and explains a failure", async () => {
    const { tool } = await startOwner();
    const script = 'console.log("out"); console.error("err"); require("left-pad")';
    const failed = await tool("diagnose", "--", process.execPath, "-e", script);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^out$/m);
    expect(failed.stderr).toMatch(/^err$/m);
    expect(failed.stdout).toMatch(/ failed with exit code 1 \(.*\)\.$/m);
    expect(failed.stdout).toMatch(/^✖ Dependency resolution \(node, /m);
    expect(failed.stdout).toMatch(/^ {4}npm install left-pad$/m);
    const passed = await tool("diagnose", "--json", "--", process.execPath, "-e", "console.log(1)");
    expect([passed.code, passed.stderr]).toEqual([0, expect.stringContaining("1\n")]);
    expect(passed.json).toMatchObject({ exitCode: 0, diagnosis: null });
    const missing = await tool("diagnose", "--json", "--", "no-such-command", "--json");
    expect([missing.code, missing.json.exitCode]).toEqual([127, 127]);
    expect(missing.json.diagnosis).toMatchObject({ category: "missing_file", cause: { logLine: 1 } });
  });

  it.each([
    ["signed out", {}, ""],
    ["with a token that the server refuses", { TOOL_TOKEN: "tak_refused" }, "Not diagnosed: "],
    ["with a server that is away", { TOOL_BASE_URL: "http://127.0.0.1:1" }, ""],
  ])("exits with the code of the command: %s", async (_, environment, said) => {
    const app = await startApp();
    const { tool } = user({ TOOL_BASE_URL: app.url, ...environment });
    const run = (code: number) => tool("diagnose", "--", process.execPath, "-e", `process.exit(${code})`);
    const failed = await run(7);
    expect([failed.code, failed.stdout]).toEqual([7, expect.stringContaining(said)]);
    expect((await run(0)).code).toBe(0);
  });

  it.each([
    ["exit 3", 3, "✖ It failed and wrote nothing that could be read", "unknown-locally"],
    ["exit 124", 124, "✖ Timeout, by its exit code: ", "timeout-find"],
    ["kill -9 $$", 137, "✖ Out of memory (", "memory-parallel"],
    ["echo Starting; kill -SEGV $$", 139, "› 2  Segmentation fault", "crash-find"],
    ["printf Starting; kill -ABRT $$", 134, "› 2  Aborted", "c-sanitize"],
  ])("never reports a failed command as a success: %s", async (script, code, said, advice) => {
    const { tool } = user({});
    const failed = await tool("diagnose", "--", "sh", "-c", script);
    expect([failed.code, failed.stdout]).toEqual([code, expect.stringContaining(said)]);
    expect(failed.stdout).toContain(advice);
    expect(failed.stdout).not.toContain("Nothing in this log has failed");
  });

  it("names a file of the working directory, even of a temporary one", async () => {
    const { tool, home } = user({});
    writeFileSync(join(home, "cart.js"), "function total(cart) { return cart.a.b }\ntotal({});\n");
    const { stdout } = await tool("diagnose", "--", process.execPath, "cart.js");
    expect(stdout).toMatch(/^✖ Failure in \S+cart\.js:1:\d+ \(node, \d+ % sure\)$/m);
    expect(stdout).toMatch(/^ {2}Look at \S+cart\.js:1, .* exception-line$/m);
    expect(stdout).not.toContain("does not say why");
  });

  it("exits with 126 like a shell when a command is not executable", async () => {
    const { tool, home } = user({});
    writeFileSync(join(home, "build.sh"), "exit 0\n", { mode: 0o644 });
    const failed = await tool("diagnose", "--", "./build.sh");
    expect(failed.code).toBe(126);
    expect(failed.stdout).toMatch(/^ {4}chmod \+x \.\/build\.sh$/m);
  });

  it("reads stdin, and says when nothing has failed", async () => {
    const { piped } = await startOwner({}, { LC_ALL: "C" });
    const { code, stdout } = await piped("31 passed in 1.2s\n", "diagnose", "-");
    expect([code, stdout]).toEqual([0, "+ Nothing in this log has failed.\n"]);
  });

  it("reads a log in UTF-16 from a file and from stdin", async () => {
    const { tool, home, piped } = await startOwner();
    const log = Buffer.from(`\ufeff${LOG.replaceAll("\n", "\r\n")}`, "utf16le");
    writeFileSync(join(home, "build.log"), log);
    const heading = /^✖ Type error in src\/cart\.ts:12:5 /m;
    expect((await tool("diagnose", "build.log")).stdout).toMatch(heading);
    expect((await piped(log.subarray(2), "diagnose", "-")).stdout).toMatch(heading);
  });

  it.each([
    ["shop/__init__.py", "shop", "shop/__init__.py"],
    [
      "src/shop/__init__.py",
      "shop",
      "Put src on the path: shop is the project's own, in src/shop/__init__.py",
    ],
    ["services/api/till.py", "till", undefined],
    ["api/src/till.py", "till", "api/src/till.py"],
    ["shop/__init__.py", "shop.tax", "shop/__init__.py"],
    ["node_modules/flask.py", "flask", undefined],
    ["shop/__init__.py", "flask", undefined],
    ["redis/settings.yml", "redis", undefined],
  ])("suggests pip install for a foreign module only: %s, %s", async (file, name, found) => {
    const { tool, home } = user({});
    mkdirSync(join(home, file, ".."), { recursive: true });
    writeFileSync(join(home, file), "");
    writeFileSync(join(home, "build.log"), `E   ModuleNotFoundError: No module named '${name}'\n`);
    const { stdout } = await tool("diagnose", "build.log");
    const first = stdout.split("\nTry\n")[1]?.split("\n")[0];
    if (found === undefined) expect(stdout).toContain(`pip install ${name}\n`);
    else {
      expect(stdout).not.toContain("pip install");
      expect(first).toContain(found);
      expect(first).toMatch(/ python-own-module$/);
    }
  });

  it("strips escape sequences of a log, and reports unusable arguments", async () => {
    const { tool, home } = await startOwner();
    writeFileSync(
      join(home, "bad.log"),
      "Error: Cannot find module '\u001b]0;title\u0007\u009b2Jleft-pad'\n",
    );
    const { stdout } = await tool("diagnose", "bad.log");
    for (const control of ["\u0007", "\u009b", "\u001b"]) expect(stdout).not.toContain(control);
    const absent = await tool("diagnose", "absent.log");
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining("absent.log")]);
    const folder = await tool("diagnose", ".");
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining(". is a folder")]);
    writeFileSync(join(home, "packed.log"), Buffer.alloc(3000, 0xff));
    const packed = await tool("diagnose", "packed.log");
    expect([packed.code, packed.stderr]).toEqual([2, expect.stringContaining("packed.log is not text")]);
    expect((await tool("diagnose", "one.log", "two.log")).code).toBe(2);
    expect((await tool("diagnose")).code).toBe(2);
    const unknown = await tool("self-healing", "record", "dia_nobody", "success");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no diagnosis "dia_nobody"')]);
  });
});
