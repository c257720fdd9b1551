import { Problem } from "../../../contract/problem.ts";
import { CATEGORIES } from "../../../tools/self-healing/categories.ts";
import type { selfHealingContract } from "../../../tools/self-healing/contract.ts";
import { titled } from "../../format.ts";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Section } from "../frame/section.ts";
import { DiagnosisList, Filter, NoDiagnoses, PATH } from "./list.tsx";
import { OneDiagnosis } from "./one.tsx";

export type ProjectDiagnoses = Pick<
  EndpointCalls<typeof selfHealingContract>,
  "history" | "show" | "record" | "delete"
>;

const ON_CARD = 3;
const ON_PAGE = 50;

/** Creates the section of diagnoses: why builds failed, what was suggested, and what helped. */
export function diagnosesSection(diagnoses: ProjectDiagnoses): Section {
  return {
    path: PATH,
    title: "Diagnoses",
    group: "Tools",
    async card(view) {
      const { items } = await diagnoses.history({ limit: ON_CARD }, view);
      return items.length === 0 ? <NoDiagnoses view={view} /> : <DiagnosisList items={items} view={view} />;
    },
    async page(view) {
      const diagnosisId = queryParam(view, "id");
      if (diagnosisId !== undefined) {
        const shown = await diagnoses.show({ diagnosisId }, view);
        const { cause, category } = shown.diagnosis;
        return (
          <Titled name={cause ? titled(category) : "Nothing failed"}>
            <OneDiagnosis {...shown} view={view} />
          </Titled>
        );
      }
      const category = choice(view, "category", CATEGORIES);
      const question = { category, limit: ON_PAGE, cursor: queryParam(view, "after") };
      const found = await diagnoses.history(question, view);
      if (found.items.length === 0 && category === undefined) return <NoDiagnoses view={view} />;
      return (
        <>
          <Filter view={view} />
          <Live name="diagnoses" className="stack">
            <DiagnosisList {...found} view={view} paged />
          </Live>
        </>
      );
    },
    actions: {
      async delete(view, form) {
        await diagnoses.delete({ diagnosisId: form.get("id") ?? "" }, view);
        return { said: "The diagnosis is deleted.", next: addressOf(view, PATH) };
      },
      async record(view, form) {
        const outcome = (["success", "failure"] as const).find((each) => each === form.get("outcome"));
        if (!outcome) throw new Problem("invalid_request", "Say whether it worked.");
        const text = (name: string) => form.get(name)?.trim() || undefined;
        const tried = { suggestionId: text("suggestion"), fix: text("fix"), note: text("note") };
        await diagnoses.record({ diagnosisId: form.get("id") ?? "", outcome, ...tried }, view);
        return {
          said:
            outcome === "success"
              ? "Recorded that it worked: it is suggested first from now on."
              : "Recorded that it did not work: it is suggested later from now on.",
        };
      },
    },
  };
}
