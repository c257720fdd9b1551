import { describe, expect, it } from "vitest";
import { parseParameters } from "../../../src/server/pipeline/json-body.ts";
import { sharedApp } from "../../support/app.ts";

const app = sharedApp();
const FORM = "application/x-www-form-urlencoded";
const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
const formOf = (count: number) => names(count).join("&");
const jsonOf = (count: number) => JSON.stringify(Object.fromEntries(names(count).map((name) => [name, ""])));

describe("the parameters of an OAuth endpoint", () => {
  it.each([
    [FORM, formOf],
    ["application/json", jsonOf],
  ])("are at most a hundred, since they are read before the request is counted: %s", async (type, bodyOf) => {
    expect(Object.keys(parseParameters(Buffer.from(bodyOf(100)), type))).toHaveLength(100);
    const ask = (count: number) =>
      app().request("POST", "/auth/token", {
        key: null,
        raw: bodyOf(count),
        headers: { "Content-Type": type },
      });
    expect(await ask(100)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    const refused = await ask(101);
    expect(refused.status).toBe(413);
    expect(refused.body.error_description).toMatch(/more than 100 (parameters|values)/);
  });

  it("are named in a refusal only with characters that it may have (RFC 6749 §5.2)", async () => {
    const refused = await app().request("POST", "/auth/token", {
      key: null,
      raw: 'é"\\\n😀=1&é"\\\n😀=2',
      headers: { "Content-Type": FORM },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: "invalid_request", error_description: "'?'???' is given more than once." },
    });
  });
});
