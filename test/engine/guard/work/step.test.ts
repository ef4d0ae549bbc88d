import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measuresOf, speechBudgetOf } from "../../../../src/engine/guard/work/measures.ts";
import {
  stepWork,
  type EndedCall,
  type Observed,
  type WorkEvent,
} from "../../../../src/engine/guard/work/step.ts";
import { noWork, workState, type WorkState } from "../../../../src/engine/guard/work/work-state.ts";

type Step = readonly [WorkEvent, Observed];

const actionKind = fc.constantFrom("edit", "check", "look", "other" as const);
const outcome = fc.constantFrom("succeeded", "failed", "unknown" as const);

const call: fc.Arbitrary<EndedCall> = fc
  .record({
    use: fc.option(fc.uuid()),
    key: fc.constantFrom("a", "b", "c", "d"),
    failure: fc.constantFrom("x", "y", "z"),
    outcome,
    actionKind,
    file: fc.constantFrom("one.ts", "two.ts", "three.ts", "x".repeat(1000)),
    isProse: fc.boolean(),
    subsystem: fc.option(fc.constantFrom("engine/guard", "engine/ledger", "webview", "docs")),
  })
  .map((each) => ({
    ...each,
    failure: each.outcome === "failed" ? each.failure : null,
    file: each.actionKind === "edit" ? each.file : null,
  }));

const prompt = fc.option(fc.constantFrom("p1", "p2", "p3"));
const event: fc.Arbitrary<WorkEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom("prompt", "start" as const), prompt }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("ended" as const), prompt, call }) },
  fc.record({ kind: fc.constant("ended-in-subagent" as const), call }),
  fc.record({ kind: fc.constantFrom("stopped", "compacted", "cleared" as const) }),
);
const observed: fc.Arbitrary<Observed> = fc.record({
  left: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
  loop: fc.option(fc.constantFrom("A B A B", "polling"), { freq: 4 }),
});
const steps = fc.array(fc.tuple(event, observed), { maxLength: 120 });

function replay(all: readonly Step[], from: WorkState = noWork): WorkState {
  return all.reduce((state, [each, seen]) => stepWork(state, each, seen), from);
}

/** The same knowledge as before, so that a call alone changes a measure. */
function seenBy({ left, loop }: WorkState): Observed {
  return { left, loop };
}

function after(state: WorkState, ended: Partial<EndedCall>): WorkState {
  const base: EndedCall = {
    use: null,
    key: "k",
    outcome: "succeeded",
    failure: null,
    actionKind: "other",
    file: null,
    isProse: false,
    subsystem: null,
  };
  const all = { ...base, ...ended };
  return stepWork(state, { kind: "ended", prompt: state.prompt, call: all }, seenBy(state));
}

