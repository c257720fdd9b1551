import { describe, expect, it } from "vitest";
import { checkProviders, parseGithub, parseOidc } from "../../src/providers/settings.ts";

const ENVIRONMENT = { SECRET: "s3cret", EMPTY: "" };

describe("provider options on the command line", () => {
  it("contain a name, an issuer, a client id and the variable of the secret", () => {
    expect(parseOidc("corp=https://login.example.com/v2,my-id,env:SECRET", ENVIRONMENT)).toEqual({
      name: "corp",
      issuer: "https://login.example.com/v2",
      clientId: "my-id",
      clientSecret: "s3cret",
    });
    expect(parseGithub("my-id,env:SECRET", ENVIRONMENT)).toMatchObject({ github: "https://github.com" });
    expect(parseGithub("https://ghe.example.com,my-id,env:SECRET", ENVIRONMENT)).toMatchObject({
      github: "https://ghe.example.com",
      clientId: "my-id",
    });
  });

  it.each([
    "",
    "corp",
    "corp=https://x.example",
    "corp=https://x.example,id",
    "corp=https://x.example,id,hunter2",
  ])("refuse %j without repeating a secret", (text) => {
    expect(() => parseOidc(text, ENVIRONMENT)).toThrow("--oidc takes name=issuer,client-id,env:VARIABLE");
    expect(() => parseOidc(text, ENVIRONMENT)).not.toThrow("hunter2");
  });

  it("need the secret in the environment", () => {
    for (const name of ["MISSING", "EMPTY"]) {
      expect(() => parseOidc(`corp=https://x.example,id,env:${name}`, ENVIRONMENT)).toThrow(
        `variable ${name}`,
      );
    }
  });

  it.each([
    ["Corp", "https://x.example", "lower-case letters"],
    ["../x", "https://x.example", "lower-case letters"],
    ["corp", "http://x.example", "needs an https address"],
    ["corp", "x.example", "needs an https address"],
    ["corp", "http://127.0.0.1.evil.example", "needs an https address"],
  ])("refuse the name %j at %j", (name, issuer, message) => {
    const one = { name, issuer, clientId: "id", clientSecret: "s" };
    expect(() => checkProviders([one])).toThrow(message);
  });

  it("refuse two providers of the same name", () => {
    const one = { name: "corp", issuer: "https://x.example", clientId: "id", clientSecret: "s" };
    expect(() => checkProviders([one, one])).toThrow('Two providers are called "corp"');
    expect(() => checkProviders([one, { ...one, name: "other" }])).not.toThrow();
  });
});
