import { jvmResolver } from "../classes/resolve-jvm.ts";
import type { Language } from "../language.ts";
import { readJava } from "./read-java.ts";

export const java: Language = { name: "java", files: /\.java$/, read: readJava, resolver: jvmResolver };
