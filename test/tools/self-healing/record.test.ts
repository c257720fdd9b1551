import { describe, expect, it } from "vitest";
import { FULL_DISK, MISSING_MODULE, openService } from "./healing.ts";

describe("recorded outcomes", () => {
  it("move a suggestion that worked to the front, for its failure and its category", async () => {
    const { diagnose, record, suggested } = await openService();
    const { diagnosisId, fingerprint, suggestions } = await diagnose(MISSING_MODULE);
    const last = suggestions.at(-1)?.id as string;
    const recorded = await record({ diagnosisId, suggestionId: last, outcome: "success", note: "at last" });
    expect(recorded).toMatchObject({
      fingerprint,
      category: "dependency_resolution",
      outcome: "success",
      suggestion: { id: last, attempts: 1, successRate: { low: expect.any(Number) } },
    });
    expect((await suggested(MISSING_MODULE))[0]).toBe(last);
    expect((await suggested("Error: Cannot find module 'right-pad'\n"))[0]).toBe(last);
    const { seenBefore } = await diagnose(MISSING_MODULE);
    expect(seenBefore?.lastFix).toMatchObject({ suggestionId: last });
  });

  it("move a fix that stops working behind untried ones", async () => {
    const { diagnose, record, suggested } = await openService();
    const { fingerprint, suggestions } = await diagnose(FULL_DISK);
    const [first = "", second = ""] = suggestions.map(({ id }) => id);
    for (let times = 0; times < 3; times++)
      await record({ fingerprint, suggestionId: second, outcome: "success" });
    expect((await suggested(FULL_DISK)).slice(0, 2)).toEqual([second, first]);
    for (let times = 0; times < 9; times++)
      await record({ fingerprint, suggestionId: second, outcome: "failure" });
    const after = await diagnose(FULL_DISK);
    expect(after.suggestions.map(({ id }) => id).indexOf(second)).toBe(after.suggestions.length - 1);
    expect(after.suggestions.at(-1)?.attempts).toBe(12);
    expect(after.seenBefore?.lastFix).toMatchObject({ suggestionId: second });
  });

  it("add a successful fix in free text to the suggestions for its failure", async () => {
    const { diagnose, record } = await openService();
    const { diagnosisId, fingerprint } = await diagnose(FULL_DISK);
    const fix = "Removed  the old images on ci-3";
    const { suggestion } = await record({ diagnosisId, fix, outcome: "success" });
    expect(suggestion).toMatchObject({ title: fix, kind: "edit" });
    const { suggestions, seenBefore } = await diagnose(FULL_DISK);
    expect(suggestions[0]).toMatchObject({ id: suggestion?.id, title: fix, attempts: 1 });
    expect(seenBefore?.lastFix?.title).toBe(fix);
    await record({ fingerprint, suggestionId: suggestion?.id, outcome: "failure" });
    await record({ fingerprint, fix: fix.toUpperCase(), outcome: "failure" });
    expect((await diagnose(FULL_DISK)).suggestions.find(({ id }) => id === suggestion?.id)?.attempts).toBe(3);
    expect((await diagnose(MISSING_MODULE)).suggestions.map(({ id }) => id)).not.toContain(suggestion?.id);
  });

  it("keep the twenty fixes in free text that worked last, also one that was first recorded long before", async () => {
    const { diagnose, record, suggested } = await openService();
    const { fingerprint } = await diagnose(FULL_DISK);
    const worked = (fix: string) => record({ fingerprint, fix, outcome: "success" });
    const first = (await worked("Emptied /tmp")).suggestion?.id as string;
    for (let at = 1; at < 20; at++) await worked(`Removed log ${at}`);
    await record({ fingerprint, suggestionId: first, outcome: "success" });
    await worked("Bought a disk");
    expect((await suggested(FULL_DISK))[0]).toBe(first);
  });

  it("keep free text about a known suggestion as the last fix, not as a new suggestion", async () => {
    const { diagnose, record } = await openService();
    const { fingerprint, suggestions } = await diagnose(FULL_DISK);
    const [first] = suggestions;
    const fix = "Pruned on ci-3, as it says";
    await record({ fingerprint, suggestionId: first?.id, fix, outcome: "success" });
    const after = await diagnose(FULL_DISK);
    expect(after.seenBefore?.lastFix).toMatchObject({ title: fix, suggestionId: first?.id });
    expect(after.suggestions.map(({ id }) => id).sort()).toEqual(suggestions.map(({ id }) => id).sort());
    expect(after.suggestions[0]?.title).toBe(first?.title);
  });

  it("do not make a failed fix in free text a suggestion or the last fix", async () => {
    const { diagnose, record } = await openService();
    const { fingerprint } = await diagnose(FULL_DISK);
    await record({ fingerprint, fix: "Removed the old images", outcome: "success" });
    await record({ fingerprint, fix: "Turned it off and on", outcome: "failure" });
    const { suggestions, seenBefore } = await diagnose(FULL_DISK);
    expect(suggestions.map(({ title }) => title)).toContain("Removed the old images");
    expect(suggestions.map(({ title }) => title)).not.toContain("Turned it off and on");
    expect(seenBefore?.lastFix?.title).toBe("Removed the old images");
  });

  it("are all counted when recorded concurrently", async () => {
    const { diagnose, record } = await openService();
    const { fingerprint, suggestions } = await diagnose(FULL_DISK);
    const suggestionId = suggestions[0]?.id;
    await Promise.all(
      Array.from({ length: 20 }, () => record({ fingerprint, suggestionId, outcome: "success" })),
    );
    expect((await diagnose(FULL_DISK)).suggestions[0]?.attempts).toBe(20);
  });

  it("are refused for an unknown suggestion and for a diagnosis without a failure", async () => {
    const { diagnose, record } = await openService();
    const { diagnosisId } = await diagnose(FULL_DISK);
    await expect(record({ diagnosisId, suggestionId: "pray", outcome: "success" })).rejects.toMatchObject({
      error: "unprocessable",
      detail: expect.stringContaining("pray"),
    });
    const passed = await diagnose("31 passed in 1.2s\n");
    await expect(record({ diagnosisId: passed.diagnosisId, outcome: "success" })).rejects.toMatchObject({
      error: "not_found",
      detail: expect.stringContaining("found no failure"),
    });
  });
});

