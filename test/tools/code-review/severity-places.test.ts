import { expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

const severities = (path: string, text: string) => findingsIn(path, text).map(({ severity }) => severity);
const SECRET = 'let password = "S3cretPassw0rd9x";';

it.each([
  "_examples/a.rs",
  "chi/_examples/rest/a.rs",
  "__fixtures__/a.rs",
  "src/androidTest/a.rs",
  "integrationTests/a.rs",
  "plugins/codemirror-5.17.0/a.rs",
  "static/jquery-ui-v1.12.1/ui/a.rs",
])("a finding in %s has a lower severity", (path) => {
  expect(severities(path, SECRET)).toEqual(["warning"]);
});

it.each(["latest/a.rs", "src/api-v1.0/a.rs", "images/worker-3.11/a.rs"])(
  "a finding in %s, whose folder only looks like one of those, keeps its severity",
  (path) => {
    expect(severities(path, SECRET)).toEqual(["error"]);
  },
);

it.each([
  [`#[cfg(test)]\nmod tests {\n    fn a() { ${SECRET} }\n}`, "warning"],
  [`#[cfg(all(test, unix))]\nmod tests {\n    fn a() { ${SECRET} }\n}`, "warning"],
  [`#[cfg(test)]\nfn helper() { ${SECRET} }`, "warning"],
  [`#[cfg(test)]\nmod tests;\nfn a() { ${SECRET} }`, "error"],
  [`#[cfg(test)]\nmod tests {\n}\nfn a() { ${SECRET} }`, "error"],
  [`#[cfg(unix)]\nmod tests {\n    fn a() { ${SECRET} }\n}`, "error"],
])("a Rust finding has a lower severity only in code compiled for tests: %s", (text, severity) => {
  expect(severities("src/a.rs", text)).toEqual([severity]);
});

it("a password that somebody made up for a test is only mentioned, a generated one is not", () => {
  const made = 'let password = "spree123";';
  expect(severities("spec/users_spec.rs", made)).toEqual(["info"]);
  expect(severities("src/a.rs", made)).toEqual(["error"]);
  expect(severities("spec/users_spec.rs", 'let password = "password123";')).toEqual(["info"]);
  expect(severities("spec/users_spec.rs", SECRET)).toEqual(["warning"]);
});

it.each(["api/openapi.yml", "swagger.json", "docs.d/openapi-v2.yaml"])(
  "an example in %s is documentation",
  (path) => {
    const token = [
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
      "eyJzdWIiOiI0MiJ9",
      "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ].join(".");
    expect(severities(path, `example: "${token}"`)).toEqual(["warning"]);
    expect(severities("config/tokens.yml", `example: "${token}"`)).toEqual(["error"]);
  },
);
