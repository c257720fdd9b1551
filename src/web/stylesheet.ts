import { CHART_STYLES } from "./charts/styles.ts";

/**
 * The only stylesheet of the pages, as a module so that it is bundled like any other. Spacing is in steps of 4 px.
 * Every colour has hue 230, except those of charts, which are from the palette of Okabe and Ito.
 */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: hsl(230 24% 97%);
  --surface: hsl(0 0% 100%);
  --text: hsl(230 24% 13%);
  --muted: hsl(230 10% 38%);
  --line: hsl(230 16% 87%);
  --edge: hsl(230 10% 52%);
  --accent: hsl(230 72% 46%);
  --on-accent: hsl(0 0% 100%);
  --tint: hsl(230 60% 95%);
  --blue: #0072b2;
  --orange: #e69f00;
  --green: #009e73;
  --vermilion: #d55e00;
  --purple: #cc79a7;
  --danger: hsl(12 90% 36%);
  --radius: 8px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: hsl(230 20% 8%);
    --surface: hsl(230 18% 12%);
    --text: hsl(230 24% 92%);
    --muted: hsl(230 14% 68%);
    --line: hsl(230 14% 22%);
    --edge: hsl(230 10% 50%);
    --accent: hsl(230 92% 77%);
    --on-accent: hsl(230 50% 10%);
    --tint: hsl(230 30% 18%);
    --blue: #56b4e9;
    --danger: hsl(16 100% 70%);
  }
}

*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--ground);
  color: var(--text);
  font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, figure, table, pre, form { margin: 0; padding: 0; }
h1 { font-size: 24px; line-height: 32px; font-weight: 650; text-wrap: balance; }
h2, h3 { font-size: 16px; line-height: 24px; font-weight: 650; }
ul { list-style: none; }
code, pre, .code { font-family: var(--mono); }
code { font-size: 14px; }
a { color: var(--accent); text-underline-offset: 4px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.muted { color: var(--muted); }
.small { font-size: 14px; line-height: 20px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.bar {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 16px;
  min-height: 64px; padding: 8px 16px; border-bottom: 1px solid var(--line); background: var(--surface);
}
.wordmark {
  display: inline-flex; align-items: center; gap: 8px; min-height: 44px;
  color: inherit; font-weight: 650; text-decoration: none;
}
.wordmark svg { flex: none; width: 24px; height: 24px; color: var(--accent); }
.whoami { display: flex; flex-wrap: wrap; align-items: center; gap: 0 16px; min-width: 0; font-size: 14px; line-height: 20px; }

.impersonation { padding: 4px 16px; background: var(--accent); color: var(--on-accent); }
.impersonation button { border-color: currentColor; }
.impersonation button:hover { background: color-mix(in srgb, var(--accent) 80%, var(--on-accent)); }
.impersonation :focus-visible { outline-color: currentColor; }

.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; z-index: 1; padding: 8px 16px; border-radius: var(--radius); background: var(--surface); }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); }
#sections { display: none; padding: 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
#sections:target { display: block; }
/* It stays in view, however long the menu is. */
#sections > .menu { position: sticky; top: 8px; float: right; background: var(--surface); }
#sections h2 { padding: 16px 12px 0; }
#sections .account { display: grid; padding: 4px 12px 8px; }
#sections .account strong { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
#sections .target { width: 100%; padding: 6px 12px; border-radius: var(--radius); color: inherit; text-decoration: none; }
#sections .target:hover { background: var(--tint); }
#sections [aria-current="page"] { background: var(--tint); color: var(--accent); font-weight: 550; }
@media (min-width: 768px) {
  .bar > .menu, #sections > .menu { display: none; }
  .frame { grid-template-columns: 232px minmax(0, 1fr); min-height: calc(100vh - 64px); }
  #sections { display: block; border-bottom: 0; border-right: 1px solid var(--line); }
  #sections .target { min-height: 36px; }
  /* All pages begin at the same place, so that nothing jumps from one to the next. */
  .frame > main { width: 100%; margin: 0; padding: 24px 24px 64px; }
  .frame > main.wide { max-width: 1360px; }
}
@media (forced-colors: active) {
  [aria-current="page"] { outline: 2px solid Highlight; outline-offset: -2px; }
  .tabs [aria-current="page"] { outline-offset: 2px; }
}
main { display: grid; align-content: start; grid-template-columns: minmax(0, 1fr); gap: 24px; margin: 0 auto; padding: 24px 16px 64px; max-width: 1120px; }
main.medium { max-width: 752px; }
main.narrow { max-width: 448px; }
main.narrow > .card { padding: 24px; }
.stack { display: grid; gap: 16px; align-content: start; }
.stack > * { min-width: 0; }
.tight { gap: 4px; }
.card { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: 16px; }

