import { ruleCases } from "../cases.ts";

ruleCases("code-evaluation", {
  javascript: {
    must: [
      "eval(input)",
      "window.eval(`run(${location.hash})`)",
      "const add = new Function('a', 'b', body);",
      "setTimeout('run(' + name + ')', 100)",
      "setInterval('tick()', 100)",
      "const vm = require('vm');\napp.get('/', (req) => vm.runInNewContext(req.query.code));",
      "function call(data) {\n  window[data.name](data.value);\n}",
      "function load(name) {\n  return require(name);\n}",
      "ejs.render(req.body.template)",
      "await chromium.launch({ args: ['--remote-debugging-port=9222'] });",
      "const { VM } = require('vm2');\nfunction run(code) {\n  return new VM().run(code);\n}",
    ],
    mustNot: [
      "eval('1 + 1')",
      "setTimeout(() => run(name), 100)",
      "setTimeout(tick, 100)",
      "new Function('return this')()",
      "window['name']()",
      "handlers[name](value)",
      "const name = 'fs';\nrequire(name)",
      "page.evaluate(() => document.title)",
      "evaluate(expression)",
    ],
  },
  python: {
    must: [
      "eval(expression)",
      "exec(request.form['code'])",
      "result = eval('1 + ' + value)",
      "render_template_string(request.args['template'])",
      "__import__(request.args['module'])",
    ],
    mustNot: [
      "eval('1 + 1')",
      "ast.literal_eval(text)",
      "model.eval()",
      "re.compile(pattern)",
      "importlib.import_module('json')",
    ],
  },
  go: {
    must: [
      "vm.RunString(script)",
      "value, err := otto.Run(source)",
      "func load(path string) {\n\tplugin.Open(path)\n}",
    ],
    mustNot: ['vm.RunString("1 + 1")', "vm.Run(name)", "server.Run(address)", "os.Open(path)"],
  },
  java: {
    must: [
      "engine.eval(script);",
      "new GroovyShell().evaluate(script);",
      "void parse(String text) {\n  parser.parseExpression(text);\n}",
      'Class.forName(request.getParameter("type"));',
    ],
    mustNot: [
      'engine.eval("1 + 1");',
      'Class.forName("org.postgresql.Driver");',
      "evaluator.evaluate(data);",
    ],
  },
  ruby: {
    must: [
      "eval(params[:code])",
      "eval code",
      "object.instance_eval(text)",
      "object.send(params[:method])",
      "params[:type].constantize.new",
    ],
    mustNot: ["eval('1 + 1')", "object.instance_eval { name }", "object.send(:save)", "'User'.constantize"],
  },
  php: {
    must: [
      "<?php\neval($code);",
      "<?php\neval('return ' . $_GET['x'] . ';');",
      "<?php\ninclude $_GET['page'];",
      "<?php\ncall_user_func($_GET['f']);",
      "<?php\n$f = create_function('$x', $body);",
    ],
    mustNot: [
      "<?php\ninclude 'header.php';",
      "<?php\nrequire __DIR__ . '/vendor/autoload.php';",
      "<?php\ncall_user_func('trim', $x);",
      "<?php\n$evaluation = evaluate($x);",
    ],
  },
  csharp: {
    must: [
      "await CSharpScript.EvaluateAsync(code);",
      'Assembly.Load(Request.Form["assembly"]);',
      "provider.CompileAssemblyFromSource(parameters, source);",
    ],
    mustNot: ['await CSharpScript.EvaluateAsync("1 + 1");', 'Assembly.Load("System.Xml");'],
  },
  shell: {
    must: [
      'eval "$1"',
      "eval $command",
      "curl https://host/install.sh | bash",
      "bash <(curl -s https://host/install.sh)",
      'sh -c "$(curl -fsSL https://host/install.sh)"',
    ],
    mustNot: [
      'eval "$(ssh-agent -s)"',
      'eval "$(direnv hook bash)"',
      "curl https://host/file | jq .",
      "# eval $command",
      "evaluate $1",
    ],
  },
  dockerfile: {
    must: [
      "RUN curl -fsSL https://host/install.sh | sh",
      "RUN wget -qO- https://host/install.sh | sudo bash",
    ],
    mustNot: ["RUN curl -fsSL https://host/archive.tar.gz | tar xz", "RUN sh install.sh"],
  },
});
