/** Delimiters of the code in a page that is otherwise markup. */
export interface Islands {
  /** Common prefix of all openings, including those that do not open code. */
  mark: string;
  opening: RegExp;
  /** An opening whose expression is output, and the keyword of the equivalent statement. */
  writing?: { opening: string; word: string };
  closing: string;
  /** Another closing, of another opening. */
  otherClosing?: string;
  /** A sign that may precede the closing and belongs to it. */
  closingSign?: string;
  /** Whether a text without any mark is markup instead of code. */
  isMarkup?: boolean;
}

/** `<?php … ?>` and `<?= … ?>` */
export const PHP_PAGE: Islands = {
  mark: "<?",
  opening: /<\?(?:php\b|=|(?=\s))/gi,
  writing: { opening: "<?=", word: "echo" },
  closing: "?>",
};

/** PHP in a page of Blade, whose braces and directives are read as markup: `@php … @endphp` beside PHP's own. */
export const BLADE_PAGE: Islands = {
  ...PHP_PAGE,
  opening: /<\?(?:php\b|=|(?=\s))|@php\b(?!\s{0,4}\()/gi,
  otherClosing: "@endphp",
  isMarkup: true,
};

/** `<% … %>`, `<%= … %>` and `<%- … -%>` of ERB; `<%%` stands for `<%`. */
export const ERB_PAGE: Islands = {
  mark: "<%",
  opening: /<%(?!%)(?:==?|-)?/g,
  closing: "%>",
  closingSign: "-",
  isMarkup: true,
};

/** `<script>`, unless it holds data or a template. */
export const SCRIPTS: Islands = {
  mark: "<script",
  opening:
    /<script\b(?![^>]{0,400}\btype\s{0,4}=\s{0,4}["']?(?:application\/(?:ld\+)?json|text\/(?:x-|ng-)?(?:template|html|handlebars)|importmap|speculationrules))[^>]{0,400}>/gi,
  closing: "</script",
};