label { display: block; margin-bottom: 4px; font-weight: 550; }
input:not([type="hidden"]), select, textarea {
  width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: var(--radius);
  background: var(--surface); color: inherit; font: inherit;
}
input[type="checkbox"] { flex: none; width: 20px; min-height: 20px; height: 20px; margin: 0; padding: 0; accent-color: var(--accent); }
fieldset { min-width: 0; margin: 0; padding: 8px 16px; border: 1px solid var(--line); border-radius: var(--radius); }
legend { padding: 0 4px; font-weight: 550; }
.check { display: flex; align-items: center; gap: 8px; min-height: 44px; margin: 0; padding: 4px 0; line-height: 20px; font-weight: inherit; }
.checks { display: grid; gap: 0 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 232px), 1fr)); }
::placeholder { color: var(--muted); opacity: 1; }
textarea.code { font: 14px/20px var(--mono); }
.bullets { padding-left: 16px; list-style: disc; }
.answer { max-height: 480px; overflow: auto; }
[aria-invalid="true"] { border-color: var(--danger) !important; }
.at-fault { color: var(--danger); }
input[readonly] { font-family: var(--mono); font-size: 14px; }
input[name="user_code"] { font-family: var(--mono); font-size: 20px; letter-spacing: .12em; text-transform: uppercase; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 16px;
  border: 1px solid var(--edge); border-radius: var(--radius); background: transparent; color: inherit;
  font: inherit; font-weight: 550; text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--tint); }
