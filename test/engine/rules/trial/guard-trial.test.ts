import assert from "node:assert/strict";
import test from "node:test";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import { planGuards } from "../../../../src/engine/rules/trial/guard-trial.ts";
import type { Trial } from "../../../../src/engine/rules/trial/trial.ts";
import { protectingFamilies, triedFamilies } from "../../../../src/engine/settings/guard.ts";
import { defaults, type Settings } from "../../../../src/engine/settings/shape.ts";

const running: Trial = {
  id: "g1",
  agent: "*",
  project: "/work",
  ruleIds: ["guard:output"],
  planned: 1000,
  startedAt: 1,
  stoppedAt: null,
  approvedBy: "user",
  holdOut: null,
  switchesOff: false,
};

interface Place {
  readonly project?: string | null;
  readonly running?: readonly Trial[];
  readonly programs?: readonly HookProgram[];
  readonly settings?: Partial<Settings>;
}

function plan(guards: readonly string[], place: Place = {}) {
  const { project = null, running: others = [], programs = ["claude-code"], settings = {} } = place;
  const foldersOf = (folder: string) => ({ folder, project: folder });
  const all = { ...defaults, guardMode: "on", continuityCompaction: "on", ...settings } as const;
  return planGuards({ project, planned: 1000 }, guards, {
    running: others,
    programs,
    foldersOf,
    settings: all,
  });
}

function refusal(guards: readonly string[], place: Place = {}): string {
  const planned = plan(guards, place);
  assert.ok(!planned.ok);
  return planned.detail.text;
}

test("Each family whose misses only cost tokens can be tried, alone and together", () => {
  for (const family of triedFamilies) {
    const planned = plan([family]);
    assert.ok(planned.ok);
    assert.deepEqual(planned.value.rules, [{ id: `guard:${family}`, text: family }]);
    assert.equal(planned.value.agent, "*");
  }
  const all = plan([...triedFamilies, "output"]);
  assert.equal(all.ok && all.value.rules.length, triedFamilies.length);
});

test("What protects is never drawn out, and other names are refused with those that can be", () => {
  for (const family of [...protectingFamilies, "budgets"])
    assert.match(refusal(["output", family]), /acts in every session.*a trial takes output, waste/u);
  assert.match(refusal(["verification"]), /cannot take guards named verification; it takes output, waste/u);
  assert.match(refusal([]), /no guards are named/u);
});

test("A family that does not act has nothing to draw", () => {
  const output = refusal(["output"], { settings: { guardFamilies: { output: "observe" } } });
  assert.match(output, /do not act here.*purser guard on --family output/u);
  assert.match(
    refusal(["continuity"], { settings: { continuityCompaction: "observe", continuityStart: "off" } }),
    /turn on the setting continuityCompaction/u,
  );
  assert.match(refusal(["advice"], { settings: { warnAgent: false } }), /turn on the setting warnAgent/u);
});

test("A family is on one trial at a time where folders overlap", () => {
  const others = { running: [running] };
  assert.match(refusal(["output"], others), /trial g1 draws the same guards already; purser trial stop g1/u);
  assert.match(refusal(["output"], { ...others, project: "/work/below" }), /trial g1/u);
  assert.equal(plan(["output"], { ...others, project: "/other" }).ok, true);
  assert.equal(plan(["loops"], others).ok, true);
  const rules = { ...running, agent: "main", project: null, ruleIds: ["r1"] };
  assert.equal(plan(["output"], { running: [rules] }).ok, true, "rules are drawn apart");
});

test("Without an agent that can act, no trial begins", () => {
  assert.match(refusal(["loops"], { programs: [] }), /no agent's hooks reach purser here/u);
  assert.match(refusal(["output"], { project: "here" }), /no absolute path/u);
});
