import { jvmResolver } from "../classes/resolve-jvm.ts";
import type { Language } from "../language.ts";
import { readScala } from "./read-scala.ts";

export const scala: Language = {
  name: "scala",
  files: /\.(?:scala|sc)$/,
  programs: ["scala", "scala-cli"],
  read: readScala,
  resolver: jvmResolver,
};
