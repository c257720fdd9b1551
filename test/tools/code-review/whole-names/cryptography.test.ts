import { wholeNames } from "./whole-names.ts";

wholeNames([
  "weak-cryptography",
  "code-evaluation",
  "insecure-randomness",
  "swallowed-error",
  "disabled-test",
  "debug-leftover",
  "loose-equality",
]);
