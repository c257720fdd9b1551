import type { Language } from "../language.ts";
import { readPhp } from "./read-php.ts";
import { phpResolver } from "./resolve-php.ts";

export const php: Language = {
  name: "php",
  files: /\.(?:php|phtml)$/,
  programs: ["php"],
  read: readPhp,
  resolver: phpResolver,
};
