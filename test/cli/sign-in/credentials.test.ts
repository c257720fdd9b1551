import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CredentialsOptions, createCredentials } from "../../../src/cli/credentials/credentials.ts";
import { createKeyring } from "../../../src/cli/credentials/keyring.ts";
import { signIns } from "../../../src/cli/credentials/records.ts";
import { SignedOut } from "../../../src/client/errors.ts";
import type { StoredCredential } from "../../../src/client/sign-in/credential.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { keyringCommands } from "../support/keyring.ts";

const BASE_URL = "https://control.example";
const CREDENTIAL: StoredCredential = {
  accessToken: "tat_access",
  refreshToken: "trt_refresh",
  expiresAt: 1_800_000_000_000,
  clientId: "tool-cli",
  scope: "read write",
  account: { id: "acc_1", name: "Größe & Söhne" },
  user: { id: "usr_1", email: "owner@localhost" },
};

function setUp(options: Partial<CredentialsOptions> = {}) {
  const root = temporaryDirectory();
  const directory = join(root, "data");
  const keyring = keyringCommands(root);
  const make = (more: Partial<CredentialsOptions> = {}) =>
    createCredentials({
      baseUrl: BASE_URL,
      directory,
      environment: process.env,
      platform: "linux",
      ...options,
      ...more,
    });
  const files = () => readdirSync(join(directory, "credentials"));
  const content = () =>
    files()
      .map((name) => readFileSync(join(directory, "credentials", name), "utf8"))
      .join("\n");
  return { root, directory, keyring, make, files, content };
}

