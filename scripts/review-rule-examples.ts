import type { RuleId } from "../src/tools/code-review/finding.ts";

/** Code that a rule reports and code that it does not, for its documentation. A test checks both. */
export interface RuleExample {
  /** A paragraph about what the rule reports. */
  looksFor: string;
  path: string;
  fires: string;
  passes: string;
}

export const RULE_EXAMPLES: Record<RuleId, RuleExample> = {
  "hardcoded-secret": {
    looksFor:
      "Tokens of some 120 issuers by their form; values behind names such as `apiKey` or `password` that look generated or chosen; strings that end up as the key of a signature, cipher or session; passwords in addresses and on command lines. Placeholders, references to the environment and words are passed over.",
    path: "app.ts",
    fires: 'const apiSecret = "q8Zt5vKw2mNx9RbL4yHj7pDs";',
    passes: "const apiSecret = process.env.API_SECRET;",
  },
  "private-key": {
    looksFor: "The first line of a private key in PEM, OpenSSH, PGP or PuTTY form, in any file.",
    path: "key.pem",
    fires: `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${"MIIEpAIBAAKCAQEA".repeat(4)}`,
    passes: "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B",
  },
  "sql-injection": {
    looksFor:
      "Texts shaped like SQL into which a value is joined, formatted or interpolated, and query builders' raw parts. Tagged templates, logs and errors are passed over.",
    path: "app.py",
    fires: 'cursor.execute("SELECT * FROM users WHERE name = \'" + name + "\'")',
    passes: 'cursor.execute("SELECT * FROM users WHERE name = %s", (name,))',
  },
  "command-injection": {
    looksFor:
      "Shell commands that hold a value which is not fixed, programs named by a parameter, options that start a shell, and expressions in workflow files whose values outsiders write.",
    path: "app.ts",
    fires:
      'import { exec } from "node:child_process";\nexport const list = (folder) => exec(`ls $' +
      "{folder}`);",
    passes:
      'import { execFile } from "node:child_process";\nexport const list = (folder) => execFile("ls", ["--", folder]);',
  },
  "code-evaluation": {
    looksFor:
      "eval and its kin, compilers, template engines and expression languages that get text which is not fixed; scripts piped from the network into an interpreter.",
    path: "app.ts",
    fires: "eval(request.query.formula);",
    passes: "JSON.parse(request.query.formula);",
  },
  "unsafe-html": {
    looksFor:
      "Values that become markup without being escaped: DOM and jQuery sinks, React, Angular and Vue, servers' answers, and filters and options that turn off escaping in template engines.",
    path: "app.ts",
    fires: "export function show(name) {\n  element.innerHTML = name;\n}",
    passes: "export function show(name) {\n  element.textContent = name;\n}",
  },
  "path-traversal": {
    looksFor:
      "Files that are opened, written, listed or served under a name from a request, an upload or an archive.",
    path: "app.py",
    fires: 'open("uploads/" + request.args["name"])',
    passes: 'send_from_directory("uploads", "logo.png")',
  },
  "weak-cryptography": {
    looksFor:
      "Hashes such as MD5 and SHA-1, ciphers such as DES, RC4 and the like, ECB mode, short keys and curves, quick key derivations, fixed initialisation vectors, tokens without a signature or read without verifying it, signatures compared in a time that tells how much of them is right, in the words of each language's libraries. A hash that only names or compares is reported as information.",
    path: "app.py",
    fires: "digest = hashlib.md5(password.encode()).hexdigest()",
    passes: "digest = hashlib.sha256(data).hexdigest()",
  },
  "insecure-randomness": {
    looksFor:
      "Generators whose next numbers follow from earlier ones; a warning if the line or its function mentions something that must not be guessed. Jitter, shuffling, colours and the like are passed over.",
    path: "app.ts",
    fires: "const sessionToken = Math.random().toString(36);",
    passes: "const delayMs = 100 * Math.random();",
  },
  "tls-verification-disabled": {
    looksFor:
      "Settings, flags, constants and callbacks that skip the check of a certificate, its name, or an SSH host key, recognised by the words in their names; versions of SSL and TLS before 1.2.",
    path: "app.py",
    fires: "requests.get(url, verify=False)",
    passes: 'requests.get(url, verify="/etc/ssl/company.pem")',
  },
  "unsafe-deserialization": {
    looksFor:
      "Readers of formats that can name any class: pickle, Marshal, unserialize, Java's and .NET's own, YAML with all its tags.",
    path: "app.py",
    fires: "state = pickle.loads(data)",
    passes: "state = json.loads(data)",
  },
  "swallowed-error": {
    looksFor:
      "Empty error handlers, and errors in Go that are assigned to nothing. A comment that says why is enough.",
    path: "app.ts",
    fires: "try {\n  save();\n} catch {}",
    passes: "try {\n  save();\n} catch {\n  // The cache is a convenience.\n}",
  },
  "debug-leftover": {
    looksFor:
      "Debuggers, dumps and prints that were put in to look at something. Files whose job is printing (scripts, command lines, tests) are passed over.",
    path: "src/cart.ts",
    fires: "debugger;",
    passes: 'logger.info("saved");',
  },
  "disabled-test": {
    looksFor: "Tests that are skipped, or that keep all others from running.",
    path: "cart.test.ts",
    fires: 'it.only("adds", () => {});',
    passes: 'it("adds", () => {});',
  },
  "merge-conflict-marker": {
    looksFor: "The lines that git leaves in an unresolved merge.",
    path: "app.ts",
    fires: "<<<<<<< HEAD\nconst a = 1;\n=======\nconst a = 2;\n>>>>>>> other",
    passes: "const line = '=======';",
  },
  "loose-equality": {
    looksFor:
      "== and != of JavaScript and PHP, which convert before they compare (== null, which tests for null and undefined, is passed over), texts compared by address in Java and C, boxed numbers in Java, and comparisons with NaN, which nothing equals.",
    path: "app.ts",
    fires: 'if (count == "0") stop();',
    passes: "if (count === 0 || name == null) stop();",
  },
  "unresolved-todo": {
    looksFor: "TODO, FIXME, HACK and XXX in comments, without a reference to an issue.",
    path: "app.ts",
    fires: "// TODO: mend this",
    passes: "// TODO(#123): mend this",
  },
};
