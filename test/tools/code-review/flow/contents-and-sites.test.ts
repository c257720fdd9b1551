import { describe, expect, it } from "vitest";
import { findingsIn } from "../cases.ts";

const rulesIn = (path: string, code: string) =>
  findingsIn(path, code)
    .filter(({ severity }) => severity !== "info")
    .map(({ rule }) => rule);

describe("what a file holds, or a program or a server answers", () => {
  it.each([
    ["a.js", "app.get('/a', (req, res) => res.send(fs.readFileSync(path.basename(req.params.name))));"],
    [
      "a.js",
      "app.get('/a', async (req, res) => res.send(await fs.promises.readFile(path.basename(req.query.n))));",
    ],
    ["a.py", "def a(request):\n    return HttpResponse(open(os.path.basename(request.GET['n'])).read())"],
    ["a.py", "def a(request):\n    return HttpResponse(subprocess.check_output(['cat', request.GET['n']]))"],
    ["a.php", "<?php\necho file_get_contents(basename($_GET['name']));"],
    [
      "a.go",
      'func a(w http.ResponseWriter, r *http.Request) {\n\tdata, _ := os.ReadFile(filepath.Base(r.FormValue("n")))\n\tw.Write(data)\n}',
    ],
    [
      "a.go",
      'func a(w http.ResponseWriter, r *http.Request) {\n\tout, _ := exec.Command("git", "log", r.FormValue("n")).Output()\n\tw.Write(out)\n}',
    ],
  ])("is no markup that a client sends: %s %s", (path, code) => {
    expect(rulesIn(path, code)).not.toContain("unsafe-html");
  });

  it.each([
    ["a.js", "app.get('/a', (req, res) => res.send(req.query.n));"],
    [
      "a.go",
      "func a(w http.ResponseWriter, r *http.Request) {\n\tdata, _ := io.ReadAll(r.Body)\n\tw.Write(data)\n}",
    ],
    [
      "A.java",
      "void a(HttpServletRequest request, HttpServletResponse response) {\n  response.getWriter().write(new String(request.getInputStream().readAllBytes()));\n}",
    ],
    [
      "a.js",
      'app.post("/a", (req, res) => { const text = fs.readFileSync(req.file.path, "utf8"); res.send(`<p>${text}</p>`); });',
    ],
    ["a.php", "<?php\necho file_get_contents($_FILES['page']['tmp_name']);"],
    ["a.php", "<?php\n$tmp = $_FILES['page']['tmp_name'];\necho file_get_contents($tmp);"],
  ])("is not the request itself, nor a file that a client sent: %s %s", (path, code) => {
    expect(rulesIn(path, code)).toContain("unsafe-html");
  });

  it("does not hide that its name is the client's", () => {
    const code = "app.get('/a', (req, res) => res.send(fs.readFileSync(req.params.name)));";
    expect(rulesIn("a.js", code)).toEqual(["path-traversal"]);
  });
});

describe("an address that must begin with one slash", () => {
  const GO = (test: string) =>
    `func a(w http.ResponseWriter, r *http.Request) {\n\tn := r.FormValue("n")\n\tif ${test} {\n\t\treturn\n\t}\n\thttp.Redirect(w, r, n, 302)\n}`;
  const JS = (test: string) =>
    `app.get("/a", (req, res) => {\n  const n = req.query.n;\n  res.redirect(${test} ? n : "/");\n});`;
  const PYTHON = (test: string) =>
    `def a(request):\n    n = request.GET["n"]\n    if ${test}:\n        n = "/"\n    return redirect(n)`;

  it.each([
    ["a.js", JS('n.startsWith("/") && !n.startsWith("//")')],
    ["a.js", JS('!n.startsWith("//") && n.startsWith("/")')],
    ["a.js", JS('n.startsWith("/") && !n.startsWith("//") && !n.startsWith("/\\\\")')],
    ["a.py", PYTHON('not n.startswith("/") or n.startswith("//")')],
    ["a.py", PYTHON('n.startswith("//") or not n.startswith("/")')],
    ["a.go", GO('strings.HasPrefix(n, "//") || !strings.HasPrefix(n, "/")')],
  ])("stays on this site: %s %s", (path, code) => {
    expect(rulesIn(path, code)).toEqual([]);
  });

  it.each([
    ["a.js", JS('n.startsWith("/")')],
    ["a.js", JS('n.startsWith("/") || !n.startsWith("//")')],
    ["a.js", JS('!n.startsWith("/") && n.startsWith("//")')],
    ["a.js", JS('n.startsWith("/") && n.startsWith("//")')],
    ["a.py", PYTHON('not n.startswith("/") and n.startswith("//")')],
    ["a.js", JS('n.startsWith("/") && !n.startsWith("/\\\\")')],
    ["a.js", JS('n.startsWith("/") && !n.startsWith("//login")')],
    ["a.js", JS('m.startsWith("/") && !n.startsWith("//")')],
    ["a.js", JS('!(n.startsWith("/") && !n.startsWith("//"))')],
    ["a.go", GO('strings.HasPrefix(m, "//") || !strings.HasPrefix(n, "/")')],
    ["Api.kt", 'fun Route.a() {\n  get("/a") { call.respondRedirect(call.parameters["n"]!!) }\n}'],
  ])("is not one that may begin with two, or with anything: %s %s", (path, code) => {
    expect(rulesIn(path, code)).toEqual(["path-traversal"]);
  });
});

describe("an address that Java's HttpClient asks", () => {
  it.each([
    'HttpRequest.newBuilder().uri(URI.create(request.getParameter("u"))).build();',
    'HttpRequest.newBuilder().GET().timeout(LIMIT).uri(URI.create(request.getParameter("u"))).build();',
  ])("is found wherever the builder is given it: %s", (code) => {
    const whole = `void a(HttpServletRequest request, HttpServletResponse response) {\n  ${code}\n}`;
    expect(rulesIn("A.java", whole)).toEqual(["path-traversal"]);
  });
});

describe("a template that begins with the page's own origin", () => {
  it.each([
    "${location.origin}",
    "${location.origin}/${location.hash.slice(1)}",
    "${location.origin}${location.pathname}?a",
  ])("stays on this site: %s", (template) =>
    expect(rulesIn("a.js", `location.href = \`${template}\`;`)).toEqual([]),
  );

  it.each(["${location.origin}${location.hash.slice(1)}", "${location.origin}.${location.hash.slice(1)}"])(
    "does not where the host's name can go on: %s",
    (template) => expect(rulesIn("a.js", `location.href = \`${template}\`;`)).toEqual(["unsafe-html"]),
  );
});
