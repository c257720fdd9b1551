import type { Language } from "../language.ts";
import { readC } from "./read-c.ts";
import { cResolver } from "./resolve-c.ts";

/** C and C++, whose headers have the same name, and what builds make headers of. */
export const c: Language = {
  name: "c",
  files:
    /\.(?:[ch]|cc|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|cppm|cxxm|ccm|ixx|inl|ipp|tpp|tcc|cu|cuh)(?:\.(?:in|cmake|cmakein|meson))?$/,
  read: readC,
  resolver: cResolver,
};
