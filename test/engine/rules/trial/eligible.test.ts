import assert from "node:assert/strict";
import test from "node:test";
import type {
  DrawnSession,
  PromptCounts,
  TrialRow,
} from "../../../../src/engine/ledger/questions/trial-book.ts";
import { bystandersOf, participantsOf, triedIn } from "../../../../src/engine/rules/trial/eligible.ts";

const now = 10_000_000;
const prompts: PromptCounts = {
  completed: 2,
  interrupted: 1,
  failed: 1,
  meanLog: 8,
  squares: 2,
  tokens: 9000,
  heard: 5,
  corrections: 1,
};
const session: DrawnSession = {
  trialId: "t1",
  sessionId: "s1",
  continues: null,
  at: 1000,
  given: '["r1"]',
  withheld: '["r2"]',
  chances: '{"r1":0.9}',
  program: "codex",
  project: "/work",
  branchKind: "trunk",
  hour: 9,
  promptChars: 100,
  deliveredAt: 1001,
  prompts,
  lastAt: 2000,
  hasEnded: true,
  isGolden: false,
};
const noPrompts: PromptCounts = {
  ...prompts,
  completed: 0,
  interrupted: 2,
  failed: 0,
  meanLog: null,
  squares: 0,
};

function why(over: Partial<DrawnSession>) {
  return participantsOf({ drawn: [{ ...session, ...over }] }, now)[0]?.leftOut;
}

test("Figures use sessions that are over, with what was known before their draw", () => {
  const [found] = participantsOf({ drawn: [session] }, now);
  assert.equal(found?.leftOut, null);
  assert.deepEqual(found.tried, {
    known: { place: "codex /work", branchKind: "trunk", promptChars: 100, hour: 9 },
    completed: 2,
    meanLog: 8,
    squares: 2,
    logTotal: Math.log(9000),
    chances: new Map([
      ["r1", 0.9],
      ["r2", 0.5],
    ]),
    undone: 2,
    heard: 5,
    corrections: 1,
    given: new Set(["r1"]),
    withheld: new Set(["r2"]),
  });
});

test("Sessions are left out for reasons that do not depend on what they drew", () => {
  const table = [
    [{ isGolden: true }, "golden"],
    [{ deliveredAt: null }, "late"],
    [{ hasEnded: false, lastAt: now - 1000 }, "running"],
    [{ hasEnded: false, lastAt: null, at: now - 1000 }, "running"],
    [{ hasEnded: false }, null],
    [{ hasEnded: true, lastAt: now - 1000 }, null],
    [{ prompts: noPrompts }, "no_prompt"],
  ] as const;
  for (const [over, reason] of table)
    for (const given of ['["r1"]', "[]"]) assert.equal(why({ ...over, given }), reason, JSON.stringify(over));
});

test("A session of interrupted prompts is left out of savings, and counts for how prompts end", () => {
  const [found] = participantsOf({ drawn: [{ ...session, prompts: noPrompts }] }, now);
  assert.deepEqual([found?.leftOut, found?.tried?.completed, found?.tried?.undone], ["no_prompt", 0, 2]);
  const silent = { ...noPrompts, interrupted: 0 };
  assert.equal(participantsOf({ drawn: [{ ...session, prompts: silent }] }, now)[0]?.tried, null);
});

test("A session and its continuation are one", () => {
  const later = { ...session, sessionId: "s2", continues: "s1", at: 3000, given: "[]" };
  const more: PromptCounts = {
    completed: 2,
    interrupted: 0,
    failed: 0,
    meanLog: 10,
    squares: 0,
    tokens: 1000,
    heard: 3,
    corrections: 2,
  };
  const [found, none] = participantsOf({ drawn: [session, { ...later, prompts: more }] }, now);
  assert.equal(none, undefined);
  assert.deepEqual(found?.prompts, {
    completed: 4,
    interrupted: 1,
    failed: 1,
    meanLog: 9,
    squares: 6,
    tokens: 10_000,
    heard: 8,
    corrections: 3,
  });
  assert.deepEqual(found.given, ["r1"]);
  const [same] = participantsOf({ drawn: [session, { ...later, prompts: noPrompts }] }, now);
  assert.deepEqual([same?.prompts.meanLog, same?.prompts.completed], [8, 2]);
  const running = { ...later, hasEnded: false, lastAt: now - 5 };
  assert.equal(participantsOf({ drawn: [session, running] }, now)[0]?.leftOut, "running");
});

test("Sessions without a draw are listed with the reason, in the trial's folder, for known agents", () => {
  const trial: TrialRow = {
    id: "t1",
    agent: "main",
    project: "/work",
    ruleIds: "[]",
    planned: 200,
    startedAt: 1,
    stoppedAt: null,
    approvedBy: "user",
    holdOut: null,
    switchesOff: false,
    sessions: 0,
  };
  // A linked worktree is part of its project.
  const foldersOf = (folder: string) => ({ folder, project: folder === "/tree" ? "/work" : folder });
  const one = { program: "codex", cwd: "/work/a", firstAt: 5, hasHooks: false, isFork: false };
  const undrawn = [
    { ...one, id: "quiet" },
    { ...one, id: "heard", hasHooks: true },
    { ...one, id: "forked", isFork: true, hasHooks: true },
    { ...one, id: "worktree", cwd: "/tree" },
    { ...one, id: "elsewhere", cwd: "/workshop" },
    { ...one, id: "other system", cwd: "C:\\work" },
    { ...one, id: "nowhere", cwd: null },
  ];
  assert.deepEqual(
    bystandersOf({ trial, undrawn }, foldersOf).map(({ id, leftOut }) => [id, leftOut]),
    [
      ["quiet", "no_hook"],
      ["heard", "not_drawn"],
      ["forked", "fork"],
      ["worktree", "no_hook"],
    ],
  );
  assert.equal(bystandersOf({ trial: { ...trial, project: null }, undrawn }, foldersOf).length, 7);
  assert.deepEqual(bystandersOf({ trial: { ...trial, agent: "scout" }, undrawn }, foldersOf), []);
});

test("Sessions are in the order of their ends, so that none is inserted later", () => {
  const at = { first: 1000, second: 1001, third: 1002 };
  const [first, second, third] = Object.entries(at).map(([sessionId, begun]) => ({
    ...session,
    sessionId,
    at: begun,
    project: sessionId,
  }));
  assert.ok(first && second && third);
  const order = (drawn: readonly DrawnSession[]) =>
    triedIn(participantsOf({ drawn }, now)).map(({ known }) => known.place.split(" ")[1]);
  // The first took longest. Nobody reported the end of the second, which shows only by its silence.
  const silent = { ...second, hasEnded: false, lastAt: 2500 };
  assert.deepEqual(order([{ ...first, lastAt: 3000 }, silent, third]), ["third", "first", "second"]);
  assert.deepEqual(order([first, second, third]), ["first", "second", "third"]);
});
