import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withSecretFiles } from "../../../src/system/files/secret-files.ts";
import { temporaryDirectory } from "../../support/store.ts";

function fileOf(content: string): string {
  const path = join(temporaryDirectory(), "secret");
  writeFileSync(path, content);
  return path;
}

describe("secret files", () => {
  it.each(["s3cret", "s3cret\n", "s3cret\r\n", "\ufeffs3cret\r\n"])(
    "are read without the trailing line break and byte order mark: %j",
    (content) => {
      const given = { TOOL_OWNER_PASSWORD_FILE: fileOf(content), HOME: "/home/ada" };
      expect(withSecretFiles(given)).toEqual({ ...given, TOOL_OWNER_PASSWORD: "s3cret" });
    },
  );

  it("keep other white space and line breaks", () => {
    const given = { TOOL_X_FILE: fileOf(" two\nlines \n\n") };
    expect(withSecretFiles(given).TOOL_X).toBe(" two\nlines \n");
  });

  it("are read only for non-empty variables TOOL_*_FILE", () => {
    const given = { OTHER_FILE: "/nowhere", TOOL_X_FILE: "", TOOL_FILE: "/nowhere" };
    expect(withSecretFiles(given)).toEqual(given);
  });

  it("are refused by name if they are unreadable, empty or given in addition to the variable", () => {
    expect(() => withSecretFiles({ TOOL_X_FILE: "/nowhere" })).toThrow(
      "TOOL_X_FILE names /nowhere, which cannot be read (ENOENT).",
    );
    const empty = fileOf("\n");
    expect(() => withSecretFiles({ TOOL_X_FILE: empty })).toThrow(
      `TOOL_X_FILE names ${empty}, which is empty.`,
    );
    expect(() => withSecretFiles({ TOOL_X_FILE: fileOf("a"), TOOL_X: "b" })).toThrow(
      "TOOL_X and TOOL_X_FILE are both set: leave one of them out.",
    );
  });
});
