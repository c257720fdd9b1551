import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { announceLocalServer, localSecretOf } from "../../../src/client/sign-in/local-server.ts";
import { temporaryDirectory } from "../../support/store.ts";

const URL = "http://127.0.0.1:4242";

function announced() {
  const data = temporaryDirectory();
  const withdraw = announceLocalServer(data, { baseUrl: URL, secret: "the-secret" });
  const directory = join(data, "local-servers");
  const file = join(directory, readdirSync(directory)[0] ?? "");
  const unsafe: string[] = [];
  const find = (baseUrl = URL, userId = process.getuid?.()) =>
    localSecretOf(data, baseUrl, { userId, onUnsafe: (path) => void unsafe.push(path) });
  return { data, directory, file, withdraw, find, unsafe };
}

describe("the secret file of a local server", () => {
  it("is found by its user for its address until the server ends", () => {
    const { find, withdraw, file, directory, unsafe } = announced();
    expect(find()).toBe("the-secret");
    expect(find("http://127.0.0.1:4243")).toBeUndefined();
    expect(find("http://localhost:4242")).toBeUndefined();
    expect([statSync(file).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
    withdraw();
    expect(find()).toBeUndefined();
    expect(unsafe).toEqual([]);
  });

  it("is ignored if it belongs to another user", () => {
    const { find, file, unsafe } = announced();
    expect(find(URL, (process.getuid?.() ?? 0) + 1)).toBeUndefined();
    expect(unsafe).toEqual([file]);
  });

  it.each([0o640, 0o604, 0o620, 0o602])("is ignored with the mode %o, which lets other users in", (mode) => {
    const { find, file, unsafe } = announced();
    chmodSync(file, mode);
    expect(find()).toBeUndefined();
    expect(unsafe).toEqual([file]);
  });

  it.each([0o770, 0o707, 0o755])("is ignored in a directory with the mode %o", (mode) => {
    const { find, directory, unsafe } = announced();
    chmodSync(directory, mode);
    expect(find()).toBeUndefined();
    expect(unsafe.length).toBe(1);
  });

  it("is ignored if the file or its directory is a symbolic link", () => {
    const linked = announced();
    renameSync(linked.file, `${linked.file}.moved`);
    symlinkSync(`${linked.file}.moved`, linked.file);
    expect(linked.find()).toBeUndefined();
    const elsewhere = announced();
    renameSync(elsewhere.directory, `${elsewhere.directory}.moved`);
    symlinkSync(`${elsewhere.directory}.moved`, elsewhere.directory);
    expect(elsewhere.find()).toBeUndefined();
    expect([linked.unsafe.length, elsewhere.unsafe.length]).toEqual([1, 1]);
  });

  it("is ignored if it is malformed, incomplete, too long, a directory or for another address", () => {
    const { find, file } = announced();
    for (const text of [
      '{"baseUrl":',
      "null",
      "[]",
      JSON.stringify({ baseUrl: URL }),
      JSON.stringify({ baseUrl: "http://127.0.0.1:1", secret: "x" }),
      JSON.stringify({ baseUrl: URL, secret: "x".repeat(5000) }),
    ]) {
      writeFileSync(file, text);
      expect([text, find()]).toEqual([text, undefined]);
    }
    renameSync(file, `${file}.moved`);
    mkdirSync(file, { mode: 0o700 });
    expect(find()).toBeUndefined();
  });
});
