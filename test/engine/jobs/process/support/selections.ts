import assert from "node:assert/strict";
import { isUnderWay } from "../../../../../src/engine/jobs/compare-answers.ts";
import type { JobOrder, JobView } from "../../../../../src/engine/jobs/bench-answers.ts";
import { breaking, saving } from "../../../cli/rules/select-suite.ts";
import type { makeJobSetup } from "../../../service/support/job-place.ts";

export type Setup = Awaited<ReturnType<typeof makeJobSetup>>;
export type Jobs = ReturnType<Setup["serve"]>;

export const free = { model: null, effort: null, driver: "replay", parallel: 2, tokenCap: null } as const;
export const isOver = ({ state }: JobView) => !isUnderWay(state);

export function begin(jobs: Jobs, ask: JobOrder): string {
  const started = jobs.start({ ask, env: {}, project: null });
  if (!started.ok) throw new Error(started.detail.text);
  return started.value.id;
}

/** @returns ids of two approved rules: one that saves and one that breaks a task */
export async function approvedRules({ rules, root }: Setup): Promise<[string, string]> {
  const proposed = await rules.proposeAll(
    [saving, breaking].map((rule) => ({
      agent: "backend",
      text: rule,
      origin: "hand",
      source: null,
      replaces: null,
    })),
  );
  const [good = "", bad = ""] = proposed.ok ? proposed.value.proposed.map(({ id }) => id ?? "") : [];
  for (const id of [good, bad]) assert.ok((await rules.perform(id, { kind: "approve" }, root)).ok);
  return [good, bad];
}

export function selectAsk({ suite }: Setup) {
  return {
    kind: "select",
    suite,
    agent: "backend",
    ruleIds: null,
    audits: 1,
    grade: "proved",
    ...free,
  } as const;
}

export function settledOf({ selection }: JobView) {
  return selection?.rules.map(({ ruleId, state, status, result }) => [
    ruleId,
    state,
    status,
    result?.decision,
  ]);
}

/** Identifies each run; no two runs may share one. */
export function places({ runs }: JobView): string[] {
  return runs.map(({ benchId, side, taskId, round }) => `${benchId} ${round} ${taskId} ${side}`);
}

export function assertOnce(job: JobView): void {
  assert.equal(new Set(places(job)).size, job.runs.length, "a run was made twice");
}
