import { describe, expect, it } from "vitest";
import type { Passkey, Person } from "../../../src/accounts/model.ts";
import { keepAWayIn, type WaysOffered } from "../../../src/accounts/sign-in/ways.ts";
import { problem } from "../fixture.ts";

const EVERY: WaysOffered = { mail: true, passkeys: true, providers: ["acme", "github"] };
const NONE: WaysOffered = { mail: false, passkeys: false, providers: [] };
const email = "ada@example.com";
const passwordHash = "$scrypt$…";
const passkeys = [{ id: "pk" } as Passkey];
const at = (provider: string) => [{ provider, issuer: "i", subject: "s", label: "l", createdAt: 0 }];

function hasAWayIn(person: Partial<Person>, offered: Partial<WaysOffered>): boolean {
  try {
    keepAWayIn({ id: "per", memberships: [], createdAt: 0, ...person }, { ...NONE, ...offered });
    return true;
  } catch (error) {
    expect(error).toMatchObject(problem("conflict"));
    return false;
  }
}

describe("keepAWayIn()", () => {
  it.each<[string, Partial<Person>, Partial<WaysOffered>]>([
    ["an address, where mail is sent", { email }, { mail: true }],
    ["an address with a password", { email, passwordHash }, NONE],
    ["a passkey, where those are taken", { passkeys }, { passkeys: true }],
    ["a provider that is there", { identities: at("github") }, { providers: ["acme", "github"] }],
    ["one of several", { identities: [...at("gone"), ...at("acme")] }, { providers: ["acme"] }],
  ])("succeeds given %s", (_, person, offered) => {
    expect(hasAWayIn(person, offered)).toBe(true);
  });

  it.each<[string, Partial<Person>, Partial<WaysOffered>]>([
    ["nothing, whatever is offered", {}, EVERY],
    ["empty lists, whatever is offered", { passkeys: [], identities: [] }, EVERY],
    ["an address alone, where no mail is sent", { email }, { ...EVERY, mail: false }],
    ["a password without an address", { passwordHash }, EVERY],
    ["a passkey, where those are not taken", { passkeys }, { ...EVERY, passkeys: false }],
    ["a provider that is there no more", { identities: at("gone") }, EVERY],
    ["what nobody offers", { passkeys, identities: at("acme") }, NONE],
  ])("fails with conflict given %s", (_, person, offered) => {
    expect(hasAWayIn(person, offered)).toBe(false);
  });
});
