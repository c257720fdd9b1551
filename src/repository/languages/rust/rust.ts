import type { Language } from "../language.ts";
import { readRust } from "./read-rust.ts";
import { rustResolver } from "./resolve-rust.ts";

export const rust: Language = { name: "rust", files: /\.rs$/, read: readRust, resolver: rustResolver };
