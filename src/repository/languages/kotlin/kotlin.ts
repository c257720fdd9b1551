import { jvmResolver } from "../classes/resolve-jvm.ts";
import type { Language } from "../language.ts";
import { readKotlin } from "./read-kotlin.ts";

export const kotlin: Language = { name: "kotlin", files: /\.kts?$/, read: readKotlin, resolver: jvmResolver };
