import type { Language } from "../language.ts";
import { readJava } from "./read-java.ts";
import { javaResolver } from "./resolve-java.ts";

export const java: Language = { name: "java", files: /\.java$/, read: readJava, resolver: javaResolver };
