import { expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const severities = (parameter: string, code: string) =>
  findingsIn("a.php", `<?php\nclass A {\n  function f(${parameter}) {\n    eval(${code});\n  }\n}`, {
    rules: { only: ["code-evaluation"] },
  }).map(({ severity }) => severity);

it.each([
  ["Request $request", "$request->code"],
  ["StoreBookRequest $given", "$given->code"],
  ["\\Illuminate\\Http\\Request $r", "$r->input('code')"],
  ["Request $r", '"return $r->code;"'],
  ["$a, ?Request $r = null", "$r->code"],
])("members of a PHP request are client data: %s, %s", (parameter, code) => {
  expect(severities(parameter, code)).toEqual(["error"]);
});

it.each([
  ["Options $request", "$request->code"],
  ["Request $r", "$r->method()"],
  ["RequestLog $log", "$log->code"],
])("other PHP parameters and methods are not client data: %s, %s", (parameter, code) => {
  expect(severities(parameter, code)).toEqual(["warning"]);
});
