import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { isDecorated } from "./decorated.ts";
import { isOfForm } from "./forms.ts";
import { isOfGrape } from "./grape-params.ts";
import { isOfRules } from "./laravel-rules.ts";
import { isOfModel } from "./models.ts";
import { isValidated } from "./schemas/validated.ts";

/** How a program declares what it takes: a framework or library then refuses what does not fit. */
const DECLARED = [isValidated, isDecorated, isOfModel, isOfForm, isOfRules, isOfGrape];

/** Whether an expression is what the program has declared to be no free text, and so checked, wherever it comes from. */
export function isChecked(fragment: Fragment, range: Range): boolean {
  return DECLARED.some((isOf) => isOf(fragment, range));
}
