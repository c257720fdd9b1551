import { ruleCases } from "../cases.ts";

ruleCases("loose-equality", {
  javascript: {
    must: ["if (a == b) run();", "return count != 0;", "const same = name == 'x';"],
    mustNot: [
      "if (a === b) run();",
      "if (a == null) run();",
      "if (undefined != a) run();",
      "if (typeof a == 'string') run();",
      "const text = 'a == b';",
      "// a == b",
    ],
  },
  python: {
    must: ["if name is 'x': run()", "if count is not 0: run()"],
    mustNot: ["if name == 'x': run()", "if value is None: run()", "if value is not other: run()"],
  },
  java: {
    must: ['if (name == "x") run();', 'return "x" != name;'],
    mustNot: ['if (name.equals("x")) run();', "if (count == 1) run();", "if (letter == 'x') run();"],
  },
  php: {
    must: ["<?php\nif (md5($input) == $hash) login();", "<?php\nif ($token == $_GET['token']) login();"],
    mustNot: [
      "<?php\nif (hash_equals($hash, $given)) login();",
      "<?php\nif ($count == 1) run();",
      "<?php\nif ($token === $given) login();",
    ],
  },
  c: {
    must: ['if (name == "x") run();'],
    mustNot: ['if (strcmp(name, "x") == 0) run();', "if (letter == 'x') run();", "if (count == 1) run();"],
  },
  cpp: {
    must: ['void run(const char *name) {\n  if (name == "x") stop();«here»\n}'],
    mustNot: ['void run(const std::string &name) {\n  if (name == "x") stop();\n}'],
  },
});
