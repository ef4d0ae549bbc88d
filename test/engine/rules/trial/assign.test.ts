import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import { GuardArms } from "../../../../src/engine/hooks/guard-arms.ts";
import type { TriedFamily } from "../../../../src/engine/settings/guard.ts";
import type { RuleStatus } from "../../../../src/engine/rules/rule.ts";
import {
  TrialAssignment,
  type StartingSession,
  isGiven,
  drawRules,
} from "../../../../src/engine/rules/trial/assign.ts";
import type { Trial } from "../../../../src/engine/rules/trial/trial.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { normalTail } from "../../../../src/engine/verdict/statistics/normal.ts";

const trial: Trial = {
  id: "t1",
  agent: "main",
  project: "/work",
  ruleIds: ["r1", "r2"],
  planned: 200,
  startedAt: 1,
  stoppedAt: null,
  approvedBy: "user",
  holdOut: null,
  switchesOff: false,
};
const starting: StartingSession = {
  id: "s1",
  program: "claude-code",
  agent: "main",
  cwd: "/work",
  source: "startup",
};
const texts: Readonly<Record<string, string>> = { r1: "Read a file once.", r2: "Run one test at a time." };

/** Sessions with their own ledger, in which both rules are approved. */
async function startTrial(t: TestContext) {
  const ledger = await open(t, scratchFolder(t));
  const set = (id: string, status: RuleStatus): LedgerEntry => ({
    kind: "rule",
    id,
    agent: "main",
    body: texts[id] ?? "",
    status,
  });
  await appendEntries(ledger, set("r1", "approved"), set("r2", "approved"));
  const order: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const arms = new GuardArms();
  const acting: TriedFamily[] = ["output", "loops"];
  const clock = { now: new Date(2026, 10, 2, 14).getTime() };
  const make = () =>
    new TrialAssignment({
      ledger: {
        ask: <Name extends QuestionName>(name: Name, params: QuestionParams<Name>) =>
          Promise.resolve(succeed(ledger.ask(name, params))),
        append: (entries) => {
          const done = ledger.append(entries);
          last = done.then(() => order.push("kept"));
          return done;
        },
      },
      arms,
      isActing: (family) => acting.includes(family),
      now: () => clock.now,
      // A linked worktree is part of its project.
      foldersOf: (folder) => ({ folder, project: folder === "/tree" ? "/work" : folder }),
      branchOf: (folder) => (folder === "/work/feature" ? "fix/login" : "main"),
      onProblem: (message) => assert.fail(message),
    });
  const made = make();
  made.set([trial]);
  const begin = async (over: Partial<StartingSession> = {}, of = made) => {
    const given = await of.begin({ ...starting, ...over });
    order.push("handed out");
    given?.delivered();
    await last;
    return given;
  };
  const change = (id: string, status: RuleStatus) => appendEntries(ledger, set(id, status));
  return { ledger, made, make, begin, change, order, clock, arms, acting, settled: () => last };
}

/** Sessions that draw exactly these of the two rules. */
function sessionWith(...ids: readonly string[]): string {
  for (let number = 0; ; number += 1)
    if (trial.ruleIds.every((rule) => isGiven("t1", `s${number}`, rule) === ids.includes(rule)))
      return `s${number}`;
}

test("A session gets its drawn rules, and the draw is in the ledger first, with the known facts", async (t) => {
  const { begin, ledger, order } = await startTrial(t);
  const id = sessionWith("r1");
  const given = await begin({ id, cwd: "/work/feature" });
  assert.equal(given?.text, "Rules of this machine's owner for your work:\n- Read a file once.");
  assert.deepEqual(order.slice(0, 2), ["kept", "handed out"]);
  const [draw] = ledger.ask("drawsOf", id);
  assert.ok(draw !== undefined && draw.deliveredAt !== null);
  const { given: had, withheld, branchKind, hour, project, program } = draw;
  assert.deepEqual(
    [had, withheld, branchKind, hour, project, program],
    ['["r1"]', '["r2"]', "feature", 14, "/work/feature", "claude-code"],
  );
});

