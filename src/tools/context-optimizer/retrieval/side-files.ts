import type { SearchedFile } from "./searched-file.ts";

/** Files next to those that people want changed, which use the same words. */
interface SideFiles {
  /** The factor of their scores. */
  share: number;
  paths: readonly RegExp[];
  /** Matches queries that ask for them. */
  asked: RegExp;
}

/** Tests, which can be found from the code that they test. */
const TEST: SideFiles = {
  share: 0.7,
  paths: [
    /(?:^|\/)(?:[\w.-]*\.)?(?:tests?|__tests__|spec|testing)\/|(?:^|[._/-])(?:test|spec|tests)(?:[._-]|\.\w+$)/i,
    /(?:^|\/)(?:(?:android|common|integration|functional|jvm|unit)Test|testFixtures)\//,
    /[a-z\d](?:Tests?|TestCase|Specs?|IT)\.(?:java|kts?|scala|groovy|cs|fs|vb|swift|php|mm?|cpp)$/,
  ],
  asked: /\btests?\b/i,
};
/** Pages, in any folder: an issue is about code, and they follow it. */
const PAGE: SideFiles = {
  share: 0.7,
  paths: [/\.(?:mdx?|rst|adoc|asciidoc)$/i],
  asked:
    /\b(?:doc(?:s|umentation)?|examples?|tutorials?|guides?|readme|markdown|changelogs?|release notes|upgrad\w+|migrat\w+|handbook|manual)\b|\.(?:mdx?|rst|adoc)\b/i,
};
/** Examples of use. */
const EXAMPLE: SideFiles = {
  share: 0.8,
  paths: [/(?:^|\/)(?:docs?|examples?|tutorials?|samples?|demos?)\//i],
  asked: /\b(?:doc(?:s|umentation)?|examples?|tutorials?|samples?|demos?|guides?)\b/i,
};
/** Files about work on the project, and about its changes. */
const PROJECT: SideFiles = {
  share: 0.5,
  paths: [
    /(?:^|\/)\.(?:github|gitlab|circleci|idea|vscode|devcontainer|changeset|husky|storybook|vitepress)\/|(?:^|\/)(?:README|CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|CONTRIBUTING|CONTRIBUTORS|AUTHORS|CODE_OF_CONDUCT|SECURITY|GOVERNANCE|LICEN[CS]E|COPYING|UPGRAD(?:E|ING)|MIGRATION)(?:(?:[._-][\w-]+)?\.(?:md|mdx|rst|txt|adoc))?$/i,
    /(?:^|\/)(?:changelogs?|changes|release[-_]?notes|releases|whats[-_]?new|newsfragments)\/(?:[^/]+\/){0,3}[^/]+\.(?:mdx?|rst|txt|adoc|typ)$/i,
    /[._-](?:CHANGE(?:S|LOG)|RELEASE[_-]NOTES|UPGRADE|MIGRATION)\.(?:md|mdx|rst|txt|adoc)$/i,
  ],
  asked:
    /\b(?:readme|changelogs?|release notes|contribut\w*|licen[cs]e|upgrad\w+|migrat\w+|ci|github actions?|workflows?|pipelines?|(?:issue|pull request) templates?|dependabot|codeowners|devcontainer|changesets?|husky|storybook|vitepress|code ?style|vs ?code|intellij)\b|\.github\b/i,
};

export function isTest(path: string): boolean {
  return isAmong(TEST, path);
}

/** Share of all text that is in pages where the pages are what a repository is for: a book, a site of documentation. */
const MOSTLY = 2 / 3;

/** Returns a function from a path to the factor of its score, which is 1 if the query asks for such files. */
export function scoreFactorFor(query: string, files: readonly SearchedFile[]): (path: string) => number {
  const kinds = isMostlyPages(files) ? [TEST, PROJECT, EXAMPLE] : [TEST, PROJECT, PAGE, EXAMPLE];
  const unasked = kinds.filter(({ asked }) => !asked.test(query));
  return (path) => unasked.find((kind) => isAmong(kind, path))?.share ?? 1;
}

function isMostlyPages(files: readonly SearchedFile[]): boolean {
  let inPages = 0;
  let all = 0;
  for (const { path, pieces } of files) {
    const length = pieces.reduce((sum, { terms }) => sum + terms.length, 0);
    all += length;
    if (isAmong(PAGE, path)) inPages += length;
  }
  return inPages > MOSTLY * all;
}

function isAmong({ paths }: SideFiles, path: string): boolean {
  return paths.some((form) => form.test(path));
}
