import { cause, within, wrapper } from "./signature.ts";

export const go = within("go", [
  cause(
    "go-missing-module",
    "dependency_resolution",
    /no required module provides package (?<module>[^\s;:]+)|cannot find (?:module providing )?package "?(?<module2>[^\s":]+)|missing go\.sum entry|go: updates to go\.(?:mod|sum) needed|inconsistent vendoring|invalid version: unknown revision|verifying \S+: checksum mismatch|package (?<module3>\S+) is not in (?:GOROOT|std)/,
    "cart.go:4:2: no required module provides package github.com/acme/tax; to add it:",
    96,
  ),
  cause(
    "go-version",
    "version_mismatch",
    /requires go ?(?:>=|version)? ?(?<version>[\d.]+)|module requires Go (?<version2>[\d.]+)|go\.mod file indicates go (?<version3>[\d.]+)|unknown directive: toolchain|invalid go version/,
    "go: go.mod requires go >= 1.22 (running go 1.19.1)",
    96,
  ),
  cause(
    "go-type",
    "type_error",
    /^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?:cannot use|undefined:|invalid operation|.* undefined \(type|not enough arguments|too many arguments|assignment mismatch|missing return|.*does not implement|impossible type)/,
    './cart.go:12:9: cannot use "a" (untyped string constant) as int value in return statement',
    94,
  ),
  cause(
    "go-error",
    "compile_error",
    /^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?:syntax error|.*declared and not used|.*imported and not used|expected|.*redeclared|non-name|unexpected)/,
    "./cart.go:12:2: syntax error: unexpected newline",
    94,
  ),
  cause(
    "go-lint",
    "lint",
    /^(?<file>[^\s:]+\.go):(?<line>\d+)(?::\d+)?: .*\((?:[a-z]+|S\w*\d{4})\)$/,
    "cart.go:12:5: Error return value of `w.Write` is not checked (errcheck)",
    93,
  ),
  cause("go-test", "test_failure", /^\s*--- FAIL: (?<test>\S+)/, "--- FAIL: TestTotal (0.00s)", 91),
  cause(
    "go-test-detail",
    "test_failure",
    /^\s+(?<file>\w+_test\.go):(?<line>\d+): /,
    "    cart_test.go:12: total = 90, want 91",
    80,
  ),
  cause("go-race", "test_failure", /WARNING: DATA RACE/, "WARNING: DATA RACE", 93),
  cause(
    "go-panic",
    undefined,
    /^(?:panic: (?!test timed out)|fatal error: (?:all goroutines|concurrent|stack overflow))/,
    "panic: runtime error: index out of range [3] with length 3",
    92,
  ),
  cause(
    "go-test-timeout",
    "timeout",
    /^panic: test timed out after/,
    "panic: test timed out after 10m0s",
    96,
  ),
  wrapper(
    "go-package-failed",
    undefined,
    /^FAIL\t\S+(?:\t[\d.]+s| \[(?:build|setup) failed\])$/,
    "FAIL\tgithub.com/acme/shop\t0.012s",
    64,
  ),
]);
