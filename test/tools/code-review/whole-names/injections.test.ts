import { wholeNames } from "./whole-names.ts";

wholeNames(["unsafe-html", "sql-injection"]);
