import type { Rule } from "./finding.ts";
import { codeEvaluation } from "./rules/code-evaluation.ts";
import { commandInjection } from "./rules/command-injection.ts";
import { debugLeftover } from "./rules/debug-leftover.ts";
import { disabledTest } from "./rules/disabled-test.ts";
import { hardcodedSecret } from "./rules/hardcoded-secret.ts";
import { insecureRandomness } from "./rules/insecure-randomness.ts";
import { looseEquality } from "./rules/loose-equality.ts";
import { mergeConflictMarker } from "./rules/merge-conflict-marker.ts";
import { pathTraversal } from "./rules/path-traversal.ts";
import { privateKey } from "./rules/private-key.ts";
import { sqlInjection } from "./rules/sql-injection.ts";
import { swallowedError } from "./rules/swallowed-error.ts";
import { tlsVerificationDisabled } from "./rules/tls-verification-disabled.ts";
import { unresolvedTodo } from "./rules/unresolved-todo.ts";
import { unsafeDeserialization } from "./rules/unsafe-deserialization.ts";
import { unsafeHtml } from "./rules/unsafe-html.ts";
import { weakCryptography } from "./rules/weak-cryptography.ts";

/** All rules, in the order of docs/code-review-rules.md. */
export const RULES: readonly Rule[] = [
  hardcodedSecret,
  privateKey,
  sqlInjection,
  commandInjection,
  codeEvaluation,
  unsafeHtml,
  pathTraversal,
  weakCryptography,
  insecureRandomness,
  tlsVerificationDisabled,
  unsafeDeserialization,
  swallowedError,
  debugLeftover,
  disabledTest,
  mergeConflictMarker,
  looseEquality,
  unresolvedTodo,
];
