import { edges } from "../edges.ts";

const parsing = (making: string, rest = "b.parse(in);") => `void f(String in) { A b = ${making}; ${rest} }`;

edges("unsafe-deserialization", "A.java", [
  [parsing("DocumentBuilderFactory.newInstance()"), "1"],
  [parsing("javax.xml.parsers.SAXParserFactory.newInstance()"), "1"],
  [parsing("XMLInputFactory.newFactory()", "b.createXMLStreamReader(in);"), "1"],
  [parsing("XMLReaderFactory.createXMLReader()"), "1"],
  [parsing("new SAXReader()", "b.read(in);"), "1"],
  [parsing("new SAXBuilder()", "b.build(in);"), "1"],
  [parsing("OtherFactory.newInstance()")],
  [parsing("DocumentBuilderFactory.newInstances()")],
  [parsing("DocumentBuilderFactory.newInstance()", "b.parse();")],
  [parsing("DocumentBuilderFactory.newInstance()", 'b.parse("a.xml");')],
  [parsing("DocumentBuilderFactory.newInstance()", "b.show(in);")],
  [parsing("DocumentBuilderFactory.newInstance()", "b.setFeature(C, true); b.parse(in);")],
  [parsing("DocumentBuilderFactory.newInstance()", "harden(b); b.parse(in);")],
  [`${parsing("DocumentBuilderFactory.newInstance()", "")}\nvoid g(String in) { b.parse(in); }`],
  [`void g(String in) { b.parse(in); }\n${parsing("DocumentBuilderFactory.newInstance()", "")}`],
]);

edges("unsafe-deserialization", "A.cs", [
  ["void F(Stream a) { new XmlTextReader(a); }", "1"],
  ['void F(Stream a) { new XmlTextReader("a.xml"); }'],
  ["void F(Stream a) { new XmlTextReader(); }"],
  ["void F(Stream a) { XmlTextReader(a); }"],
  ["void F(Stream a) { new XmlTextReaders(a); }"],
  ["void F(Stream a) { var b = new XmlTextReader(a); b.DtdProcessing = c; }"],
  ["void F(Stream a) { var b = new XmlTextReader(a); b.XmlResolver = null; }"],
]);

edges("unsafe-html", "a.rb", [
  ["render html: params[:a]"],
  ["render html: given"],
  ["render text: given", "1"],
  ["render inline: given", "1"],
  ['render text: "a"'],
  ["render plain: params[:a]"],
  ["render json: params[:a]"],
  ["render texts: params[:a]"],
  ["render_to_string inline: params[:a]", "1"],
  ["rendered inline: params[:a]"],
  ["params[:a].html_safe", "1"],
  ["given.html_safe", "1"],
  ['"a".html_safe'],
  ['t("title").html_safe'],
  ["t(params[:a]).html_safe", "1"],
  ["html_safe(given)"],
  ["given.html_safely"],
]);

const routed = (body: string, framework = "from flask import Flask, request") =>
  `${framework}\n@app.route("/<name>")\ndef f(name):\n${body.replace(/^/gm, "    ")}`;

edges("unsafe-html", "a.py", [
  [routed('return "Hello " + name'), "4"],
  [routed('return f"Hello {name}"'), "4"],
  [routed('return ("Hello " + name)'), "4"],
  [routed("return request.args['a']"), "4"],
  [routed('page = "Hello " + name\nreturn page'), "5"],
  [routed('page = "Hello "\npage += name\nreturn page'), "6"],
  [routed('return "Hello"')],
  [routed('return "Hello " + str(len(name))')],
  [routed("return show(name)")],
  [routed("page = show(name)\nreturn page")],
  [routed("return")],
  [routed('return "Hello " + name', "from flasks import Flask")],
  [routed('return "Hello " + name', "import bottle"), "4"],
  ['from flask import Flask\ndef f(name):\n    return "Hello " + name'],
]);

const rooted = (test: string) =>
  `function f(req, res) {\n  const a = path.resolve('/data', req.query.b);\n  if (${test}) return;\n  fs.readFile(a, c);\n}`;

edges("path-traversal", "a.ts", [
  [rooted("!a.startsWith('/data/')")],
  [rooted("!a.startsWith('/data')"), "4"],
  [rooted("!a.startsWith('/data' + path.sep)")],
  [rooted("a.startsWith('/data/')"), "4"],
  [rooted("a.indexOf('/data/') !== 0")],
  [rooted("a.indexOf('/data/') !== 1"), "4"],
  [rooted("!a.endsWith('/data/')"), "2"],
  [rooted("!a.startsWith('/')"), "4"],
  [rooted("!a.includes('..')"), "4"],
  [rooted("a.includes('..')")],
  [rooted("!a || a.includes('..')")],
  [rooted("!c && a.includes('..')")],
  [rooted("!a.startsWith('/data/')").replace("path.resolve", "path.attach"), "4"],
]);
