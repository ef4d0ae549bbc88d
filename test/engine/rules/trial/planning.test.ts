import assert from "node:assert/strict";
import test from "node:test";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import type { RuleStatus } from "../../../../src/engine/rules/rule.ts";
import { missingIn, planTrial, type AskedTrial } from "../../../../src/engine/rules/trial/planning.ts";
import { isWithin, type Trial } from "../../../../src/engine/rules/trial/trial.ts";
import { rule } from "../support/support.ts";

const statuses: readonly RuleStatus[] = ["candidate", "approved", "measured", "active", "shelved", "evicted"];
const rules = [
  ...statuses.map((status) => rule({ id: `r-${status}`, agent: "main", status })),
  rule({ id: "r-scout", agent: "scout", status: "approved" }),
];
const asked: AskedTrial = { agent: "main", project: "/work", ruleIds: null, planned: 200 };

interface Place {
  readonly programs?: readonly HookProgram[];
  readonly running?: readonly Trial[];
  readonly known?: typeof rules;
}

function planned(over: Partial<AskedTrial>, place: Place = {}) {
  const { programs = ["claude-code"], running = [], known = rules } = place;
  // A linked worktree is part of its project.
  const foldersOf = (folder: string) => ({ folder, project: folder === "/tree" ? "/work" : folder });
  return planTrial({ ...asked, ...over }, { rules: known, running, programs, foldersOf });
}

function refused(over: Partial<AskedTrial>, place: Place = {}): string {
  const plan = planned(over, place);
  return plan.ok ? "not refused" : plan.detail.text;
}

test("A trial takes all approved rules of its agent, or those that are named", () => {
  const all = planned({});
  assert.ok(all.ok);
  assert.deepEqual(
    all.value.rules.map(({ id }) => id),
    ["r-approved", "r-measured"],
  );
  const named = planned({ ruleIds: ["r-sh", "r-shelved", "r-approved"] });
  assert.deepEqual(named.ok && named.value.rules.map(({ id }) => id), ["r-shelved", "r-approved"]);
});

test("No rule is tried without its owner's approval, or if it is in a memory", () => {
  assert.match(refused({ ruleIds: ["r-candidate"] }), /not approved; purser rules approve r-candidate/u);
  assert.match(refused({ ruleIds: ["r-active"] }), /memory already/u);
  assert.match(refused({ ruleIds: ["r-evicted"] }), /evicted; purser rules approve r-evicted/u);
  assert.match(refused({ ruleIds: ["r-scout"] }), /no rule r-scout of main; purser rules list/u);
  assert.match(refused({ agent: "nobody" }), /nobody has no approved rule/u);
  assert.match(refused({ ruleIds: [] }), /no approved rule/u);
  const many = Array.from({ length: 16 }, (_, index) =>
    rule({ id: `r${index}`, agent: "main", status: "approved" }),
  );
  assert.match(refused({}, { known: many }), /16 rules are too many.*at most 15/u);
});

test("A trial starts only if hooks give sessions their rules, and lists what is missing", () => {
  assert.match(refused({}, { programs: [] }), /no agent's hooks reach purser.*purser hooks install/u);
  const scout = { agent: "scout" };
  assert.match(
    refused(scout, { programs: ["codex", "gemini"] }),
    /only Claude Code tells.*purser hooks install,/u,
  );
  const plan = planned(scout, { programs: ["codex", "claude-code"] });
  assert.deepEqual(plan.ok && plan.value.programs, ["claude-code"]);
  assert.equal(missingIn("main", ["codex"]), null);
});

test("No session is in two trials", () => {
  const running: Trial = {
    ...asked,
    id: "t9",
    ruleIds: [],
    startedAt: 1,
    stoppedAt: null,
    approvedBy: "user",
    holdOut: null,
    switchesOff: false,
  };
  for (const project of ["/work", "/work/deep", "/", null])
    assert.match(
      refused({ project }, { running: [running] }),
      /trial t9.*purser trial stop t9/u,
      String(project),
    );
  assert.match(refused({ project: "/tree" }, { running: [running] }), /trial t9/u, "a linked worktree of it");
  const ofTree = { ...running, project: "/tree" };
  assert.match(refused({ project: "/work" }, { running: [ofTree] }), /trial t9/u, "what it is a worktree of");
  assert.ok(planned({ project: "/work/deep" }, { running: [ofTree] }).ok);
  assert.ok(planned({ project: "/workshop" }, { running: [running] }).ok);
  assert.ok(planned({ agent: "scout" }, { running: [running] }).ok);
  assert.match(refused({ project: "work" }), /no absolute path/u);
});

test("A folder is within itself and those above it", () => {
  const table = [
    ["/work", "/work", true],
    ["/work/a/b", "/work", true],
    ["/work/..a", "/work", true],
    ["/workshop", "/work", false],
    ["/", "/work", false],
    ["/work/a", "/work/b", false],
  ] as const;
  for (const [folder, outer, isIn] of table)
    assert.equal(isWithin(folder, outer), isIn, `${folder} in ${outer}`);
});
