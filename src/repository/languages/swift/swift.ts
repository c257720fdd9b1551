import type { Language } from "../language.ts";
import { readSwift } from "./read-swift.ts";
import { swiftResolver } from "./resolve-swift.ts";

export const swift: Language = {
  name: "swift",
  files: /\.swift$/,
  programs: ["swift"],
  read: readSwift,
  resolver: swiftResolver,
};