test("A session that draws nothing takes part with nothing", async (t) => {
  const { begin, ledger } = await startTrial(t);
  const id = sessionWith();
  assert.equal((await begin({ id }))?.text, null);
  const [draw] = ledger.ask("drawsOf", id);
  assert.deepEqual([draw?.given, draw?.branchKind], ["[]", "trunk"]);
  assert.notEqual(draw?.deliveredAt, null);
});

test("The length of the first prompt is recorded, of no later one", async (t) => {
  const { begin, made, ledger, settled } = await startTrial(t);
  await begin();
  for (const [sessionId, chars] of [
    ["s1", 42],
    ["s1", 7],
    ["other", 9],
  ] as const)
    made.prompts.heard({ sessionId, id: null, chars, corrects: false });
  await settled();
  assert.equal(ledger.ask("drawsOf", "s1")[0]?.promptChars, 42);
  assert.deepEqual(ledger.ask("drawsOf", "other"), []);
});

test("A session keeps its draw when it is resumed or compacted, also by another service", async (t) => {
  const { begin, make, ledger } = await startTrial(t);
  const id = sessionWith("r1", "r2");
  const text = (await begin({ id }))?.text;
  assert.match(text ?? "", /once\.\n- Run/u);
  const next = make();
  next.set([trial]);
  for (const source of ["compact", "resume"])
    assert.equal((await begin({ id, source }, next))?.text, text, source);
  assert.equal(await begin({ id, source: "resume", program: "codex" }, next), null, "it still has the text");
  assert.equal((await begin({ id, source: "compact", program: "codex" }, next))?.text, text);
  assert.equal(ledger.ask("drawsOf", id).length, 1);
});

test("A cleared session continues under a new id with its draw", async (t) => {
  const { begin, made, ledger, clock } = await startTrial(t);
  const first = sessionWith("r2");
  const text = (await begin({ id: first }))?.text;
  made.cleared({ id: first, program: "claude-code", cwd: "/work" });
  const other = sessionWith("r1");
  assert.equal((await begin({ id: other, source: "clear" }))?.text, text);
  assert.equal(ledger.ask("drawsOf", other)[0]?.continues, first);
  made.cleared({ id: other, program: "claude-code", cwd: "/work" });
  assert.equal((await begin({ id: "third", source: "clear" }))?.text, text);
  assert.equal(ledger.ask("drawsOf", "third")[0]?.continues, first, "the first of them all");
  made.cleared({ id: "third", program: "claude-code", cwd: "/work" });
  clock.now += 61_000;
  await begin({ id: "late", source: "clear" });
  assert.equal(ledger.ask("drawsOf", "late")[0]?.continues, null, "a session of its own");
});

test("Sessions from before, elsewhere, of another agent, or continued from another session draw nothing", async (t) => {
  const { begin, made, ledger } = await startTrial(t);
  for (const over of [
    { source: "resume" },
    { source: "compact" },
    { source: "fork" },
    { cwd: "/workshop" },
    { cwd: null },
    { agent: "scout" },
  ])
    assert.equal(await begin(over), null, JSON.stringify(over));
  assert.deepEqual(ledger.ask("drawsOf", "s1"), []);
  assert.equal(made.concerns({ agent: "main", cwd: "/workshop", source: "startup" }), false);
  assert.equal(made.concerns({ agent: "main", cwd: "/work/deep/er", source: "startup" }), true);
  assert.equal(made.concerns({ agent: "main", cwd: "/tree", source: "startup" }), true);
  assert.equal(made.concerns({ agent: "scout", cwd: "/work", source: "startup" }), false);
});

test("A rule that is rejected, evicted, admitted or no longer approved is out at once", async (t) => {
  const { begin, change, ledger } = await startTrial(t);
  const id = sessionWith("r1", "r2");
  await begin({ id });
  for (const status of ["evicted", "active", "candidate"] as const) {
    await change("r1", status);
    assert.doesNotMatch((await begin({ id, source: "compact" }))?.text ?? "", /Read a file/u, status);
    await begin({ id: `new-${status}` });
    const [draw] = ledger.ask("drawsOf", `new-${status}`);
    assert.doesNotMatch(`${draw?.given}${draw?.withheld}`, /r1/u);
  }
  await change("r2", "evicted");
  assert.equal((await begin({ id, source: "compact" }))?.text, null);
  assert.equal(await begin({ id: "nobody" }), null);
  assert.deepEqual(ledger.ask("drawsOf", "nobody"), [], "nothing is left to draw");
});

