import { describe, expect, it } from "vitest";
import { FULL_DISK, MISSING_MODULE, openHealing } from "./healing.ts";

describe("a diagnosis", () => {
  it("is shown with its suggestions, ranked by the outcomes recorded since", async () => {
    const { diagnose, record, send } = await openHealing();
    const { diagnosisId, suggestions, cause } = await diagnose(MISSING_MODULE, { command: "npm test" });
    const show = async () => (await send("GET", `/${diagnosisId}`)).body;
    const shown = await show();
    expect(shown.diagnosis).toMatchObject({ diagnosisId, command: "npm test" });
    expect(shown.diagnosis.cause.message).toBe(cause?.message);
    expect(shown.suggestions).toEqual(suggestions);
    expect(shown.seen).toMatchObject({ count: 1 });
    const last = suggestions.at(-1)?.id as string;
    await record({ diagnosisId, suggestionId: last, outcome: "success" });
    await record({ diagnosisId, fix: "Cleared the cache", outcome: "success" });
    const after = await show();
    const titles = after.suggestions.slice(0, 2).map(({ title }: { title: string }) => title);
    expect(titles).toContain("Cleared the cache");
    expect(after.diagnosis.outcomes).toHaveLength(2);
    expect((await send("GET", "/dia_none")).status).toBe(404);
  });

  it("contains no secret of a command that the log suggests", async () => {
    const { diagnose, send } = await openHealing();
    const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
    const { diagnosisId } = await diagnose(`${MISSING_MODULE}npm install left-pad --token=${secret}\n`);
    expect((await send("GET", `/${diagnosisId}`)).text).not.toContain(secret);
  });

  it("is deleted, with what was learned of its failure if no other diagnosis has it", async () => {
    const { diagnose, record, history, send } = await openHealing();
    const first = await diagnose(FULL_DISK);
    const second = await diagnose(FULL_DISK);
    const { fingerprint } = first;
    await record({ fingerprint, fix: "Freed the disk", outcome: "success" });
    expect((await send("DELETE", `/${first.diagnosisId}`)).body).toEqual({ deleted: first.diagnosisId });
    expect((await send("DELETE", `/${first.diagnosisId}`)).status).toBe(404);
    expect((await history()).items.map(({ diagnosisId }) => diagnosisId)).toEqual([second.diagnosisId]);
    expect((await history("?category=disk_full")).items).toHaveLength(1);
    expect((await send("GET", `/${second.diagnosisId}`)).body.seen).toMatchObject({ count: 1 });
    await send("DELETE", `/${second.diagnosisId}`);
    expect((await history("?category=disk_full")).items).toEqual([]);
    const again = await diagnose(FULL_DISK);
    expect(again.seenBefore).toBeNull();
    expect(again.suggestions.map(({ title }) => title)).not.toContain("Freed the disk");
  });
});
