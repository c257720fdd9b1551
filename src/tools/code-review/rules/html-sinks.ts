import { LEVEL } from "../flow/level.ts";
import type { Sinks } from "./sinks.ts";

const { request, parameter, unknown } = LEVEL;

const RESPONSE = /^(?:res|response|resp|reply|this\.res)\.(?:\w{1,20}\(\)\.){0,4}(?:send|write|end)$/;
const JQUERY = /^(?:\$|jQuery|angular\.element)\(\)(?:\.\w{1,20}\(\)){0,6}\.\w{1,20}$|^\$\w{1,30}\.\w{1,20}$/;

/** Calls that turn a text into a page's markup without escaping it. */
export const HTML_SINKS: Sinks = {
  javascript: [
    {
      names: "write writeln",
      path: /(?:^|\.)(?:document|contentDocument)\.\w{1,8}$/,
      argument: "any",
      atLeast: parameter,
    },
    { names: "insertAdjacentHTML", argument: 1, atLeast: parameter },
    { names: "createContextualFragment setHTMLUnsafe parseHTMLUnsafe", atLeast: parameter },
    { names: "createNodesFromMarkup createMarkup", path: /^createNodesFromMarkup$/, atLeast: parameter },
    { names: "html", path: /^(?:\$|jQuery)\(\)(?:\.\w{1,20}\(\)){0,6}\.html$/, atLeast: unknown },
    {
      names: "html append prepend after before replaceWith wrap wrapAll wrapInner",
      path: JQUERY,
      atLeast: parameter,
    },
    {
      names: "insertBefore insertAfter appendTo prependTo",
      path: /^(?:\$|jQuery)\(\)\.\w{1,20}$/,
      argument: "any",
      atLeast: parameter,
    },
    { names: "html", path: /^(?:d3|svg|selection|angular)\b[\w.()]{0,80}\.html$/, atLeast: parameter },
    { names: "setInnerHtml setInnerHTML", argument: "any", atLeast: parameter },
    { names: "globalEval parseHTML", path: /^(?:\$|jQuery)\./, atLeast: parameter },
    {
      names: "trustAs trustAsHtml trustAsJs trustAsCss trustAsUrl trustAsResourceUrl",
      argument: "any",
      atLeast: unknown,
    },
    {
      names:
        "bypassSecurityTrustHtml bypassSecurityTrustScript bypassSecurityTrustStyle bypassSecurityTrustUrl bypassSecurityTrustResourceUrl",
      atLeast: unknown,
    },
    { names: "SafeString unsafeHTML unsafeSVG", atLeast: unknown },
    { names: "send write end", path: RESPONSE, atLeast: request },
    { names: "html", path: /^(?:c|ctx|context)\.html$/, atLeast: request },
    { names: "setAttribute", path: /\.setAttribute$/, argument: 1, atLeast: parameter },
  ],
  python: [
    { names: "mark_safe Markup SafeString SafeText", atLeast: unknown },
    {
      names: "HttpResponse make_response write",
      path: /^(?:django\.http\.)?HttpResponse$|make_response$|^self\.write$|^(?:self\.)?(?:resp|response)\.(?:out\.)?write$/,
      atLeast: request,
    },
    {
      names: "HTMLResponse Response",
      argument: "any",
      path: /^(?:HTMLResponse|(?:web\.|flask\.)?Response)$/,
      atLeast: request,
    },
  ],
  go: [
    {
      names: "HTML JS URL HTMLAttr CSS JSStr Srcset",
      path: /^(?:html\.)?template\.\w{1,10}$/,
      atLeast: unknown,
    },
    { names: "Fprintf Fprint Fprintln", path: /^fmt\./, argument: "any", atLeast: request },
    { names: "WriteString Write", path: /^(?:w|rw|io|writer|resp)\./, argument: "any", atLeast: request },
  ],
  java: [
    {
      names: "print println write append printf format",
      path: /getWriter\(\)\.|getOutputStream\(\)\.|^(?:out|writer|pw|printWriter)\.|JspWriter/,
      argument: "any",
      atLeast: request,
    },
    { names: "fromTrustedString fromSafeConstant appendHtmlConstant", atLeast: unknown },
    { names: "loadData loadDataWithBaseURL", argument: "any", atLeast: parameter },
    { names: "setEscapeModelStrings", atLeast: request },
  ],
  ruby: [{ names: "raw", path: /^raw$/, atLeast: unknown }],
  php: [
    {
      names: "echo print print_r printf vprintf exit die",
      path: /^\w{1,10}$/i,
      argument: "any",
      atLeast: request,
    },
  ],
  csharp: [
    { names: "Raw", path: /(?:Html|HtmlHelper|helper)\.Raw$/i, atLeast: unknown },
    {
      names: "HtmlString MvcHtmlString MarkupString Create",
      path: /^(?:HtmlString|MvcHtmlString|MarkupString|MvcHtmlString\.Create)$/,
      atLeast: unknown,
    },
    { names: "Write WriteAsync", path: /Response\.Write(?:Async)?$/, atLeast: request },
    { names: "Content", path: /^Content$/, atLeast: request },
  ],
  rust: [
    { names: "PreEscaped", atLeast: unknown },
    { names: "Html", atLeast: request },
  ],
};