describe("createCredentials() without a secret store", () => {
  it("keeps the credential in a file of its own that only its user can read", async () => {
    const { make, directory, files } = setUp();
    expect(await make().whereabouts()).toEqual({ kind: "none", description: "nowhere" });
    expect(await make().read()).toBeUndefined();
    const kept = await make().write(CREDENTIAL);
    expect(kept).toMatchObject({ kind: "file", description: expect.stringContaining("only you can read") });
    expect(await make().read()).toEqual(CREDENTIAL);
    expect(files()).toHaveLength(1);
    expect(statSync(join(directory, "credentials")).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "credentials", files()[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  it("knows whose a credential is that 0.1.0 kept, which said so nowhere else", async () => {
    const { make, directory, files } = setUp();
    await make().write(CREDENTIAL);
    const path = join(directory, "credentials", files()[0] ?? "");
    writeFileSync(path, JSON.stringify({ baseUrl: BASE_URL, keptIn: "file", credential: CREDENTIAL }));
    expect(signIns(directory)).toMatchObject([{ account: CREDENTIAL.account, user: CREDENTIAL.user }]);
    // What another account's process renews does not take its place.
    await make().write({ ...CREDENTIAL, accessToken: "tat_other", account: { id: "acc_2", name: "Other" } });
    expect((await make().read())?.accessToken).toBe("tat_access");
  });

  it("restores private permissions on an existing file", async () => {
    const { make, directory, files } = setUp();
    await make().write(CREDENTIAL);
    const path = join(directory, "credentials", files()[0] ?? "");
    chmodSync(path, 0o644);
    await make().write(CREDENTIAL);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(["dying", "babbling", "refusing", "missing"] as const)(
    "keeps the credential in a file, with the reason, for a secret store that is %s",
    async (how) => {
      const { make, keyring } = setUp();
      const credentials = make({ keyringCommand: keyring[how] });
      expect(await credentials.write(CREDENTIAL)).toMatchObject({ kind: "file", reason: expect.any(String) });
      expect(await credentials.read()).toEqual(CREDENTIAL);
      expect(await credentials.probe()).toEqual({ available: false, reason: expect.any(String) });
    },
  );

  it("keeps the credentials of different servers apart", async () => {
    const { make } = setUp();
    const other = make({ baseUrl: "https://control.example/other" });
    await make().write(CREDENTIAL);
    await other.write({ accessToken: "tak_other" });
    expect(await make().read()).toEqual(CREDENTIAL);
    expect(await other.read()).toEqual({ accessToken: "tak_other" });
    await other.forgetAll();
    expect(await other.read()).toBeUndefined();
    expect(await make().read()).toEqual(CREDENTIAL);
  });

  it("treats a damaged file as no credential", async () => {
    const { make, directory, files } = setUp();
    await make().write(CREDENTIAL);
    writeFileSync(join(directory, "credentials", files()[0] ?? ""), '{"baseUrl":');
    expect(await make().read()).toBeUndefined();
    await make().write(CREDENTIAL);
    expect(await make().read()).toEqual(CREDENTIAL);
  });

  it("forgets a credential only by its current token, and keeps the scope", async () => {
    const { make, files, content } = setUp();
    await make().write(CREDENTIAL);
    await make().forget("tat_older");
    expect(await make().read()).toEqual(CREDENTIAL);
    await make().forget("tat_access");
    expect(await make().read()).toBeUndefined();
    // The scope is kept, so that the next sign-in asks for the same.
    expect(make().scope()).toBe(CREDENTIAL.scope);
    expect(content()).not.toMatch(/t[ar]t_/);
    await make().forgetAll();
    expect(files()).toEqual([]);
  });
});

describe("createCredentials() with a secret store", () => {
  it("keeps secrets only in the store, and clears them there", async () => {
    const { make, keyring, content } = setUp();
    const credentials = make({ keyringCommand: keyring.working });
    expect(await credentials.write(CREDENTIAL)).toEqual({
      kind: "secret-store",
      module: "@napi-rs/keyring",
      description: "the Secret Service",
    });
    expect(content()).not.toContain("tat_access");
    expect(content()).not.toContain("trt_refresh");
    expect(await credentials.read()).toEqual(CREDENTIAL);
    await credentials.forgetAll();
    expect(readFileSync(keyring.store, "utf8")).toBe("{}");
    expect(await credentials.read()).toBeUndefined();
  });

  it("hands secrets over on stdin, never in arguments or the environment", async () => {
    const { make, keyring } = setUp();
    const environment = { ...process.env, TOOL_TOKEN: "tak_environment" };
    await make({ keyringCommand: keyring.working, environment }).write(CREDENTIAL);
    const { request, words, token } = JSON.parse(readFileSync(keyring.log, "utf8"));
    expect(request.secret).toContain("tat_access");
    expect(words.join()).not.toContain("tat_access");
    expect(token).toBeUndefined();
  });

  it("uses the module of the first write for all later operations", async () => {
    const { make, keyring } = setUp();
    const credentials = make({ keyringCommand: keyring.working });
    await credentials.write(CREDENTIAL);
    await credentials.write({ ...CREDENTIAL, accessToken: "tat_2" });
    await credentials.read();
    await credentials.forgetAll();
    const modules = readFileSync(keyring.log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).request.module);
    expect(modules).toEqual([undefined, "@napi-rs/keyring", "@napi-rs/keyring", "@napi-rs/keyring"]);
  });

  it("reports a locked store, and forgets nothing", async () => {
    const { make, keyring } = setUp();
    await make({ keyringCommand: keyring.working }).write(CREDENTIAL);
    const locked = make({ keyringCommand: keyring.refusing });
    const error = await locked.read().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SignedOut);
    expect(error).toMatchObject({ reason: "locked", message: expect.stringContaining("no D-Bus") });
    await locked.forget("tat_access");
    expect(await make({ keyringCommand: keyring.working }).read()).toEqual(CREDENTIAL);
  });

  it("treats an entry that was removed elsewhere as no credential", async () => {
    const { make, keyring } = setUp();
    await make({ keyringCommand: keyring.working }).write(CREDENTIAL);
    writeFileSync(keyring.store, "{}");
    expect(await make({ keyringCommand: keyring.working }).read()).toBeUndefined();
  });

  it("falls back to the file when the store fails later, and clears the store at logout", async () => {
    const { make, keyring } = setUp();
    await make({ keyringCommand: keyring.working }).write(CREDENTIAL);
    const renewed = { ...CREDENTIAL, accessToken: "tat_2" };
    expect(await make({ keyringCommand: keyring.dying }).write(renewed)).toMatchObject({ kind: "file" });
    expect(await make({ keyringCommand: keyring.dying }).read()).toEqual(renewed);
    await make({ keyringCommand: keyring.working }).forgetAll();
    expect(readFileSync(keyring.store, "utf8")).toBe("{}");
  });

  it("probes the store with a temporary entry", async () => {
    const { make, keyring } = setUp();
    const probed = await make({ keyringCommand: keyring.working }).probe();
    expect(probed).toEqual({ available: true, module: "@napi-rs/keyring" });
    expect(readFileSync(keyring.store, "utf8")).toBe("{}");
  });

  it("gives up on a store that hangs, and ends its process", async () => {
    const { keyring } = setUp();
    const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap").length;
    const before = processes();
    const answer = createKeyring(keyring.hanging, process.env, { limitMs: 300 }).get(BASE_URL, "keytar");
    await expect.poll(processes, { interval: 1 }).toBe(before + 1);
    expect(await answer).toEqual({ reason: "no answer within 0.3 s" });
    await expect.poll(processes).toBe(before);
  });

  it("waits for a store that asks for its password, if somebody is there to read from it", async () => {
    const { keyring } = setUp();
    const asked = (onPrompt?: () => boolean) =>
      createKeyring(keyring.asking, process.env, { limitMs: 300, onPrompt });
    expect(await asked().get(BASE_URL, "keytar")).toEqual({ reason: "no answer within 0.3 s" });
    expect(await asked(() => false).get(BASE_URL, "keytar")).toEqual({ reason: "no answer within 0.3 s" });
    const unlock = () => {
      writeFileSync(keyring.unlocked, "");
      return true;
    };
    expect(await asked(() => true).set(BASE_URL, "s")).toEqual({ reason: "no answer within 0.3 s" });
    expect(await asked(unlock).get(BASE_URL, "keytar")).toEqual({ module: "keytar", secret: "s" });
  });
});

describe("createCredentials() with TOOL_TOKEN", () => {
  it("prefers the token to a stored credential, and neither stores nor forgets anything", async () => {
    const { make, content } = setUp();
    await make().write(CREDENTIAL);
    const before = content();
    const credentials = make({ token: "tak_environment" });
    expect(credentials.fixed).toBe(true);
    expect(await credentials.read()).toEqual({ accessToken: "tak_environment" });
    expect(await credentials.whereabouts()).toMatchObject({ kind: "environment" });
    await credentials.forget("tak_environment");
    expect(content()).toBe(before);
  });
});