test("After a trial stopped, or before trials are known, no session gets anything", async (t) => {
  const { begin, made, make, ledger } = await startTrial(t);
  const id = sessionWith("r1");
  await begin({ id });
  made.set([{ ...trial, stoppedAt: 5 }]);
  assert.equal(await begin({ id, source: "compact" }), null);
  assert.equal(await begin({ id: "s9" }), null);
  assert.equal(await begin({ id: "s9" }, make()), null);
  assert.deepEqual(ledger.ask("drawsOf", "s9"), []);
});

test("A hook that comes twice at once gives what the ledger has, also of a cleared session", async (t) => {
  const { made, begin, ledger } = await startTrial(t);
  const first = sessionWith("r2");
  const text = (await begin({ id: first }))?.text;
  made.cleared({ id: first, program: "claude-code", cwd: "/work" });
  const id = sessionWith("r1");
  const again = { ...starting, id, source: "clear" };
  const both = await Promise.all([made.begin(again), made.begin(again)]);
  assert.deepEqual(
    both.flatMap((given) => given?.text ?? []),
    [text],
  );
  assert.deepEqual([ledger.ask("drawsOf", id)[0]?.given, ledger.ask("drawsOf", id).length], ['["r2"]', 1]);
});

test("A session keeps its draw in any folder, and under any later trial", async (t) => {
  const { begin, made } = await startTrial(t);
  const id = sessionWith("r1");
  const text = (await begin({ id }))?.text;
  const compacted = { id, cwd: "/elsewhere", source: "compact" };
  assert.ok(made.concerns({ agent: "main", ...compacted }));
  assert.equal((await begin(compacted))?.text, text);
  made.set([{ ...trial, id: "t2", project: null, startedAt: 2 }, trial]);
  assert.equal((await begin({ id, source: "compact" }))?.text, text);
  assert.equal(await begin({ id, source: "compact", agent: "scout" }), null);
});

const sessions = Array.from({ length: 4000 }, (_, index) => `0198-session-${index}`);
/** A count of so many fair coins lies within this many standard deviations but for one of 30 million draws. */
const tolerance = 5.5;

function standardized(count: number, of: number): number {
  return (count - of / 2) / Math.sqrt(of / 4);
}

test("A session draws the same rules again, whatever else is on trial", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.uniqueArray(fc.string()), (trial, session, ids) => {
      const chances = new Map(ids.map((id) => [id, 0.5]));
      const drawn = drawRules(trial, session, chances);
      assert.deepEqual(drawRules(trial, session, chances), drawn);
      assert.deepEqual([...drawn.given, ...drawn.withheld].sort(), [...ids].sort());
      for (const id of ids) assert.equal(isGiven(trial, session, id), drawn.given.includes(id));
    }),
  );
});

test("Half of the sessions draw a rule, and two rules or two trials have nothing to do with each other", () => {
  assert.ok(normalTail(tolerance) < 1 / 3e7);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (trial, other, one, two) => {
      fc.pre(one !== two && trial !== other);
      const had = sessions.map((session) => isGiven(trial, session, one));
      const same = (of: (session: string) => boolean) =>
        sessions.filter((session, index) => had[index] === of(session)).length;
      for (const count of [
        had.filter(Boolean).length,
        same((session) => isGiven(trial, session, two)),
        same((session) => isGiven(other, session, one)),
      ])
        assert.ok(Math.abs(standardized(count, sessions.length)) < tolerance, `${count} of 4000`);
    }),
    { numRuns: 20 },
  );
});

test("Concatenated ids are kept apart", () => {
  const pairs = sessions.map((session) => [isGiven("a", `b${session}`, "c"), isGiven("ab", session, "c")]);
  assert.ok(pairs.some(([one, other]) => one !== other));
});

test("A draw matches its description: a bit of a hash that anybody can repeat", () => {
  // printf '["t1","s1","r1"]' | sha256sum starts with 06, with r2 a2, r3 93 and r4 e7.
  assert.deepEqual(
    ["r1", "r2", "r3", "r4"].map((rule) => isGiven("t1", "s1", rule)),
    [false, false, true, true],
  );
});

