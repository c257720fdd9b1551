import { describe, expect, it } from "vitest";
import { levelOf } from "../support/level-of.ts";
import { betweenOthers, furtherIn } from "../whole-names/elsewhere.ts";

const levels = (path: string, cases: readonly (readonly [code: string, level: string])[]) =>
  it.each(cases)(`in ${path}: %j is %s`, (code, level) => {
    const ways = [code, betweenOthers(path, code) ?? code, furtherIn(code)];
    expect(ways.map((each) => levelOf(path, each))).toEqual(ways.map(() => level));
  });

describe("members of a collection", () => {
  levels("a.ts", [
    ["const a = ['x'];\na.push(req.query.b);\nshow(a[0]);", "literal"],
    ["const a = ['x'];\na.unshift(req.query.b);\nshow(a[0]);", "request"],
    ["const a = ['x', req.query.b];\na.pop();\nshow(a[0]);", "literal"],
    ["const a = ['x'];\nif (c) a.push('y');\na.push(req.query.b);\nshow(a[1]);", "request"],
    ["const a = c ? ['x'] : [req.query.b];\nshow(a[0]);", "request"],
    ["const a = ['x', req.query.b];\nshow(a.at(0));", "literal"],
    ["const a = ['x', req.query.b];\nshow(a.at(1));", "request"],
    ["const a = ['x', req.query.b];\nshow(a.that(0));", "request"],
    ["let a = ['x'];\na = [req.query.b];\nshow(a[0]);", "request"],
    ["const a = { x: { y: 'z' }, z: req.query.b };\nshow(a.x.y);", "literal"],
    ["const b = req.query.b;\nconst a = { x: 'y', b };\nshow(a.b);", "request"],
    ["const b = req.query.b;\nconst a = { x: 'y', b };\nshow(a.x);", "literal"],
    ["const a = new Map();\na.set('x', 'y');\na.set(key, req.query.b);\nshow(a.get('x'));", "request"],
    ["const a = new Map();\na.set('x', req.query.b);\na.set('x', 'y');\nshow(a.get('x'));", "literal"],
    ["const a = new Map();\na.set('x', req.query.b);\nif (c) a.set('x', 'y');\nshow(a.get('x'));", "request"],
    ["const a = new Map();\na.set('x', 'y');\na.set('z', req.query.b);\nshow(a.forget('x'));", "request"],
    ["const a = new Map();\na.set('x', 'y');\na.set('z', req.query.b);\nshow(a.get(key));", "request"],
  ]);
  levels("a.py", [
    ["a = ['x']\na.append(request.args['b'])\nshow(a[0])", "literal"],
    ["a = ['x']\na.insert(0, request.args['b'])\nshow(a[0])", "request"],
    ["a = ['x', request.args['b']]\na.pop(0)\nshow(a[0])", "request"],
    ["a = [request.args['b'], 'x']\na.pop(0)\nshow(a[0])", "literal"],
    ["a = ['x', request.args['b']]\na.remove('x')\nshow(a[0])", "request"],
    ["a = ('x', request.args['b'])\nshow(a[0])", "literal"],
    ["a = ('x', request.args['b'])\nshow(a[1])", "request"],
    ["a = list()\na.append('x')\na.append(request.args['b'])\nshow(a[0])", "literal"],
    ["a = load()\na.append('x')\na.append(request.args['b'])\nshow(a[0])", "request"],
    ["a = ['x', *request.args['b']]\nshow(a[0])", "request"],
    ["a = {'x': 'y', 'z': request.args['b']}\nshow(a.get('x'))", "literal"],
    ["a = {'x': 'y', 'z': request.args['b']}\nshow(a.get('z'))", "request"],
  ]);
  levels("A.java", [
    [
      'List<String> a = new ArrayList<>();\na.add("x");\na.add(request.getParameter("b"));\nshow(a.get(0));',
      "literal",
    ],
    [
      'List<String> a = new ArrayList<>();\na.add("x");\na.add(request.getParameter("b"));\nshow(a.get(1));',
      "request",
    ],
    [
      'List<String> a = new ArrayList<>();\na.add("x");\na.add(request.getParameter("b"));\na.remove(0);\nshow(a.get(0));',
      "request",
    ],
    [
      'List<String> a = new ArrayList<>();\na.add(request.getParameter("b"));\na.add("x");\na.remove(0);\nshow(a.get(0));',
      "literal",
    ],
    ['String[] a = { "x", request.getParameter("b") };\nshow(a[0]);', "literal"],
    ['String[] a = new String[] { "x", request.getParameter("b") };\nshow(a[1]);', "request"],
    ['String[] a = new String[] { "x", request.getParameter("b") };\nshow(a[0]);', "literal"],
    ['List<String> a = Arrays.asList("x", request.getParameter("b"));\nshow(a.get(0));', "literal"],
    ['List<String> a = List.of("x", request.getParameter("b"));\nshow(a.get(1));', "request"],
    ['List<String> a = load("x", request.getParameter("b"));\nshow(a.get(0));', "request"],
    [
      'Map<String, String> a = new HashMap<>();\na.put("x", "y");\na.put("z", request.getParameter("b"));\nshow(a.get("x"));',
      "literal",
    ],
    [
      'Map<String, String> a = new HashMap<>();\na.put("x", "y");\na.put("z", request.getParameter("b"));\nshow(a.get("z"));',
      "request",
    ],
  ]);
});

