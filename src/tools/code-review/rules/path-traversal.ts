import type { Rule, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import { SOURCES, seenCall } from "./sightings.ts";
import { type Reached, reached, type Sinks } from "./sinks.ts";

const { request, parameter } = LEVEL;

const NODE_FILES =
  "readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream open openSync unlink unlinkSync mkdir mkdirSync readdir readdirSync rm rmSync rmdir rmdirSync stat statSync lstat lstatSync access accessSync copyFile copyFileSync rename renameSync truncate symlink link chmod chown watch opendir realpath readlink";
const JOIN = /^path(?:\.posix|\.win32)?\.(?:join|resolve)$|^(?:pth|Path|p|npath)\.(?:join|resolve)$/;

/** What opens, lists, moves or serves the file that it is given the name of. */
const SINKS: Sinks = {
  javascript: [
    {
      names: NODE_FILES,
      path: /^(?:fs(?:\/promises)?|fsp|fse|fs-extra|graceful-fs|fsPromises|promises)\./,
      atLeast: parameter,
    },
    { names: "join resolve", path: JOIN, argument: "any", atLeast: parameter },
    { names: "sendFile sendfile download", path: /^(?:res|response|reply|resp)\./, atLeast: request },
    { names: "file", path: /^Bun\.file$/, atLeast: request },
    { names: "readTextFile readFile writeTextFile writeFile remove open", path: /^Deno\./, atLeast: request },
  ],
  python: [
    { names: "open", path: /^(?:open|io\.open|codecs\.open|aiofiles\.open|os\.open)$/, atLeast: request },
    { names: "join", path: /^(?:os\.)?path\.join$/, argument: "any", atLeast: request },
    {
      names:
        "remove unlink rename mkdir makedirs rmdir listdir scandir stat chmod rmtree copy copyfile copytree move",
      path: /^(?:os|shutil)\./,
      argument: "any",
      atLeast: request,
    },
    { names: "send_file FileResponse Path PurePath joinpath read_csv", atLeast: request },
  ],
  go: [
    {
      names: "Open OpenFile Create ReadFile WriteFile Remove RemoveAll Mkdir MkdirAll ReadDir Stat Rename",
      path: /^(?:os|ioutil|io\.ioutil|afero)\./,
      atLeast: request,
    },
    { names: "Join", path: /^(?:path\.)?(?:filepath|path)\.Join$/, argument: "any", atLeast: request },
    { names: "ServeFile", argument: 2, atLeast: request },
    { names: "File SendFile Attachment", path: /^(?:c|ctx|context)\./, atLeast: request },
  ],
  java: [
    {
      names:
        "File FileInputStream FileOutputStream FileReader FileWriter RandomAccessFile FileSystemResource",
      argument: "any",
      atLeast: request,
    },
    { names: "get of", path: /^(?:Paths\.get|Path\.of)$/, argument: "any", atLeast: request },
    { names: "resolve", argument: "any", atLeast: request },
    { names: "getResourceAsStream", atLeast: request },
  ],
  ruby: [
    {
      names:
        "open read write readlines new foreach delete unlink rename join expand_path binread exist? file? mkdir",
      path: /^(?:File|IO|Dir|Pathname|FileUtils)\./,
      argument: "any",
      atLeast: request,
    },
    { names: "send_file", atLeast: request },
  ],
  php: [
    {
      names:
        "file_get_contents file_put_contents fopen readfile file unlink rename copy mkdir rmdir scandir opendir parse_ini_file simplexml_load_file highlight_file show_source move_uploaded_file",
      path: /^\w{1,30}$/,
      argument: "any",
      atLeast: request,
    },
    {
      names: "download file get put",
      path: /^(?:Storage|File|response\(\))\./,
      argument: "any",
      atLeast: request,
    },
  ],
  csharp: [
    {
      names:
        "ReadAllText ReadAllBytes ReadAllLines WriteAllText WriteAllBytes OpenRead OpenWrite Open Delete Copy Move Create OpenText AppendAllText Exists",
      path: /(?:File|Directory)\./,
      argument: "any",
      atLeast: request,
    },
    { names: "Combine", path: /Path\.Combine$/, argument: "any", atLeast: request },
    { names: "PhysicalFile FileStream StreamReader StreamWriter FileInfo DirectoryInfo", atLeast: request },
  ],
  rust: [
    { names: "open create", path: /(?:File|NamedFile)\.(?:open|create)$/, atLeast: request },
    {
      names: "read read_to_string write remove_file remove_dir_all create_dir_all copy rename read_dir",
      path: /(?:^|\.)fs\./,
      argument: "any",
      atLeast: request,
    },
    {
      names: "join push",
      path: /(?:path|dir|root|base|Path\.new\(\)|PathBuf\.from\(\))\w{0,10}\.(?:join|push)$/i,
      atLeast: request,
    },
  ],
};

export const pathTraversal: Rule = {
  id: "path-traversal",
  category: "security",
  severity: "warning",
  cwe: 22,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "csharp", "rust"],
  message: "A file is named by a value that can hold “..” and so lead out of the folder that was meant.",
  suggestion:
    "Resolve the path, then make sure that it still lies in the folder; or look the name up in a list.",
  *check(fragment) {
    let outer = -1;
    for (const hit of reached(fragment, SINKS)) {
      // What is joined within a call that was reported is the same flaw.
      if (hit.call.end <= outer || !isPath(fragment, hit)) continue;
      outer = hit.call.end;
      yield sighted(fragment, hit);
    }
    yield* archives(fragment);
  },
};

