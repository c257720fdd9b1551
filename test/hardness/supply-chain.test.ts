import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";

interface Locked {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
const lock: Record<string, Locked> = JSON.parse(
  readFileSync(join(packageRoot, "package-lock.json"), "utf8"),
).packages;
const packages = Object.entries(lock).filter(([path, { link }]) => path !== "" && !link);

describe("the npm package", () => {
  it("locks every dependency by SHA-512, with no download address of its own", () => {
    expect(packages.length).toBeGreaterThan(100);
    for (const [path, { integrity, resolved }] of packages) {
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
      expect([path, resolved]).toEqual([path, undefined]);
    }
  });

  it("runs no install script except that of the optional keytar", () => {
    const scripts = packages.filter(
      ([, found]) => found.hasInstallScript && !found.dev && !found.devOptional,
    );
    expect(scripts.map(([path]) => path)).toEqual(["node_modules/keytar"]);
    expect(lock["node_modules/keytar"]?.optional).toBe(true);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
    // npm also runs `prepare` for a package that is installed from a file. `postprepare` builds a clone.
    expect(manifest.scripts).not.toHaveProperty("prepare");
  });

  it("publishes only bin, deploy, dist, docs and the licence", () => {
    expect(manifest.files.filter((name: string) => !name.endsWith(".md"))).toEqual([
      "bin",
      "deploy",
      "dist",
      "docs",
      "LICENSE",
    ]);
  });
});
