import { cause, survivable, symptom, wrapper } from "./signature.ts";

/** What programs throw; Python, JavaScript and others write it in one form. */
export const exceptions = survivable([
  cause(
    "assertion",
    "test_failure",
    /^\s*(?:Uncaught )?(?:[\w.]+\.)?(?:AssertionError|JestAssertionError)\b|^\s*Error: (?:expect\(|expected )/,
    "AssertionError: expected 90 to be 91 // Object.is equality",
    93,
  ),
  cause(
    "syntax-error",
    "compile_error",
    /^\s*(?:E\s+|Uncaught )?SyntaxError: /,
    "SyntaxError: Unexpected identifier 'console'",
    91,
  ),
  cause(
    "json-error",
    "configuration",
    /\bis not valid JSON\b|Unexpected (?:token|end of JSON input).*JSON|JSONDecodeError/,
    "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    93,
  ),
  wrapper(
    "exception-of-step",
    undefined,
    /^(?:[a-z_]\w*\.)*[A-Z]\w*Error: .*(?:\bfailed!?$|returned non-zero exit|died with <Signals)/,
    "subprocess.CalledProcessError: Command '[\"make\"]' returned non-zero exit status 2.",
    74,
  ),
  cause(
    "exception",
    undefined,
    /^(?!.*(?:\bfailed!?$|returned non-zero exit|died with <Signals))(?!(?:javax?|jakarta|kotlinx?|scala|org|com|net|io|sun|hudson|jenkins|groovy)\.)(?:Uncaught |\[?Unhandled\w*\]?:? )?(?:[a-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Timeout|Failure)|StopIteration)(?: \[\w+\])?: \S/,
    "RuntimeError: the shop is closed",
    88,
  ),
  cause(
    "bare-exception",
    undefined,
    /^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)$/,
    "acme.errors.ShopClosedError",
    76,
  ),
  symptom(
    "traceback",
    undefined,
    /^Traceback \(most recent call last\):$/,
    "Traceback (most recent call last):",
    50,
  ),
]);
