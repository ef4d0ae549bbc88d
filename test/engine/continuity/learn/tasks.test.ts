import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { learnConventions } from "../../../../src/engine/continuity/learn/conventions.ts";
import { buildDeadEndMemory } from "../../../../src/engine/continuity/learn/dead-ends.ts";
import {
  factsIn,
  factsText,
  inOrder,
  readFacts,
  window,
  type SessionFacts,
} from "../../../../src/engine/continuity/learn/fact.ts";
import { learnRepairPatterns } from "../../../../src/engine/continuity/learn/repairs.ts";
import { learnSequences } from "../../../../src/engine/continuity/learn/sequences.ts";
import type { Conclusion, LearnTask } from "../../../../src/engine/continuity/learn/task.ts";
import type { SessionFactsRow } from "../../../../src/engine/ledger/learned.ts";
import { PastSession, project, readLine, storyOf } from "../past-session.ts";
import { Story } from "../../../../src/engine/continuity/story/story.ts";

/** Facts of one task from sessions, the newest first. */
function found(task: LearnTask, sessions: readonly PastSession[]): SessionFacts[] {
  return sessions.map(({ events }, index) => {
    const fold = task.observe?.();
    assert.ok(fold !== undefined);
    const story = new Story({ readLine, rootOf: () => project });
    for (const event of events)
      fold.add({ event, action: story.add(event), turn: story.turns, root: project });
    const packet = storyOf(events).packet({ sessionId: "s", agent: "codex", folder: project, commit: null });
    return { sessionId: `s${sessions.length - index}`, at: 1000 - index, facts: fold.facts(packet) };
  });
}

function texts(task: LearnTask, sessions: readonly PastSession[]): string[] {
  const all = task.conclude?.(found(task, sessions), project) ?? [];
  return all.map((each) => (each.kind === "working-set" ? each.path : each.text));
}

test("A sequence is reported if checks pass after it more often than by chance", () => {
  /** Tests pass after the fixture was created again, and otherwise one time in four. */
  const session = (from: number) => {
    const made = new PastSession(`q${from}`).prompt("mend the tests");
    for (let n = from; n < from + 8; n += 1) {
      const isFresh = n % 2 === 0;
      made.edit("src/basket.ts", [`a${n}`, `b${n}`]);
      if (isFresh) made.run("make fixture");
      const passes = isFresh || n % 8 === 1;
      made.run("npm test", passes ? "ok" : "not ok 1 - sums", !passes);
    }
    return made;
  };
  assert.deepEqual(texts(learnSequences, [session(0), session(8), session(16), session(24)]), [
    "test passes more often after edit .ts, then run make fixture: 100% of 16 times, against 63% of 32",
  ]);
  assert.deepEqual(texts(learnSequences, [session(0)]), [], "one session shows no habit");
});

test("If checks pass only by chance, a sequence is reported in at most one of twenty projects", () => {
  let projects = 0;
  let found = 0;
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let run = 0; run < 40; run += 1) {
    const sessions = Array.from({ length: 5 }, (_, each) => {
      const made = new PastSession(`r${each}`).prompt("work");
      for (let n = 0; n < 8; n += 1) {
        for (let step = 0; step < 3; step += 1) {
          if (random() < 0.5)
            made.edit(random() < 0.5 ? "src/a.ts" : "src/b.py", [`a${n}${step}`, `b${n}${step}`]);
          else made.run(random() < 0.5 ? "make x" : "npm install x");
        }
        const passes = random() < 0.5;
        made.run("npm test", passes ? "ok" : "not ok", !passes);
      }
      return made;
    });
    projects += 1;
    if (texts(learnSequences, sessions).length > 0) found += 1;
  }
  assert.ok(found <= projects / 20, `${found} of ${projects}`);
});

