import { cause, within, wrapper } from "./signature.ts";

export const php = within("php", [
  cause(
    "composer-resolve",
    "dependency_resolution",
    /Your requirements could not be resolved|requires (?<package>[\w.-]+\/[\w.-]+) .* (?:but|found|->)|Your lock file does not contain a compatible set|The lock file is not up to date/,
    "Your requirements could not be resolved to an installable set of packages.",
    94,
  ),
  cause(
    "php-version",
    "version_mismatch",
    /requires php (?<version>\S+).*your php version|your php version \([\d.]+\) does not satisfy|requires ext-(?<module>\w+) .*missing from your system/,
    "- Root composer.json requires php ^8.3 but your php version (8.1.2) does not satisfy that requirement.",
    96,
  ),
  cause(
    "php-parse",
    "compile_error",
    /^(?:PHP )?Parse error: /,
    'PHP Parse error:  syntax error, unexpected token ";" in /app/cart.php on line 12',
    95,
  ),
  cause(
    "php-fatal",
    undefined,
    /^(?:PHP )?(?:Fatal error: |Catchable fatal error: )/,
    "PHP Fatal error:  Uncaught TypeError: total(): Argument #1 must be of type int",
    93,
  ),
  cause(
    "php-class",
    "dependency_resolution",
    /Class ["'](?<module>[\w\\]+)["'] not found/,
    'PHP Fatal error:  Uncaught Error: Class "Acme\\Tax" not found in /app/cart.php:12',
    94,
  ),
  cause(
    "phpunit",
    "test_failure",
    /^\d+\) (?<test>[\w\\]+::test\w+)|^Failed asserting that /,
    "1) Tests\\CartTest::testTotal",
    92,
  ),
  wrapper(
    "phpunit-counts",
    "test_failure",
    /^(?:FAILURES!|ERRORS!)$|^Tests: \d+, Assertions: \d+, (?:Errors|Failures): [1-9]/,
    "FAILURES!",
    66,
  ),
  cause("phpstan", "lint", /^\s*\[ERROR\] Found \d+ errors?$/, " [ERROR] Found 3 errors", 70),
]);
