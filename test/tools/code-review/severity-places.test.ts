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
])("a finding in %s has a lower severity", (path) => {
  expect(severities(path, SECRET)).toEqual(["warning"]);
});

it("a finding in a folder with a similar ending keeps its severity", () => {
  expect(severities("latest/a.rs", SECRET)).toEqual(["error"]);
});

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
