import { wholeNames } from "./whole-names.ts";

wholeNames(["tls-verification-disabled", "path-traversal"]);
