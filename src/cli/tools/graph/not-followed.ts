import type { NotFollowed } from "../../../repository/not-followed.ts";
import { count } from "../../ui/format.ts";

/** Returns a text such as `Not followed: Ruby (12 files), PHP (1 file)`. */
export function notFollowedLine(languages: readonly NotFollowed[]): string {
  const each = languages.map(({ language, files }) => `${language} (${count(files, "file")})`);
  return `Not followed: ${each.join(", ")}`;
}

/** Returns the sentence about a directory without a file of the languages that are followed. */
export function nothingFollowed(directory: string): string {
  return `${directory} has no file of JavaScript, TypeScript, Python, Go, Rust, Java, Kotlin, Scala, C#, PHP, Ruby, Swift, Dart, C or C++.`;
}

/** Returns `Ruby is not followed`, or, for a language without a name, the extension: `.css is not followed`. */
export function isNotFollowed(language: string): string {
  return `${language} ${language.endsWith("s") ? "are" : "is"} not followed`;
}
