import type { Language } from "../language.ts";
import { readPython } from "./read-python.ts";
import { pythonResolver } from "./resolve-python.ts";

export const python: Language = {
  name: "python",
  files: /\.pyi?$/,
  programs: ["python", "pypy"],
  read: readPython,
  resolver: pythonResolver,
};