describe("parameters from a web framework", () => {
  levels("a.ts", [
    ["app.get('/', (a, b) => { show(a.query.c); });", "request"],
    ["app.route('/', (a, b) => { show(a.query.c); });", "request"],
    ["http.createServer((a, b) => { show(a.url); });", "request"],
    ["app.getAll('/', (a, b) => { show(a.query.c); });", "parameter"],
    ["app.forget('/', (a, b) => { show(a.query.c); });", "parameter"],
    ["list.forEach((a, b) => { show(b.query.c); });", "unknown"],
    ["app.get(key, (a, b) => { show(a.query.c); });", "parameter"],
    ["app.get('/', (a, b) => { show(b.query.c); });", "parameter"],
    ["exports.handler = async (event) => { show(event.a); };", "request"],
    ["exports.handler = async (evt) => { show(evt.a); };", "request"],
    ["const myHandler = (event) => { show(event.a); };", "request"],
    ["exports.handled = async (event) => { show(event.a); };", "parameter"],
    ["const myHandlers = (event) => { show(event.a); };", "parameter"],
    ["exports.handler = async (events) => { show(events.a); };", "parameter"],
    ["exports.handler = async (a, event) => { show(event.a); };", "parameter"],
    ["function f({ query }: Request) { show(query.a); }", "request"],
    ["function f({ query }: Requests) { show(query.a); }", "parameter"],
    ["function f({ user }: Request) { show(user); }", "parameter"],
    ["const { query } = req;\nshow(query.a);", "request"],
    ["const { user } = req;\nshow(user);", "unknown"],
  ]);
  levels("a.py", [
    ["@app.route('/<a>')\ndef f(a):\n    show(a)", "request"],
    ["@app.get('/<a>')\n@login_required\ndef f(a):\n    show(a)", "request"],
    ["@cherrypy.expose\ndef f(self, a):\n    show(a)", "request"],
    ["@app.cache('/<a>')\ndef f(a):\n    show(a)", "parameter"],
    ["@app.route('/<a>')\ndef f(self):\n    show(self)", "parameter"],
    ["@app.route('/')\ndef g():\n    pass\ndef f(a):\n    show(a)", "parameter"],
    ["app.route('/')\ndef f(a):\n    show(a)", "parameter"],
    ["def f(event, context):\n    show(event['a'])", "request"],
    ["def f(event, other):\n    show(event['a'])", "parameter"],
    ["def lambda_handler(event, other):\n    show(event['a'])", "request"],
  ]);
  levels("A.java", [
    ["@GetMapping\npublic String f(String a) { show(a); }", "request"],
    ["@PostMapping\npublic String f(MultipartFile a) { show(a); }", "request"],
    ["@GetMapping\npublic String f(Account a) { show(a); }", "parameter"],
    ["@GetMapping\nprivate String f(String a) { show(a); }", "parameter"],
    ["@GetMappings\npublic String f(String a) { show(a); }", "parameter"],
    ["@ForgetMapping\npublic String f(String a) { show(a); }", "parameter"],
    ["@GetMapping\npublic String f(Strings a) { show(a); }", "parameter"],
    ["public String f(@RequestParam String a) { show(a); }", "request"],
    ["public String f(@PathVariable String a) { show(a); }", "request"],
    ["public String f(@Nullable String a) { show(a); }", "parameter"],
    ["public String f(@RequestParam int a) { show(a); }", "literal"],
  ]);
  levels("A.cs", [
    ["public IActionResult F(string a) { show(a); }", "request"],
    ["public ActionResult F(string a) { show(a); }", "request"],
    ["public JsonResult F(string a) { show(a); }", "request"],
    ["private IActionResult F(string a) { show(a); }", "parameter"],
    ["public static IActionResult F(string a) { show(a); }", "parameter"],
    ["public MyActionResult F(string a) { show(a); }", "parameter"],
    ["public ActionResults F(string a) { show(a); }", "parameter"],
    ["public IActionResult F(Account a) { show(a); }", "parameter"],
    ["public IActionResult F(int a) { show(a); }", "literal"],
    ["public string F([FromQuery] string a) { show(a); }", "request"],
    ["public string F([NotNull] string a) { show(a); }", "parameter"],
  ]);
});

describe("results and arguments of functions of the same file", () => {
  levels("a.ts", [
    ["function g(a) { return a; }\nshow(g(req.query.b));", "request"],
    ["function g(a, c) { return c; }\nshow(g(req.query.b, 'x'));", "literal"],
    ["function g(a) { return a; }\nfunction g(a) { return 'x'; }\nshow(g(req.query.b));", "request"],
    ["function g(a) { if (a) return 'x';\n  return a; }\nshow(g(req.query.b));", "request"],
    ["function g(a) { return 'x'; }\nshow(o.g(req.query.b));", "request"],
    ["class A { g(a) { return 'x'; }\n  h() { show(this.g(req.query.b)); } }", "literal"],
    ["function g() { return req.query.b; }\nshow(g());", "request"],
    ["function g(a) { show(a); }\ng(req.query.b);", "request"],
    ["function g(a) { show(a); }\ng('x');", "parameter"],
    ["function g(a) { show(a); }\no.g(req.query.b);", "parameter"],
    ["function g(a, b) { show(b); }\ng(req.query.b, 'x');", "parameter"],
    ["function g(a) { show(a); }\nfunction h(b) { g(b); }\nh(req.query.b);", "request"],
  ]);
  levels("a.py", [
    ["def g(a, c):\n    return c\n\nshow(g(request.args['b'], c='x'))", "literal"],
    ["def g(a, c):\n    return c\n\nshow(g('x', c=request.args['b']))", "request"],
    [
      "class A:\n    def g(self, a):\n        return a\n    def h(self):\n        show(self.g(request.args['b']))",
      "request",
    ],
    [
      "class A:\n    def g(self, a, c):\n        return c\n    def h(self):\n        show(self.g(request.args['b'], 'x'))",
      "literal",
    ],
  ]);
});
