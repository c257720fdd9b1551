import type { Language } from "../language.ts";
import { readCsharp } from "./read-csharp.ts";
import { csharpResolver } from "./resolve-csharp.ts";

export const csharp: Language = {
  name: "csharp",
  files: /\.csx?$/,
  read: readCsharp,
  resolver: csharpResolver,
};
