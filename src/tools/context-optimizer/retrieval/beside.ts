/** Files that lie beside what people ask to be changed, and tell of it in its own words. */
interface Beside {
  /** What they count beside the others. */
  share: number;
  paths: readonly RegExp[];
  /** Who says this asks for them. */
  asked: RegExp;
}

/** Found from what they test. */
const TEST: Beside = {
  share: 0.7,
  paths: [
    /(?:^|\/)(?:[\w.-]*\.)?(?:tests?|__tests__|spec|testing)\/|(?:^|[._/-])(?:test|spec|tests)(?:[._-]|\.\w+$)/i,
    /(?:^|\/)(?:(?:android|common|integration|functional|jvm|unit)Test|testFixtures)\//,
    /[a-z\d](?:Tests?|TestCase|Specs?|IT)\.(?:java|kts?|scala|groovy|cs|fs|vb|swift|php|mm?|cpp)$/,
  ],
  asked: /\btests?\b/i,
};
/** Pages, wherever they lie: code is changed by an issue, and they follow it. */
const PAGE: Beside = {
  share: 0.7,
  paths: [/\.(?:mdx?|rst|adoc|asciidoc)$/i],
  asked:
    /\b(?:doc(?:s|umentation)?|examples?|tutorials?|guides?|readme|markdown|changelogs?|release notes|upgrad\w+|migrat\w+|handbook|manual)\b|\.(?:mdx?|rst|adoc)\b/i,
};
/** How something is used. */
const EXAMPLE: Beside = {
  share: 0.8,
  paths: [/(?:^|\/)(?:docs?|examples?|tutorials?|samples?|demos?)\//i],
  asked: /\b(?:doc(?:s|umentation)?|examples?|tutorials?|samples?|demos?|guides?)\b/i,
};
/** How people work on a project together, and what changed in it. */
const PROJECT: Beside = {
  share: 0.5,
  paths: [
    /(?:^|\/)\.(?:github|gitlab|circleci|idea|vscode|devcontainer|changeset|husky|storybook|vitepress)\/|(?:^|\/)(?:README|CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|CONTRIBUTING|CONTRIBUTORS|AUTHORS|CODE_OF_CONDUCT|SECURITY|GOVERNANCE|LICEN[CS]E|UPGRAD(?:E|ING)|MIGRATION)(?:(?:[._-][\w-]+)?\.(?:md|mdx|rst|txt|adoc))?$/i,
    /[._-](?:CHANGE(?:S|LOG)|RELEASE[_-]NOTES|UPGRADE|MIGRATION)\.(?:md|mdx|rst|txt|adoc)$/i,
  ],
  asked:
    /\b(?:readme|changelogs?|release notes|contribut\w*|licen[cs]e|upgrad\w+|migrat\w+|ci|github actions?|workflows?|pipelines?|(?:issue|pull request) templates?|dependabot|codeowners|devcontainer|changesets?|husky|storybook|vitepress|code ?style|vs ?code|intellij)\b|\.github\b/i,
};

export function isTest(path: string): boolean {
  return isAmong(TEST, path);
}

/** What a file counts by its path, where nobody asks for such files. */
export function shareBeside(query: string): (path: string) => number {
  const unasked = [TEST, PROJECT, PAGE, EXAMPLE].filter(({ asked }) => !asked.test(query));
  return (path) => unasked.find((kind) => isAmong(kind, path))?.share ?? 1;
}

function isAmong({ paths }: Beside, path: string): boolean {
  return paths.some((form) => form.test(path));
}
