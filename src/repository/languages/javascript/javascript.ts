import type { Language } from "../language.ts";
import { readJavascript, readJavascriptImports } from "./read-javascript.ts";
import { javascriptResolver } from "./resolve-javascript.ts";

export const javascript: Language = {
  name: "javascript",
  files: /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|astro)$/,
  programs: ["node", "nodejs", "deno", "bun", "tsx", "ts-node"],
  read: readJavascript,
  readImports: readJavascriptImports,
  resolver: javascriptResolver,
};