describe("the state of a session's work, after any events", () => {
  it("is the same for the same events, wherever it was stored and read again", () => {
    fc.assert(
      fc.property(steps, fc.nat(120), (all, cut) => {
        const stored: unknown = JSON.parse(JSON.stringify(replay(all.slice(0, cut))));
        assert.deepEqual(replay(all.slice(cut), workState.parse(stored)), replay(all));
      }),
    );
  });

  it("is bounded, and its measures are from 0 to 100", () => {
    const long = fc.array(fc.tuple(event, observed), { minLength: 200, maxLength: 400 });
    fc.assert(
      fc.property(fc.oneof(steps, long), (all) => {
        const state = replay(all);
        assert.ok(workState.safeParse(state).success);
        const { trust, focus } = measuresOf(state);
        for (const value of [trust, focus])
          assert.ok(Number.isInteger(value) && value >= 0 && value <= 100, String(value));
        assert.deepEqual(
          state.verified.filter((file) => state.unverified.includes(file)),
          [],
        );
      }),
    );
  });

  it("counts a call and a prompt once, even if they are reported several times", () => {
    fc.assert(
      fc.property(steps, call, fc.uuid(), (all, ended, use) => {
        const state = replay(all);
        const twice = { kind: "ended", prompt: "p9", call: { ...ended, use } } as const;
        const once = stepWork(state, twice, seenBy(state));
        assert.deepEqual(stepWork(once, twice, seenBy(state)), once);
        const prompt = { kind: "prompt", prompt: "p9" } as const;
        assert.equal(stepWork(once, prompt, seenBy(state)).turn, once.turn);
      }),
    );
  });

  it("has turns that only rise, by at most one", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let state = noWork;
        for (const [each, seen] of all) {
          const next = stepWork(state, each, seen);
          assert.ok(next.turn === state.turn || next.turn === state.turn + 1);
          state = next;
        }
      }),
    );
  });

  it("is late only if little context is left", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const state = replay(all);
        const isLate = state.left !== null && state.left < 25;
        assert.equal(measuresOf(state).phase === "Late", isLate);
        assert.notEqual(measuresOf({ ...state, left: null }).phase, "Late");
      }),
    );
  });

  it("changes by a subagent only in the edited and verified files", () => {
    fc.assert(
      fc.property(steps, call, observed, (all, ended, seen) => {
        const before = replay(all);
        const { uses, unverified, verified, isStopped } = before;
        const state = stepWork(before, { kind: "ended-in-subagent", call: ended }, seen);
        assert.deepEqual({ ...state, uses, unverified, verified, isStopped }, before);
        assert.equal(measuresOf(state).phase, measuresOf(before).phase);
        assert.equal(measuresOf(state).focus, measuresOf(before).focus);
      }),
    );
  });
});

describe("trust", () => {
  const trustOf = (state: WorkState) => measuresOf(state).trust;

  it("is not raised by a failure or loop, or by an edit, except as failures become older", () => {
    fc.assert(
      fc.property(steps, call, (all, ended) => {
        // A call before any prompt would begin the first turn.
        const state = replay([[{ kind: "prompt", prompt: null }, seenBy(noWork)], ...all]);
        const failed = after(state, { ...ended, outcome: "failed", failure: "z" });
        assert.ok(trustOf(failed) <= trustOf(state));
        const loop = stepWork(state, { kind: "stopped" }, { left: null, loop: "A B A B" });
        assert.ok(trustOf(loop) <= trustOf(state));
        const counted = { ...state, recent: [] };
        const edited = after(counted, { actionKind: "edit", file: "new.ts" });
        assert.ok(trustOf(edited) <= trustOf(counted));
      }),
    );
  });

  it("is never lowered by a passed check, which verifies every file", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const state = replay(all);
        const checked = after(state, { actionKind: "check" });
        assert.ok(trustOf(checked) >= trustOf(state));
        assert.deepEqual(checked.unverified, []);
      }),
    );
  });

  it("is zero in the worst case, and full at the beginning", () => {
    const failing = { outcome: "failed", failure: "x" } as const;
    let state = noWork;
    for (const file of ["1", "2", "3", "4", "5", "6"]) state = after(state, { actionKind: "edit", file });
    assert.equal(trustOf(state), 76);
    for (let index = 0; index < 10; index++) state = after(state, { ...failing, key: String(index % 2) });
    assert.equal(trustOf(state), 20);
    state = stepWork(state, { kind: "stopped" }, { left: null, loop: "A B A B" });
    assert.equal(trustOf(state), 0);
    assert.equal(trustOf(noWork), 100);
  });
});

