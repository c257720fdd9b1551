export const QUOTED_PATH =
  /['"`‘](?<file>(?:[A-Za-z]:)?(?=[./\\]*[^'"`’\s./\\])[^'"`’\s]*[./\\][^'"`’\s]*)['"`’]|(?:^|\s)(?<bare>\.{0,2}\/[\w./@+-]+)/;
/** systemd: shop.service: Command shopd is not executable: No such file or directory */
const NOT_EXECUTABLE = /\bCommand (?<file>\S+) is not executable: /;
const ABSENT = "(?:\\[Errno \\d+\\] )?(?:[Nn]o such file|[Pp]ermission denied(?! \\()|No space left)";
/** As Unix tools say it: `ls: cannot access 'dist': No such file or directory`, `link_stat "/srv" failed: No such file`. */
const QUOTED_BEFORE = new RegExp(`['"‘“\`](?<file>[^'"‘’“”\`]+)['"’”\`][a-z ]{0,20}: ${ABSENT}`);
/** As runtimes say it: `[Errno 2] No such file or directory: 'cart'`, `no such file or directory, open 'cart'`. */
const QUOTED_AFTER =
  /(?:[Nn]o such file or directory|[Pp]ermission denied)(?:: |, \w+ )['"](?<file>[^'"]+)['"]/;
/** Of javac and others: `error: file not found: Cart.java`. */
const NOT_FOUND_AFTER = /[Ff]ile (?:or directory )?not found: (?<file>[^\s'"]+)/;
/** Of Ruby: `No such file or directory @ rb_sysopen - rates.txt (Errno::ENOENT)`. */
const RUBY_CALL = / @ \w+ - (?<file>[^()]+?)(?: \(Errno::\w+\))?$/;
/** Of Ruby and others, for their program: `ruby: No such file or directory -- shop.rb (LoadError)`. */
const AFTER_DASHES = /: No such file or directory -- (?<file>\S+)/;
/** `cat: settings.json: No such file or directory`, `tar: shop.tgz: Cannot open: No such file or directory`. */
export const BEFORE_COLON = new RegExp(
  `(?:^|\\s)(?!E[A-Z]+:|failed:|file:|open:|read:)(?<file>[^\\s:('"‘’\`]+): (?:[Cc]an(?:not|'t) \\w+: )?${ABSENT}`,
);

/** Formats that name a path that is missing, inaccessible or full, the most reliable first. */
const MISSING = [
  RUBY_CALL,
  AFTER_DASHES,
  NOT_EXECUTABLE,
  QUOTED_BEFORE,
  QUOTED_AFTER,
  NOT_FOUND_AFTER,
  BEFORE_COLON,
  QUOTED_PATH,
];
const FILE_CATEGORIES = new Set(["missing_file", "permission", "disk_full"]);

interface Line {
  text: string;
  /** What the groups of its signature have caught. */
  caught: Readonly<Record<string, string | undefined>>;
  signature: { category?: string; ecosystem?: string };
  /** What it says, where it names a place first. */
  diagnostic?: { message: string };
}

/** Returns the path that a line calls missing, inaccessible or full, not the place in the program that asks for it. */
export function pathIn({ text, caught, signature, diagnostic }: Line): string | undefined {
  // A cluster forbids access to its own objects, even if a manifest is named beside them.
  if (!FILE_CATEGORIES.has(signature.category ?? "") || signature.ecosystem === "kubernetes")
    return undefined;
  const quoted = MISSING.map((format) => format.exec(diagnostic?.message || text)?.groups).find(
    (groups) => groups !== undefined,
  );
  const file = caught.file ?? caught.file2 ?? quoted?.file ?? quoted?.bare;
  return file &&
    !/^-|^std(?:in|out|err)$|(?:Exception|Error)$|^\w+:\/\/|^[@#/]\/|^E[A-Z]+$|.:[^\\]/.test(file)
    ? file
    : undefined;
}
