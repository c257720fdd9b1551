import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { isMissing, runProgram } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";

/** Highest exposure level allowed, in tenths: from 0, a service that can do little harm, to 100. */
const MOST_EXPOSED = 29;

describe.skipIf(isMissing("systemd-analyze"))("deploy/systemd/toolplane.service", () => {
  /** Writes the unit as if the package were installed for all users, and returns its path. */
  function unit(change = (text: string) => text): string {
    const path = join(temporaryDirectory(), "toolplane.service");
    const text = readFileSync(join(packageRoot, "deploy/systemd/toolplane.service"), "utf8");
    const installed = text.replace("ExecStart=toolplane ", `ExecStart=${packageRoot}/bin/tool.js `);
    expect(installed).not.toBe(text);
    writeFileSync(path, change(installed));
    return path;
  }

  const verify = (path: string) => runProgram(["systemd-analyze", "verify", path]);
  const exposure = (path: string) =>
    runProgram([
      ...["systemd-analyze", "security", "--offline=true", "--no-pager"],
      ...[`--threshold=${MOST_EXPOSED}`, path],
    ]);

  it("passes systemd-analyze verify, also with the secrets of its comments", () => {
    expect(verify(unit())).toEqual({ status: 0, output: "" });
    const withSecrets = unit((text) => text.replaceAll(/^# {3}(LoadCredential|Environment)/gm, "$1"));
    expect(readFileSync(withSecrets, "utf8")).toMatch(/^LoadCredential=owner-key:/m);
    expect(verify(withSecrets)).toEqual({ status: 0, output: "" });
    const mistaken = unit((text) => text.replace("Restart=always", "Restart=perhaps"));
    expect(verify(mistaken).output).toContain("restart specifier");
  });

  it("stays below exposure level 3 of systemd-analyze security", () => {
    expect(exposure(unit()).status).toBe(0);
    const bare = unit((text) =>
      text.replaceAll(/^(Protect|Private|Restrict|System|Capab|Dynamic|NoNew).*$/gm, ""),
    );
    expect(exposure(bare).status).not.toBe(0);
  });

  it("goes on when memory runs out and the kernel ends a worker", () => {
    expect(readFileSync(unit(), "utf8")).toMatch(/^OOMPolicy=continue$/m);
  });

  it("does not restrict /proc, executable memory or priorities", () => {
    // Opening a data directory checks in /proc whether its owner is alive. Workers lower their priority.
    const text = readFileSync(unit(), "utf8");
    expect(text).not.toMatch(/^(ProtectProc|ProcSubset|MemoryDenyWriteExecute)=/m);
    expect(text).not.toMatch(/^SystemCallFilter=~.*@resources/m);
  });
});
