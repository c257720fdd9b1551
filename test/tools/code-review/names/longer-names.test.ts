import { edges } from "../edges.ts";

type Rule = Parameters<typeof edges>[0];

/** Tests names that a rule knows, in the place of `@`. With a prefix or suffix, they are other names. */
function known(rule: Rule, path: string, code: string, names: string): void {
  const line = `${code.slice(0, code.indexOf("@")).split("\n").length}`;
  const withName = (name: string) => code.replace("@", name);
  edges(
    rule,
    path,
    names
      .split(" ")
      .flatMap((name) => [[withName(name), line] as const, [withName(`x${name}`)], [withName(`${name}x`)]]),
  );
}

known("debug-leftover", "a.c", "void f() {\n  @();\n}", "__debugbreak DebugBreak __builtin_debugtrap");
known("debug-leftover", "a.cpp", "void f() {\n  @();\n}", "__debugbreak DebugBreak __builtin_debugtrap");
known("debug-leftover", "a.go", "func f() {\n\t@(a)\n}", "runtime.Breakpoint spew.Dump litter.Dump println");
known("debug-leftover", "A.cs", "void F() {\n  @();\n}", "Debugger.Break Debugger.Launch");
known("debug-leftover", "a.php", "<?php\n@($a);", "xdebug_break var_dump ddd phpinfo print_r var_export");
known("debug-leftover", "a.rb", "@", "binding.irb byebug debugger");
known("debug-leftover", "A.java", "void f() {\n  @(a);\n}", "System.out.println Thread.dumpStack");
known("weak-cryptography", "a.ts", "@.Rabbit.encrypt(a, b);", "CryptoJS");
known("weak-cryptography", "a.ts", "CryptoJS.@.encrypt(a, b);", "Rabbit RabbitLegacy");
known("weak-cryptography", "a.go", "elliptic.@()", "P224");
known("weak-cryptography", "a.go", "@.P224()", "elliptic");
known("weak-cryptography", "a.go", "bcrypt.GenerateFromPassword(a, bcrypt.@)", "MinCost");
known(
  "weak-cryptography",
  "a.ts",
  "tls.createServer({ ciphers: 'HIGH:@' });",
  "NULL aNULL eNULL LOW RC4 RC2 DES 3DES IDEA SEED MD5 ADH AECDH",
);
known("code-evaluation", "a.py", "def f():\n    return @()[request.args['a']]()", "globals locals vars");