describe("focus", () => {
  const focusOf = (state: WorkState) => measuresOf(state).focus;

  it("is never raised by a look, or lowered by an edit at the same place", () => {
    fc.assert(
      fc.property(steps, outcome, (all, ends) => {
        const state = replay([[{ kind: "prompt", prompt: null }, seenBy(noWork)], ...all]);
        assert.ok(focusOf(after(state, { actionKind: "look", outcome: ends })) <= focusOf(state));
        const subsystem = state.edits.at(-1) ?? null;
        assert.ok(focusOf(after(state, { actionKind: "edit", file: "f", subsystem })) >= focusOf(state));
      }),
    );
  });

  it("falls with every further place, and with going back and forth between them", () => {
    const edited = (places: string) =>
      Array.from(places).reduce(
        (state, subsystem) => after(state, { actionKind: "edit", file: "f", subsystem }),
        noWork,
      );
    assert.equal(focusOf(edited("aaabbb")), 100);
    assert.equal(focusOf(edited("aabbcc")), 90);
    assert.equal(focusOf(edited("ababab")), 82);
    assert.equal(focusOf(edited("abcdefghijkl")), 30);
    assert.equal(edited("ababab").switches, 5);
  });
});

describe("the phases of a session", () => {
  const phaseOf = (state: WorkState) => measuresOf(state).phase;
  const times = (count: number, state: WorkState, ended: Partial<EndedCall>) =>
    Array.from({ length: count }).reduce<WorkState>((held) => after(held, ended), state);
  const failing = { outcome: "failed", failure: "x" } as const;

  it("go from warming up to work, looking around, and trouble", () => {
    let state = times(8, noWork, { actionKind: "look" });
    assert.equal(phaseOf(state), "Warmup");
    state = times(6, state, { actionKind: "look" });
    assert.equal(phaseOf(state), "Exploring");
    state = times(1, state, { actionKind: "edit", file: "a" });
    assert.equal(phaseOf(state), "Exploring", "one call does not turn thresholds over");
    state = times(1, state, { actionKind: "check" });
    assert.equal(phaseOf(state), "Productive");
    state = times(4, state, failing);
    assert.equal(phaseOf(state), "Struggling");
    state = times(5, state, { actionKind: "check" });
    assert.equal(phaseOf(state), "Productive");
  });

  it("are ordinary if a test fails, an edit follows, and the test fails again", () => {
    let state = noWork;
    for (let index = 0; index < 8; index++) {
      state = after(state, { actionKind: "edit", file: "a" });
      state = after(state, { ...failing, actionKind: "check", failure: String(index) });
    }
    assert.equal(phaseOf(state), "Productive");
  });

  it("have a dead end if an action fails three times in one way, until it succeeds or three turns pass", () => {
    const ends = (state: WorkState) => measuresOf(state).deadEnds;
    const stuck = times(3, noWork, failing);
    assert.equal(ends(times(2, noWork, failing)), 0);
    assert.equal(ends(stuck), 1);
    assert.equal(ends(after(stuck, {})), 0);
    const ask = (state: WorkState) => stepWork(state, { kind: "prompt", prompt: null }, seenBy(state));
    assert.equal(ends(ask(ask(stuck))), 1);
    assert.equal(ends(ask(ask(ask(stuck)))), 0);
  });

  it("a compaction ends lateness until the context is known again", () => {
    const late = stepWork(noWork, { kind: "prompt", prompt: null }, { left: 10, loop: null });
    assert.equal(phaseOf(late), "Late");
    assert.equal(phaseOf(stepWork(late, { kind: "compacted" }, { left: 10, loop: null })), "Warmup");
  });
});

it("allow more advice at lower trust, and half the characters in a late session", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (one, other) => {
      const turn = 3;
      const budget = (trust: number) => speechBudgetOf({ turn, trust, phase: "Productive" });
      const [less, more] = one < other ? [other, one] : [one, other];
      assert.ok(budget(more).pieces >= budget(less).pieces);
      assert.ok(budget(more).characters >= budget(less).characters);
      assert.ok(budget(one).pieces >= 3 && budget(one).pieces <= 8);
      const late = speechBudgetOf({ turn, trust: one, phase: "Late" });
      assert.equal(late.characters * 2, budget(one).characters);
    }),
  );
});