const guards: Trial = {
  ...trial,
  id: "g1",
  agent: "*",
  project: null,
  ruleIds: ["guard:output", "guard:loops", "guard:facts"],
};

test("A session draws which guards act, of those that act by their settings, whatever agent it is", async (t) => {
  const { begin, made, ledger, arms, acting } = await startTrial(t);
  made.set([guards]);
  assert.equal(made.concerns({ agent: "reviewer", cwd: "/anywhere", source: "startup" }), true);
  const observing = new Set<string>();
  for (let number = 0; number < 40; number += 1) {
    const id = `s${number}`;
    const given = await begin({ id, agent: "reviewer", program: "codex" });
    assert.equal(given?.text, null);
    for (const family of ["output", "loops"]) {
      const isActing = isGiven("g1", id, `guard:${family}`);
      assert.equal(arms.isObserving(id, family), !isActing);
      if (!isActing) observing.add(family);
    }
    assert.equal(arms.isObserving(id, "facts"), false, "it does not act");
    assert.notEqual(ledger.ask("drawsOf", id)[0]?.deliveredAt, null);
  }
  assert.deepEqual([...observing].toSorted(), ["loops", "output"]);
  assert.equal(arms.isObserving("unknown", "output"), false);
  acting.length = 0;
  assert.equal(await begin({ id: "later" }), null);
  assert.deepEqual(ledger.ask("drawsOf", "later"), []);
});

/** A session that a draw lets only observe. */
function observer(family: string): string {
  return ["a", "b", "c", "d", "e", "f", "g", "h"].find((id) => !isGiven("g1", id, family)) ?? "";
}

test("VS Code's own chat takes no other outputs, so it draws nothing for them", async (t) => {
  const { begin, made, ledger } = await startTrial(t);
  made.set([guards]);
  await begin({ id: "s1", program: "vscode" });
  const [draw] = ledger.ask("drawsOf", "s1");
  assert.ok(draw !== undefined && !`${draw.given}${draw.withheld}`.includes("output"));
});

test("A draw of guards outlives the service, and ends with its trial", async (t) => {
  const { begin, made, make, ledger, arms } = await startTrial(t);
  made.set([guards]);
  const id = observer("guard:output");
  await begin({ id });
  assert.equal(arms.isObserving(id, "output"), true);
  arms.keep([]);
  assert.equal(arms.isObserving(id, "output"), false, "not running");
  const next = make();
  next.set([guards]);
  next.restore(ledger.ask("deliveredDraws", "g1"));
  assert.equal(arms.isObserving(id, "output"), true);
  next.set([{ ...guards, stoppedAt: 9 }]);
  assert.equal(arms.isObserving(id, "output"), false, "stopped");
});

test("A session with an answer too late acts as usual, also when it is resumed", async (t) => {
  const { made, begin, ledger, arms } = await startTrial(t);
  made.set([guards]);
  const id = observer("guard:output");
  await made.begin({ ...starting, id });
  assert.equal(arms.isObserving(id, "output"), false);
  await begin({ id, source: "resume" });
  assert.equal(arms.isObserving(id, "output"), false);
  assert.deepEqual(ledger.ask("deliveredDraws", "g1"), []);
});

test("A cleared session keeps its guards, and one of a rule's trial too draws both apart", async (t) => {
  const { made, begin, ledger, arms } = await startTrial(t);
  made.set([guards, trial]);
  const id = observer("guard:loops");
  await begin({ id });
  assert.deepEqual(
    ledger
      .ask("drawsOf", id)
      .map(({ trialId }) => trialId)
      .toSorted(),
    ["g1", "t1"],
  );
  made.prompts.heard({ sessionId: id, id: null, chars: 42, corrects: false });
  made.cleared({ id, program: "claude-code", cwd: "/work" });
  await begin({ id: "next", source: "clear" });
  assert.equal(arms.isObserving("next", "loops"), true);
  assert.deepEqual(
    ledger.ask("drawsOf", "next").map(({ continues }) => continues),
    [id, id],
  );
  assert.deepEqual(
    ledger.ask("drawsOf", id).map(({ promptChars }) => promptChars),
    [42, 42],
  );
});
