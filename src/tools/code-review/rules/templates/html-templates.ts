import type { Sighting } from "../../finding.ts";
import { extensionOf } from "../../language/language.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { isEscapedEcho } from "./blade-echoes.ts";

/** `cond ? 5 : 4 %>`, `"on" if cond %>`: all possible values are literals of the template. */
const FIXED_CHOICE =
  /^\s{0,4}(?:[^%]{1,200}\s?\?\s{1,4}(?:[\d.]{1,10}|"[^"#]{0,60}"|'[^']{0,60}')\s{0,4}:\s{0,4})?(?:[\d.]{1,10}|"[^"#]{0,60}"|'[^']{0,60}')(?:\s{1,4}(?:if|unless)\s[^%]{1,200})?\s{0,4}-?%>/;

/** `on ? '<b>on</b>' : 'off'"` and `$t('page.title')"` of Vue: all possible values are texts of the program. */
const FIXED_TEXT =
  /^(?:[^"`]{1,200}\?\s{0,4})?(?:(?:'[^'"]{0,200}'|\$?tc?\(\s{0,2}'[^'"]{1,100}'\s{0,2}\))\s{0,4}:\s{0,4})?(?:'[^'"]{0,200}'|\$?tc?\(\s{0,2}'[^'"]{1,100}'\s{0,2}\))\s{0,4}"/;

/** Three braces, closed by three or not closed on the line. */
const TRIPLE = /\{\{\{\s{0,4}[#^/]?[\w.@][^}]{0,300}(?:\}\}\}|$)/;
/** `{n, plural, =1 {one} other {{{n}} tasks}}` of Angular: a brace begins a case, the next two an escaped value. */
const NO_CASE = "(?<!(?:=\\d{1,4}|\\b(?:zero|one|two|few|many|other))\\s{0,4})";

/** Helpers whose markup is marked as safe, so that no syntax would escape it. */
const HELPER =
  /^\s{0,4}(?:render|yield|content_for|capture|paginate|link_to|button_to|simple_form_for|(?:csrf|form|image|javascript|pagy|stylesheet)_\w{1,40})\b/;

function isHelper(behind: string): boolean {
  return HELPER.test(behind);
}

const QUOTE = "Put quotes around the attribute's value: a space in it would begin another attribute.";

/** `<b>x</b> id=` is text: its line has ended the last tag that it began. Template code may hold angle brackets too. */
function isBehindTag(before: string): boolean {
  const markup = before.replace(/<%[^%]{0,1000}%>|\{[{%][^}]{0,1000}\}\}?/g, "");
  return markup.lastIndexOf(">") > markup.lastIndexOf("<");
}

/** `<c:out value="${param.name}"/>`, `<c:if test="…">`: a tag of a library gets the value, and does not write it as it is. */
function isOfTagLibrary(before: string): boolean {
  const tag = before.slice(before.lastIndexOf("<"));
  return /^<\w{1,20}:\w/.test(tag) && !tag.includes(">");
}

/** Template syntax that writes a value without escaping it. */
const UNESCAPED: readonly {
  /** Extensions of the files with this syntax; all if absent. */
  files?: RegExp;
  /** Paths of the files with this syntax; all if absent. */
  paths?: RegExp;
  form: RegExp;
  what: string;
  severity?: "info";
  /** The message, in place of the usual one. */
  says?: string;
  /** What to do about it, in place of the usual advice. */
  suggestion?: string;
  /** Whether the code behind or before `form` makes the match harmless. */
  unless?: (behind: string, before: string) => boolean;
}[] = [
  {
    form: /(?<=\s)v-html\s{0,2}=\s{0,2}["'](?!["'])/,
    what: "v-html",
    unless: (behind) => FIXED_TEXT.test(behind),
  },
  { files: /^svelte$/, form: /\{@html\s{1,4}(?!["'`])/, what: "{@html …}" },
  { files: /^astro$/, form: /(?<=\s)set:html\s{0,2}=\s{0,2}\{/, what: "set:html" },
  {
    form: /(?<=\s)\[(?:inner|outer)HTML\]\s{0,2}=/i,
    what: "[innerHTML]",
    severity: "info",
    says: "[innerHTML] makes markup of a value. Angular leaves scripts out of it, unless bypassSecurityTrustHtml() gave it.",
  },
  { form: /(?<=\s)ng-bind-html(?:-unsafe)?\s{0,2}=/, what: "ng-bind-html" },
  {
    files: /^(?:ejs|html|htm|jst)$/,
    form: /<%-(?!\s{0,4}(?:include|partial|yield|layout|body|contentFor|block)\b)/,
    what: "<%- … %>",
  },
  { files: /^(?:hbs|handlebars|mustache)$/, form: TRIPLE, what: "{{{ … }}}" },
  { files: /^html$/, form: new RegExp(NO_CASE + TRIPLE.source), what: "{{{ … }}}" },
  { files: /^(?:mustache|hbs)$/, form: /\{\{&\s{0,4}\w/, what: "{{& … }}" },
  { files: /^(?:pug|jade)$/, form: /^\s{0,80}[\w.#-]{0,60}!=\s|!\{/, what: "!=" },
  { form: /\{\{[^}]{0,200}\|\s{0,4}safe\b/, what: "the filter safe" },
  { form: /\{%-?\s{0,4}autoescape\s{1,4}(?:off|false)/, what: "autoescape off" },
  {
    // `json_encode` writes "<\/", which does not end a script, so it is safe where a script takes a value.
    form: /\{!!(?!\s{0,4}(?:csrf_field|method_field|Form::|Html::|\w{0,4}[cC]aptcha::))(?!(?<=[=:(,[]\s{1,4}\{!!)\s{0,4}json_encode\([^,]{1,200}\)\s{0,4}!!)/,
    what: "{!! … !!}",
    unless: isEscapedEcho,
  },
  { form: /(?<=\s)th:utext\s{0,2}=/, what: "th:utext" },
  {
    files: /^(?:jspx?|jspf|xhtml|xml|html)$/,
    form: /<h:output\w{4,8}\s[^>]{0,300}\bescape\s{0,2}=\s{0,2}["']false["']/,
    what: 'escape="false"',
  },
  { form: /(?<=\s)escapeXml\s{0,2}=\s{0,2}["']false["']/, what: 'escapeXml="false"' },
  {
    files: /^(?:twig|html|htm|njk|j2|jinja|jinja2)$/,
    // What is written as JSON does not end a script, as above.
    form: /\{\{(?!(?<=[=:(,[]\s{1,4}\{\{)[^}|]{0,200}\|\s{0,4}json_encode(?:\(\))?\s{0,4}\|\s{0,4}raw\s{0,4}-?\}\})(?:[^}]|\}(?!\})){0,600}\|\s{0,4}raw\b/,
    what: "the filter raw",
  },
  {
    files: /^haml$/,
    form: /^\s{0,80}[\w.#%:-]{0,60}(?:\{[^}]{0,200}\})?(?:!=|&==?\s{0,2}raw\b)/,
    what: "!=",
    unless: isHelper,
  },
  { files: /^slim$/, form: /^\s{0,80}[\w.#-]{0,60}\s{0,4}==\s/, what: "==", unless: isHelper },
  { files: /^slim$/, form: /#\{\{/, what: "#{{ … }}" },
  { files: /^(?:haml|slim)$/, form: /=\s{0,4}raw[\s(]|\.html_safe\b/, what: "raw or html_safe" },
  {
    files: /^jsp[xf]?$/,
    form: /<%=\s{0,4}request\.getParameter|\$\{\s{0,2}param(?:Values)?[.[](?![\w.'"[\]]{1,80}\s{0,2}(?:[=!<>]=|[<>?]|&&|\|\||(?:eq|ne|gt|lt|ge|le|and|or)\b))/,
    what: "JSP",
    unless: (_, before) => isOfTagLibrary(before),
  },
  {
    files: /^(?:html|htm|hbs|mustache|njk|j2|jinja|jinja2|twig)$/,
    form: /(?<=\s)[\w-]{2,30}=\{\{(?!\{)/,
    what: "An attribute without quotes",
    suggestion: QUOTE,
    unless: (_, before) => isBehindTag(before),
  },
  {
    // Rails escapes angle brackets in JSON.
    form: /<%==(?![^%]{1,300}\.to_json\s{0,4}-?%>)/,
    what: "<%== … %>",
    unless: (behind) => FIXED_CHOICE.test(behind),
  },
  {
    files: /^erb$/,
    form: /(?<=\s)(?:href|src|action|formaction)\s{0,2}=\s{0,2}["']<%=(?!\s{0,4}(?:['"\w.@#{]{0,60}(?:_path|_url|url_for|asset_\w{2,6}|image_\w{2,6})\b|\w{1,40}(?:\(|\s{1,2})(?:["'][/\w]|:\w)))/,
    what: "An address that begins with <%= … %> may begin with “javascript:”; it",
    severity: "info",
    suggestion: "Let the address begin with a fixed path or scheme, or compare its scheme first.",
  },
  {
    files: /^erb$/,
    form: /(?<=\s)[\w-]{2,30}=<%=/,
    what: "An attribute without quotes",
    suggestion: QUOTE,
    unless: (behind, before) => FIXED_CHOICE.test(behind) || isBehindTag(before),
  },
  {
    // Rails escapes the templates in `app/views`, and gives those of other formats than HTML a second extension.
    paths: /^(?!(?:.{0,200}\/)?app\/views\/)(?:.{0,200}\/)?[^./]{1,80}\.erb$/,
    form: /<%=\s{0,4}(?:params|cookies|request\.(?:params|cookies|path\w{0,5}|url|fullpath|query_string|referrer|referer|user_agent))\b(?:\[[^\]]{1,60}\])?(?:\.(?:to_s|strip|downcase|upcase|capitalize))?\s{0,4}-?%>/,
    what: "<%= … %>",
    says: "<%= … %> escapes nothing where Rails is not: this puts what a client sends into the page as it is. Use h().",
  },
  { form: /@\(\s{0,2}new\s{1,4}HtmlString\(/, what: "new HtmlString" },
  { form: /@Html\.Raw\(/, what: "@Html.Raw" },
  { form: /\b(?:validateRequest)\s{0,2}=\s{0,2}["']false["']/i, what: 'validateRequest="false"' },
];

/** A value that ERB writes into a script without escaping it for JavaScript. */
const SCRIPTED =
  /<%=(?!=|\s{0,4}(?:j|raw|escape_javascript|json_escape|(?:[A-Z]\w{0,30}\.)?jsonify|render|yield|javascript_\w{3,20}|csrf_\w{3,20})\b)(?![^%]{0,200}\.(?:to_json|to_i|id|count|size|length)\b)/;

/** The same for Jinja, Django and Twig. */
const BRACED_IN_SCRIPT =
  /\{\{-?(?![^}]{0,200}(?:\|\s{0,4}(?:escapejs|tojson|json\w{0,12}|e\(|escape\(|int|length|safe|raw|urlencode)|url_for|static|_url\b|\b(?:route|path|url|asset)\(|\.id\b|csrf))\s{0,4}\w/;

const SCRIPTS: readonly { files: RegExp; form: RegExp; advice: string }[] = [
  { files: /^erb$/, form: SCRIPTED, advice: "j or to_json" },
  { files: /^(?:j2|jinja2?|twig|djhtml)$/, form: BRACED_IN_SCRIPT, advice: "tojson or escapejs" },
];

/** Whether the position behind `code` is within a script. `before` says so of its start. */
function inScript(code: string, before: boolean): boolean {
  const [open, close] = [code.lastIndexOf("<script"), code.lastIndexOf("</script")];
  return open === close ? before : open > close;
}

/**
 * Whether the position behind `code` is in the tag of a script, where a value is an ordinary attribute. `before` says so
 * of its start.
 */
function inTag(code: string, before: boolean): boolean {
  const open = code.lastIndexOf("<script");
  if (open < 0 && !before) return false;
  return open >= code.lastIndexOf("</script") && !/(?<![%=-])>/.test(code.slice(Math.max(0, open)));
}

/** Returns the column of the first value that a line writes into a script, if any. */
function scripted(code: string, form: RegExp, within: boolean, tagged: boolean): number | undefined {
  if (!within && !code.includes("<script")) return undefined;
  for (const { index } of code.matchAll(new RegExp(form, "g"))) {
    const before = code.slice(0, index);
    if (inScript(before, within) && !inTag(before, tagged)) return index;
  }
  return undefined;
}

function firstMatch(
  code: string,
  form: RegExp,
  unless?: (behind: string, before: string) => boolean,
): RegExpExecArray | null {
  if (!unless) return form.exec(code);
  for (const match of code.matchAll(new RegExp(form, `g${form.flags}`))) {
    const { index } = match;
    if (!unless(code.slice(index + match[0].length), code.slice(0, index))) return match;
  }
  return null;
}

/** Extensions of templates that are as often of a text, such as of a mail, as of a page. */
const TEXTS = /^(?:hbs|handlebars|mustache)$/;

/** Whether a template of several lines has no tag, so that there is nothing to escape for. */
function isText({ lines }: Fragment): boolean {
  return (
    lines.length > 1 && lines.every(({ text }) => !/<\/?[a-z][a-z0-9-]{0,20}[\s/>]|<!doctype/i.test(text))
  );
}

export function* templateSightings(fragment: Fragment): Iterable<Sighting> {
  const extension = extensionOf(fragment.path);
  if (TEXTS.test(extension) && isText(fragment)) return;
  const forms = UNESCAPED.filter(
    ({ files, paths }) => (files?.test(extension) ?? true) && (paths?.test(fragment.path) ?? true),
  );
  const scripts = SCRIPTS.find(({ files }) => files.test(extension));
  let [isScript, isTag] = [false, false];
  for (const [line, { added }] of fragment.lines.entries()) {
    const code = fragment.code(line).slice(0, 8000);
    const [within, tagged] = [isScript, isTag];
    isScript = inScript(code, within);
    isTag = inTag(code, tagged);
    if (!added) continue;
    const column = scripts && scripted(code, scripts.form, within, tagged);
    if (column !== undefined) {
      const message = `Escaping for HTML does not hold in a script: escape the value with ${scripts?.advice}.`;
      yield { places: [{ line, column }], message, severity: "warning" };
      continue;
    }
    for (const { form, what, severity = "warning", says, suggestion, unless } of forms) {
      const match = firstMatch(code, form, unless);
      if (!match) continue;
      const message = says ?? `${what} puts a value into the page without escaping it.`;
      yield { places: [{ line, column: match.index }], message, severity, ...(suggestion && { suggestion }) };
      break;
    }
  }
}
