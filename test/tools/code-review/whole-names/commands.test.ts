import { wholeNames } from "./whole-names.ts";

wholeNames(["unsafe-deserialization", "command-injection"]);