function sighted(fragment: Fragment, { call, level }: Reached): Sighting {
  const message = `${call.name}() gets ${SOURCES[level]}, which can lead out of the folder that was meant.`;
  // What a function is called with is its caller's affair as often as not.
  return seenCall(fragment, call, { message, severity: level === request ? "warning" : "info" });
}

function isPath(fragment: Fragment, hit: Reached): boolean {
  const { call, argument, level } = hit;
  const isJoin = /^(?:join|resolve|Join|Combine)$/.test(call.name);
  const given = isJoin ? call.args.slice(1) : [argument];
  if (level < request && !given.some((range) => isForeignName(fragment, range))) return false;
  // A root that the file must lie under.
  if (
    /^(?:sendFile|sendfile|download)$/.test(call.name) &&
    call.args.length > 1 &&
    fragment.text((call.args[1] as Range).from) !== "("
  )
    return false;
  return !isNormalised(fragment, argument) && !isChecked(fragment, hit);
}

/** `new URL(…).pathname` holds no “..” any more. */
function isNormalised(fragment: Fragment, { from, to }: Range): boolean {
  return fragment.tokens
    .slice(from, to)
    .some(({ text }, index) => text === "URL" && fragment.text(from + index - 1) === "new");
}

/** What names files elsewhere: members of archives, uploads, a mere name that is taken for a path. */
const FOREIGN = /entry|upload|archive|attachment|multipart|original_?name|file_?name/i;

/**
 * A parameter is its caller's affair as often as not, and programs hand paths around all day; one that is
 * called so came from outside.
 */
function isForeignName(fragment: Fragment, range: Range): boolean {
  if (provenanceOf(fragment).of(range) < parameter) return false;
  return fragment.tokens
    .slice(range.from, range.to)
    .some(({ kind, text }) => kind === "word" && FOREIGN.test(text));
}

const CHECKS =
  /^(?:startsWith|indexOf|includes|relative|HasPrefix|startswith|is_relative_to|commonpath|commonprefix|StartsWith|starts_with|start_with\?|realpath|canonicalize|getCanonicalPath|IsLocal|Rel|normalize)$/;

/** Tokens behind a call that may hold a check of what it gave. */
const MAX_LOOKED_AT = 5000;

/** The value was stripped of “..” above, or its result is looked at below. */
function isChecked(fragment: Fragment, { call, argument }: Reached): boolean {
  for (let index = argument.from; index < argument.to; index++) {
    const definition = fragment.isWord(index)
      ? fragment.names.definition(fragment.text(index), index)
      : undefined;
    if (!definition) continue;
    for (let at = definition.value.from; at < definition.value.to; at++) {
      if (fragment.tokens[at]?.kind === "regex" && fragment.text(at).includes("\\.")) return true;
    }
  }
  const named =
    fragment.text(call.start - 1) === "=" || fragment.text(call.start - 1) === ":="
      ? fragment.text(call.start - 2)
      : undefined;
  if (!named) return false;
  const bodyEnd = fragment.names.functionAt(call.at)?.body.to ?? fragment.tokens.length;
  const end = Math.min(bodyEnd, call.end + MAX_LOOKED_AT);
  for (let index = call.end; index < end; index++) {
    if (fragment.text(index) !== named) continue;
    if (CHECKS.test(fragment.text(index + 2)) || CHECKS.test(fragment.text(index - 2))) return true;
  }
  return false;
}

const UNPACKING = /^(?:extractall|File|resolve|get)$/;

/** Archives name their members as they like. */
function* archives(fragment: Fragment): Iterable<Sighting> {
  const { language } = fragment;
  for (const call of fragment.callsOf(UNPACKING)) {
    const python =
      language === "python" &&
      call.name === "extractall" &&
      /^(?:tar|tf|tarfile|archive|t)\b|tarfile/i.test(call.path);
    if (python) {
      const filtered = call.args.some(({ from }) => /^(?:filter|members)$/.test(fragment.text(from)));
      const message = "extractall() writes wherever the archive's members say, unless a filter forbids it.";
      if (!filtered) yield seenCall(fragment, call, { message });
    }
    const entry =
      language === "java" &&
      /^(?:File|resolve|get)$/.test(call.name) &&
      call.args.some((range) => holdsEntryName(fragment, range));
    if (entry)
      yield seenCall(fragment, call, {
        message: "The archive's own name for a member can lead out of the folder.",
      });
  }
}

function holdsEntryName(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    if (fragment.text(index) === "getName" && /entry/i.test(fragment.text(index - 2))) return true;
  }
  return false;
}