describe("the history", () => {
  it("lists diagnoses newest first, page by page, with their outcomes", async () => {
    const { diagnose, record, history } = await openService();
    const ids = [];
    for (const log of [MISSING_MODULE, FULL_DISK, "31 passed in 1.2s\n", FULL_DISK])
      ids.unshift((await diagnose(log, { command: "make" })).diagnosisId);
    await record({ diagnosisId: ids[2], fix: "made room", outcome: "success", note: "by hand" });
    const pages = [];
    for (let cursor = ""; ; ) {
      const { items, nextCursor } = await history(`?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(items);
      if (!nextCursor) break;
      cursor = nextCursor;
    }
    expect(pages.map((page) => page.map(({ diagnosisId }) => diagnosisId))).toEqual([
      ids.slice(0, 3),
      ids.slice(3),
    ]);
    const [, passed, recorded] = pages[0] ?? [];
    expect(passed).toMatchObject({ category: "unknown", cause: null });
    expect(recorded).toMatchObject({
      category: "disk_full",
      command: "make",
      cause: { logLine: 1, message: FULL_DISK.trim() },
      outcomes: [{ outcome: "success", fix: "made room", note: "by hand" }],
    });
    expect(recorded?.cause).not.toHaveProperty("excerpt");
  });

  it("lists the diagnoses of one category, page by page", async () => {
    const { diagnose, history } = await openService();
    const ids = [];
    for (const log of [FULL_DISK, MISSING_MODULE, FULL_DISK, FULL_DISK]) {
      const { diagnosisId, category } = await diagnose(log);
      if (category === "disk_full") ids.unshift(diagnosisId);
    }
    const first = await history("?category=disk_full&limit=2");
    expect(first.items.map(({ diagnosisId }) => diagnosisId)).toEqual(ids.slice(0, 2));
    const second = await history(`?category=disk_full&limit=2&cursor=${first.nextCursor}`);
    expect(second.items.map(({ diagnosisId }) => diagnosisId)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeUndefined();
    expect((await history("?category=timeout")).items).toEqual([]);
  });

  it("contains no secret of the log or the command", async () => {
    const { diagnose, history } = await openService();
    const secret = `gh${"p_"}${"a1B2".repeat(9)}`;
    await diagnose(`fatal: Authentication failed for token ${secret}\n`, {
      command: `git push https://bot:${secret}@git.acme.test`,
      exitCode: 128,
    });
    expect(JSON.stringify(await history())).not.toContain(secret);
  });
});