.filled { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.filled:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.link {
  min-height: 44px; padding: 0; border: 0; background: none; color: var(--accent); font-weight: inherit;
  text-decoration: underline; text-underline-offset: 4px;
}
.link:hover { background: none; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 16px; }
.tabs a { border-bottom: 2px solid transparent; color: var(--muted); font-size: 14px; text-decoration: none; }
.tabs a:hover { color: var(--text); }
.tabs [aria-current="page"] { border-bottom-color: var(--accent); color: var(--accent); font-weight: 550; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
.inline > *, .row > * { min-width: 0; }
.inline { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.inline label { margin: 0; }
.inline > .grows { flex: 1 1 224px; }
.inline select { width: auto; max-width: 320px; }
.inline[data-filter] select { max-width: 200px; }
.inline input[type="search"] { flex: 1 1 160px; width: auto; }
/* Of several, the first says most. */
.inline > label:first-of-type + input[type="search"]:not(.whole):has(~ input[type="search"]) { flex: 2 1 224px; }
.inline input[type="search"].whole { flex-basis: 100%; }
.quiet { display: block; color: inherit; text-decoration: none; }
.quiet:hover { text-decoration: underline; }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; }
[data-live]:empty { display: none; }
.notice { padding: 12px 16px; border-left: 4px solid var(--vermilion); border-radius: var(--radius); background: var(--tint); }

.user-code {
  padding: 16px 0; border-radius: var(--radius); background: var(--tint); text-align: center;
  font: 600 32px/40px var(--mono); letter-spacing: .12em; text-indent: .12em; white-space: nowrap;
}
.facts { display: grid; gap: 8px; }
.facts > div { display: grid; gap: 0 16px; }
.facts dt { color: var(--muted); font-size: 14px; line-height: 20px; }
@media (min-width: 400px) {
  .facts > div { grid-template-columns: 72px minmax(0, 1fr); align-items: baseline; }
}
.scopes { display: grid; gap: 8px; }
.scopes span { display: block; }
.command {
  padding: 12px 16px; border-radius: var(--radius); background: var(--tint);
  font-size: 14px; line-height: 20px; white-space: pre-wrap; user-select: all;
}

.cards { display: grid; grid-auto-flow: dense; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.cards > .card > h3 { margin: -8px 0; }
.overview { display: grid; gap: 24px; grid-template-columns: minmax(0, 1fr); }
.overview > .stack > h2 { margin-bottom: -8px; }
.needs > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 16px; padding-left: 16px; border-left: 4px solid var(--orange); }
.needs > li + li { margin-top: 8px; }
.needs > .urgent { border-left-color: var(--vermilion); }
.needs > li > * { min-width: 0; }
.steps { padding-left: 24px; }
.steps > li + li { margin-top: 12px; }
.steps > li > .command { margin-top: 4px; }
.cards > .wide { grid-column: 1 / -1; }
.block { display: block; }
.target { display: inline-flex; align-items: center; min-height: 44px; }
.items > li + li { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--line); }
.figure { font-size: 24px; line-height: 32px; font-weight: 650; font-variant-numeric: tabular-nums; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; }
.chips li { padding: 0 8px; border-radius: 4px; background: var(--tint); font: 14px/24px var(--mono); }
details > summary { display: flex; align-items: center; min-height: 44px; width: fit-content; cursor: pointer; color: var(--accent); }
details > summary::before { content: "▸"; width: 16px; }
details[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; }
/* What is unseen in it belongs to it, and widens no page. */
.scroll { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; line-height: 20px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 8px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 550; }
.done { border-left-color: var(--green); }
[tabindex="-1"]:focus { outline: 0; }
td > a:only-child, th > a:only-child { display: inline-flex; align-items: center; min-height: 44px; }
td.left { text-align: left; white-space: normal; }
.list th, .list td { text-align: left; }
.list th:not(:last-child), .list td:not(:last-child) { padding-right: 16px; padding-left: 0; }
.list tbody th, .list .name-cell { min-width: 160px; white-space: normal; overflow-wrap: anywhere; }
.list thead th { white-space: normal; overflow-wrap: normal; }
.list tbody th, .list tbody td { height: 52px; }
/* Accents piled up in a name are not painted over other rows. An outline is 5 px wide. */
.list :is(th, td), .items > li, .facts > div, #sections .account { overflow: clip; overflow-clip-margin: 6px; }
.list .inline { flex-wrap: nowrap; align-items: flex-start; }
.list details form { display: grid; width: 224px; white-space: normal; justify-items: start; }
.list .figures { text-align: right; }
.list .prose-cell { width: 28%; min-width: 240px; white-space: normal; overflow-wrap: anywhere; }
.list th .block { font-weight: 400; }
.refused { color: var(--danger); }
main.wide form.stack { max-width: 560px; }
.fields { display: grid; gap: 12px 16px; align-items: end; grid-template-columns: repeat(auto-fill, minmax(min(100%, 168px), 1fr)); }
th[aria-sort] a::after { content: " ▴"; white-space: pre; }
th[aria-sort="descending"] a::after { content: " ▾"; white-space: pre; }
.command { position: relative; }
.nowrap { white-space: nowrap; }
.command[data-copied] { min-height: 52px; padding-right: 96px; }
@media (max-width: 479px) { .command[data-copied] { padding: 12px 16px 52px; } .command > .copy { top: auto; bottom: 4px; } }
.copy { position: absolute; top: 4px; right: 4px; min-height: 36px; padding: 4px 12px; background: var(--surface); font: 550 14px/20px system-ui, sans-serif; user-select: none; }
.diff { border: 1px solid var(--line); border-radius: var(--radius); padding: 8px 0; font-size: 14px; line-height: 20px; tab-size: 2; overflow-wrap: normal; }
.diff ins, .diff del { display: block; width: max-content; min-width: 100%; padding: 0 8px; text-decoration: none; }
.diff ins { background: color-mix(in srgb, var(--green) 16%, transparent); }
.diff del { background: color-mix(in srgb, var(--vermilion) 16%, transparent); }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; }
${CHART_STYLES}
@media print {
  .bar, #sections, .skip, .zoom, main form, main summary, main a.button { display: none !important; }
  /* What leads to a form, which is not printed. */
  main a[href^="#"], main h2:has(+ form), main h2:has(+ details > form) { display: none; }
  .frame { display: block; }
  .frame > main { max-width: none; padding: 0; }
  main .card { border: 0; padding: 0; }
  .scroll { overflow: visible; }
  main table { font-size: 10px; line-height: 14px; }
  main .list :is(th, td) { min-width: 112px; height: auto; }
  main .list :is(td, th:not(:first-child)):not(.name-cell, .prose-cell) { min-width: 0; }
  main .list a { min-height: 0; }
  main .list :is(.small, code) { font-size: inherit; line-height: inherit; }
}
`;
