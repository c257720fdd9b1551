import type { Language } from "../language.ts";
import { readDart } from "./read-dart.ts";
import { dartResolver } from "./resolve-dart.ts";

export const dart: Language = {
  name: "dart",
  files: /\.dart$/,
  programs: ["dart"],
  read: readDart,
  resolver: dartResolver,
};