test("A repair is not reported if the error came back after it", () => {
  const session = (comesBack: boolean) => {
    const made = new PastSession("r").prompt("mend it");
    for (let n = 0; n < 3; n += 1) {
      made.run("npx tsc", "error TS2307: Cannot find module 'zod'.", true);
      made.run(n % 2 === 0 ? "npm install zod" : "npm cache clean");
      made.run("npx tsc", "");
      if (!comesBack) break;
    }
    return made.run("npx tsc", comesBack ? "error TS2307: Cannot find module 'zod'." : "", comesBack);
  };
  assert.deepEqual(texts(learnRepairPatterns, [session(true)]), []);
  assert.deepEqual(texts(learnRepairPatterns, [session(false)]), [
    "“error TS2307: Cannot find module 'zod'.” (tsc) was gone after: npm install zod",
  ]);
});

test("A dead end that works in a later session is dropped; one that worked earlier stays", () => {
  const fails = () => {
    const made = new PastSession("d").prompt("deploy it");
    return made.run("make deploy", "Error: no host", true).run("make deploy", "Error: no host", true);
  };
  const works = () => new PastSession("d").prompt("deploy it").run("make deploy", "done");
  assert.deepEqual(texts(buildDeadEndMemory, [works(), fails()]), []);
  assert.deepEqual(texts(buildDeadEndMemory, [fails(), works()]), ["make deploy: Error: no host"]);
});

test("Conventions are reported if four of five cases follow them", () => {
  const session = (names: readonly string[], message: string) => {
    const made = new PastSession("c").prompt("go on");
    for (const name of names) made.edit(name, [name, `${name}!`]);
    return made.run(`git commit -m "${message}"`);
  };
  const kebab = ["src/a-b.ts", "src/c-d.ts", "test/a-b.test.ts", "src/one.ts"];
  const other = ["lib/aB.ts", "lib/cD.ts"];
  const usual = [
    session(kebab, "feat: add it"),
    session(
      kebab.map((name) => name.replace("/", "/x-")),
      "fix: mend it",
    ),
  ];
  assert.deepEqual(texts(learnConventions, usual), ["Files ending in .ts are named in kebab-case (7 of 7)"]);
  assert.deepEqual(texts(learnConventions, [...usual, session(other, "Add")]), [], "seven of nine");
  const commits = Array.from({ length: 5 }, () => session([], "feat: add it"));
  assert.deepEqual(texts(learnConventions, commits), [
    "Commit messages begin with a type, such as `feat:` (5 of 5)",
  ]);
});

test("Nothing that is concluded changes when older sessions are consolidated", () => {
  const fact = fc.record({
    key: fc.constantFrom("x|1", "x|2", "failed|y", "test|", "test|a, then b", "sig|fix|npm"),
    text: fc.constantFrom("npm test", "kebab-case"),
    detail: fc.constantFrom(null, "npm install"),
    count: fc.nat(20),
    good: fc.nat(20),
    turns: fc.array(fc.nat(9), { maxLength: 3 }),
  });
  const row = fc.record({
    at: fc.nat(50),
    origin: fc.constantFrom(null, "a", "b", "c"),
    facts: fc.array(fact, { maxLength: 30 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 60, maxLength: 90 }), (made) => {
      const rows = made.map(({ at, origin, facts }, n): SessionFactsRow => ({
        id: `row${n}`,
        sessionId: `s${n}`,
        task: "t",
        program: "codex",
        project,
        at,
        turns: 1,
        origin: origin === null ? null : `${origin}${n % 40}`,
        stamp: "1",
        facts: factsText(facts),
      }));
      const consolidated = inOrder(rows)
        .slice(0, window.sessions)
        .map((each, index) => ({ ...each, facts: factsText(factsIn(each, index)) }));
      const concluded = (all: readonly SessionFactsRow[]): Conclusion[] =>
        [learnSequences, learnRepairPatterns, learnConventions, buildDeadEndMemory].flatMap(
          ({ conclude }) => conclude?.(readFacts(all), project) ?? [],
        );
      assert.deepEqual(concluded(consolidated.toReversed()), concluded(rows));
    }),
    { numRuns: 30 },
  );
});
