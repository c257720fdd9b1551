import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashSecret } from "../../src/accounts/credentials/secrets.ts";
import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/system/log.ts";
import { fakeClock } from "../support/clock.ts";
import { temporaryDirectory } from "../support/store.ts";
import {
  askForCode,
  COLLECTIONS,
  callerFor,
  OWNER_KEY,
  secretOf,
  servicesOn,
  settled,
  signInDevice,
  VISITOR,
} from "./fixture.ts";

describe("the store's files", () => {
  it("contain no secret in plain text", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const store = await openStore(directory, { collections: COLLECTIONS, clock, log: createLog("silent") });
    const services = await servicesOn(store, clock);
    const { accounts, users, apiKeys, signIn, credentials, owner, account } = services;

    const pending = await askForCode(services);
    const tokens = await signInDevice(services);
    const next = await services.token({
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "tool-cli",
    });
    const key = await apiKeys.create(callerFor(owner), { name: "ci", scopes: ["read"] });
    const used = secretOf(await accounts.createSignInLink(callerFor(owner), account.id));
    const unused = secretOf(await accounts.createSignInLink(callerFor(owner), account.id));
    const invited = await users.invite(callerFor(owner), { email: "b@example.com", role: "member" });
    const session = await signIn.consumeLink(used, VISITOR);
    const password = "a password to look for";
    await signIn.setPassword((await signIn.lookUp(session!.secret))!, { password }, VISITOR);
    await signIn.withPassword({ email: "wrong@example.com", password: "a wrong password" }, VISITOR);
    for (const secret of [OWNER_KEY, key.secret, next.access_token]) await credentials.authenticate(secret);
    const mailed: string[] = [];
    const mailing = await servicesOn(store, clock, "mail", {
      signUp: "open",
      deliver: async ({ text }) => void mailed.push(secretOf(/^https:\S+$/m.exec(text)?.[0])),
    });
    for (let letters = 1; letters <= 2; letters++) {
      await mailing.linkMail?.request({ email: "new@example.com", next: "/" }, VISITOR);
      await mailing.post?.idle();
    }
    const [usedByMail = "", unusedByMail = ""] = mailed;
    expect(await mailing.signIn.consumeLink(usedByMail, VISITOR)).toBeDefined();
    await settled(services);
    await store.close();

    const written = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");
    // Proves that the search covers the data that was written.
    expect(written).toContain(account.id);
    expect(written).toContain(key.key.id);
    expect(written).toContain(hashSecret(unusedByMail));
    for (const secret of [
      pending.device_code,
      pending.user_code,
      pending.user_code.replace("-", ""),
      tokens.access_token,
      tokens.refresh_token,
      next.access_token,
      next.refresh_token,
      key.secret,
      used,
      unused,
      usedByMail,
      unusedByMail,
      secretOf(invited.signInLink),
      session!.secret,
      password,
      "a wrong password",
      OWNER_KEY,
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});
