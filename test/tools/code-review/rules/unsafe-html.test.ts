import { ruleCases } from "../cases.ts";

ruleCases("unsafe-html", {
  javascript: [
    {
      must: [
        "element.innerHTML = value;",
        "element.outerHTML = '<b>' + name + '</b>';",
        "function show(text) {\n  document.write(text);\n}",
        "function show(text) {\n  element.insertAdjacentHTML('beforeend', text);\n}",
        "$('#out').html(location.hash);",
        "function add(row) {\n  $('#rows').append('<tr>' + row + '</tr>');\n}",
        "$(location.hash).show();",
        "app.get('/', (req, res) => res.send('<h1>' + req.query.name + '</h1>'));",
        "app.get('/', (req, res) => {\n  const page = `<p>${req.query.name}</p>`;«here»\n  render(page);\n});",
        "this.sanitizer.bypassSecurityTrustHtml(value)",
        "$sce.trustAsHtml(value)",
        "$sceProvider.enabled(false)",
        "new Handlebars.SafeString(text)",
        "nunjucks.configure('views', { autoescape: false })",
        "serialize(data, { unsafe: true })",
        "Mustache.escape = (text) => text;",
        "text.replaceAll('<', '&lt;')",
        'text.replace("\'", "")',
        "location.href = new URLSearchParams(location.search).get('next');",
      ],
      mustNot: [
        "element.textContent = value;",
        "element.innerHTML = '<b>done</b>';",
        "element.innerHTML = DOMPurify.sanitize(value);",
        "if (element.innerHTML === value) update();",
        "app.get('/', (req, res) => res.json({ name: req.query.name }));",
        "app.get('/', (req, res) => res.send({ name: req.query.name }));",
        "document.write('<p>fixed</p>');",
        "console.log(`<p>${req.query.name}</p>`);",
        "$('#out').text(location.hash);",
        "const copy = text.replace(/</g, '(');",
        "location.href = '/home';",
        "const link = '/users/' + req.params.id;",
      ],
    },
    {
      file: "src/view.tsx",
      must: [
        "export const View = ({ html }) => <div dangerouslySetInnerHTML={{ __html: html }} />;",
        "const view = <Markdown escapeHtml={false}>{text}</Markdown>;",
      ],
      mustNot: [
        "const view = <div>{html}</div>;",
        "export const View = ({ html }) => <div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />;",
        "const view = <p>Don't panic, it's {name}</p>;",
      ],
    },
  ],
  python: {
    must: [
      "mark_safe(text)",
      "Markup('<b>' + name + '</b>')",
      "return HttpResponse('<h1>' + request.GET['name'] + '</h1>')",
      "Environment(autoescape=False)",
      "@app.route('/<name>')\ndef hello(name):\n    return f'<h1>{name}</h1>'«here»",
    ],
    mustNot: [
      "mark_safe('<b>done</b>')",
      "return render(request, 'page.html', {'name': name})",
      "Environment(autoescape=True)",
      "return f'Hello {name}'",
      "return escape(name)",
    ],
  },
  go: {
    must: [
      "template.HTML(text)",
      'fmt.Fprintf(w, "<h1>%s</h1>", r.FormValue("name"))',
      'w.Write([]byte("<p>" + r.URL.Query().Get("name") + "</p>"))',
    ],
    mustNot: [
      'template.HTML("<b>done</b>")',
      "tmpl.Execute(w, data)",
      'fmt.Fprintf(os.Stdout, "%s", r.FormValue("name"))',
      "template.HTMLEscapeString(text)",
    ],
  },
  java: {
    must: [
      'response.getWriter().println("<h1>" + request.getParameter("name") + "</h1>");',
      'out.print(request.getParameter("name"));',
    ],
    mustNot: [
      'response.getWriter().println("<h1>done</h1>");',
      'out.print(Encode.forHtml(request.getParameter("name")));',
      "System.out.println(name);",
    ],
  },
  ruby: {
    must: ["raw(params[:text])", '"<b>#{name}</b>".html_safe', "comment.body.html_safe"],
    mustNot: ['"<b>done</b>".html_safe', "h(params[:text])", "sanitize(params[:text])"],
  },
  php: {
    must: [
      "<?php\necho $_GET['name'];",
      "<?php\nprint '<h1>' . $_POST['name'] . '</h1>';",
      "<?php\necho \"<p>{$_GET['name']}</p>\";",
    ],
    mustNot: ["<?php\necho htmlspecialchars($_GET['name']);", "<?php\necho 'done';", "<?php\necho $total;"],
  },
  csharp: {
    must: [
      "return Html.Raw(text);",
      "return new HtmlString(text);",
      'Response.Write(Request.QueryString["name"]);',
    ],
    mustNot: ['return Html.Raw("<b>done</b>");', "return Html.Encode(text);", "Response.Write(count);"],
  },
  rust: {
    must: [
      "let page = PreEscaped(text);",
      'async fn show(Query(name): Query<String>) -> Html<String> {\n  Html(format!("<h1>{}</h1>", name))\n}',
    ],
    mustNot: ['let page = PreEscaped("<b>done</b>");', 'Html("<h1>done</h1>")'],
  },
  markup: [
    {
      must: [
        '<div v-html="text"></div>',
        '<div [innerHTML]="text"></div>',
        "{{ text | safe }}",
        "{% autoescape off %}",
        '<p th:utext="${text}"></p>',
      ],
      mustNot: [
        '<div v-text="text"></div>',
        "{{ text }}",
        "{% autoescape on %}",
        '<!-- <div v-html="text"></div> -->',
      ],
    },
    {
      file: "app.ejs",
      must: ["<p><%- name %></p>"],
      mustNot: ["<p><%= name %></p>", "<%- include('header') %>"],
    },
    { file: "app.hbs", must: ["<p>{{{name}}}</p>"], mustNot: ["<p>{{name}}</p>"] },
    { file: "App.svelte", must: ["<p>{@html text}</p>"], mustNot: ["<p>{text}</p>"] },
    { file: "app.pug", must: ["p!= text"], mustNot: ["p= text"] },
  ],
});
