import { describe, expect, it } from "vitest";
import { checkNewPassword, createPasswords } from "../../../src/accounts/sign-in/passwords.ts";
import { cheapPasswords } from "../../support/accounts/passwords.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { problem } from "../fixture.ts";

const random = seededRandom(fakeClock());
const { hash, verify } = createPasswords({ random });
const cheap = cheapPasswords(random);

describe("passwords", () => {
  it("are stored as scrypt with their parameters and a random salt", async () => {
    const [one, other] = await Promise.all([hash("who", "correct horse"), hash("who", "correct horse")]);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await verify("who", "correct horse", one)).toBe(true);
    expect(await verify("who", "correct horsf", one)).toBe(false);
    expect(await verify("who", "", one)).toBe(false);
  });

  it("are verified with the parameters stored along with the hash", async () => {
    // RFC 7914 §12, third vector, cut to 32 bytes.
    const salt = Buffer.from("SodiumChloride").toString("base64").replaceAll("=", "");
    const hash = Buffer.from("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2", "hex");
    const encoded = `$scrypt$ln=14,r=8,p=1$${salt}$${hash.toString("base64").replaceAll("=", "")}`;
    expect(await verify("who", "pleaseletmein", encoded)).toBe(true);
    expect(await verify("who", "pleaseletmeout", encoded)).toBe(false);
  });

  it("fail with an error if the stored hash is not scrypt", async () => {
    for (const stored of ["", "plain", "$argon2id$v=19$m=19456$c2FsdA$aGFzaA"]) {
      await expect(cheap.verify("who", "plain", stored)).rejects.toThrow("not in the form of scrypt");
    }
  });

  it("are hashed two at a time with 32 waiting, and further ones are refused as overloaded", async () => {
    const passwords = cheapPasswords(random);
    const guesses = Array.from({ length: 40 }, (_, index) => passwords.verify(`who${index}`, "x", undefined));
    const outcomes = await Promise.allSettled(guesses);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({
      reason: { ...problem("overloaded"), extras: { headers: { "Retry-After": "5" } } },
    });
    expect(await passwords.verify("who", "x", undefined)).toBe(false);
  });

  it("never match if none is set", async () => {
    expect(await cheap.verify("who", "", undefined)).toBe(false);
    expect(await cheap.verify("who", "correct horse", undefined)).toBe(false);
  });

  it("match regardless of their Unicode composition", async () => {
    const encoded = await cheap.hash("who", "café au lait");
    // Full-width letters of a Japanese keyboard, and a combining accent.
    expect(await cheap.verify("who", "ｃａｆe\u0301 au lait", encoded)).toBe(true);
  });

  it("have 8 to 256 characters and no other rules", () => {
    for (const good of ["12345678", "パスワードパスワード", "x".repeat(256), "        "])
      checkNewPassword(good);
    // Length is that of the normalised form: four "㎞" are eight characters, and the last bad password is seven.
    checkNewPassword("㎞".repeat(4));
    for (const bad of ["", "1234567", "😀".repeat(7), "x".repeat(257), "123456e\u0301"]) {
      expect(() => checkNewPassword(bad)).toThrow(expect.objectContaining(problem("invalid_request")));
    }
  });
});
