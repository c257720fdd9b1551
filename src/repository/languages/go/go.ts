import type { Language } from "../language.ts";
import { readGo } from "./read-go.ts";
import { goResolver } from "./resolve-go.ts";

export const go: Language = { name: "go", files: /\.go$/, read: readGo, resolver: goResolver };
