import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { maxArms } from "../../../src/engine/bench/plan.ts";
import type { BenchRun } from "../../../src/engine/bench/run-facts.ts";
import { sha256Hex } from "../../../src/engine/base/hash.ts";
import { type Change, changedArms } from "../../../src/engine/compare/compare-change.ts";
import {
  runArmsComparison,
  planComparison,
  type ComparisonRequest,
} from "../../../src/engine/compare/run-compare.ts";
import type { SettledPair } from "../../../src/engine/verdict/measure-pair.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { receiptToMarkdown } from "../../../src/engine/verdict/receipt/markdown.ts";
import {
  configuration,
  ends,
  makeTinyBench,
  playing,
  portsOf,
  solves,
  type Played,
  type TinyBench,
} from "../bench/support/tiny-suite.ts";
import { assert } from "../support/assert-texts.ts";

let tiny: TinyBench;
const never = new AbortController().signal;
const model = (name: string): Change => ({ kind: "model", model: name });

const requestOf = (more: Partial<ComparisonRequest> = {}): ComparisonRequest => ({
  id: "compare",
  suite: tiny.suite,
  base: configuration(),
  driver: "claude",
  seed: 3,
  parallel: 1,
  change: model("cheap"),
  others: [model("same"), model("dear")],
  tokenCap: null,
  rounds: null,
  evidence: [],
  ...more,
});

async function compare(play: Played, more: Partial<ComparisonRequest> = {}, signal = never) {
  const driver = {
    ...playing(play),
    expected: () => ({
      perRun: 5100,
      cacheReadPerRun: 900,
      spread: 0.2,
      source: "measured" as const,
      because: plainSentence("a test"),
    }),
  };
  const rounds: number[][] = [];
  const runs: BenchRun[] = [];
  const settled = new Map<number, SettledPair>();
  const answer = await runArmsComparison(requestOf(more), portsOf(tiny, driver), signal, {
    onBench: (progress) => {
      if (progress.kind === "ended") runs.push(progress.run);
    },
    onRound: (arms) => void rounds.push(arms.map(({ arm }) => arm)),
    onSettled: (arm, each) => {
      assert.ok(!settled.has(arm), "settled twice");
      settled.set(arm, each);
      return Promise.resolve();
    },
  });
  if (!answer.ok) throw new Error(answer.detail.text);
  return { ...answer.value, rounds, runs, settled, played: driver.played.length };
}

const tokensOf: Readonly<Record<string, number>> = { cheap: 3000, same: 5000, dear: 8000 };
/** Runs differ a little, so that an equal cost is neither cheaper nor dearer. */
const steady: Played = (task) => {
  const { configuration: its, task: golden } = task;
  const noise = parseInt(sha256Hex(`${its.label.text} ${task.round} ${golden.id}`).slice(0, 2), 16);
  return solves(task, (tokensOf[its.model] ?? 5000) + noise);
};

describe("several changes against the same runs", () => {
  beforeEach(async () => {
    tiny = await makeTinyBench(["one", "two", "three"]);
  });
  afterEach(async () => {
    assert.deepEqual(await readdir(tiny.scratch), [], "a scratch folder was left");
    await tiny.remove();
  });

  test("Each has a receipt with its own verdict, and their parts add up to the total cost", async () => {
    const { settled, end, open, tokensSpent, rounds, played, runs } = await compare(steady);
    assert.deepEqual([end.kind, open], ["finished", []]);
    const receipts = [1, 2, 3].flatMap((arm) => settled.get(arm)?.receipt ?? []);
    assert.deepEqual(
      receipts.map(({ verdict, sides }) => [sides[1].label, verdict.kind]),
      [
        ["cheap", "saves"],
        ["same", "undecided"],
        ["dear", "costs"],
      ],
    );
    const parts = receipts.reduce((sum, { spent }) => sum + spent.processingTokens, 0);
    assert.ok(Math.abs(parts - tokensSpent) <= 3, `${parts} of ${tokensSpent}`);
    assert.equal(new Set(receipts.map(({ id }) => id)).size, 3);
    for (const receipt of receipts) {
      assert.ok(readReceipt(JSON.stringify(receipt)).ok);
      assert.equal(receipt.question.arms, 3);
      assert.ok(Math.abs(receipt.question.alpha - 0.05 / 3) < 1e-12);
      assert.equal(receipt.sides[0].label, configuration().model);
    }
    // Decided changes are not run any further, and the last one is compared with one control.
    assert.deepEqual(rounds[0], [1, 2, 3]);
    assert.deepEqual(rounds.at(-1), [2]);
    const last = runs.filter(({ round }) => round === rounds.length);
    assert.deepEqual(last.map(({ side }) => side).sort(), [0, 0, 0, 3, 3, 3]);
    assert.equal(played, runs.length);
    const text = receiptToMarkdown(receipts[1] ?? assert.fail());
    assert.match(text, /error rate 0\.05 on each side for all 3 changes together \(0\.0167 for this one\)/u);
    assert.match(text, /Compared with the same as-is runs as 2 other changes; what was spent is/u);
  });

  test("One that fails a task is removed as a regression, and the others continue", async () => {
    const { settled, rounds } = await compare((task) =>
      task.configuration.model === "cheap" && task.task.id.endsWith("two") ? ends(1000) : steady(task),
    );
    assert.equal(settled.get(1)?.receipt.verdict.kind, "regression");
    assert.equal(settled.get(3)?.receipt.verdict.kind, "costs");
    assert.ok((settled.get(1)?.receipt.rounds.own ?? 0) < rounds.length);
  });

  test("Stopped in the middle it resumes there: no repeated run, and the same verdicts", async () => {
    const whole = await compare(steady, { rounds: 4 });
    await tiny.remove();
    tiny = await makeTinyBench(["one", "two", "three"]);
    const stop = new AbortController();
    let runs = 0;
    const first = await compare(
      (task) => {
        runs += 1;
        if (runs === 20) stop.abort();
        return task.signal.aborted ? ends(0, { kind: "cancelled" }) : steady(task);
      },
      { rounds: 4 },
      stop.signal,
    );
    assert.equal(first.end.kind, "cancelled");
    const rest = await compare(steady, { rounds: 4 });
    // The cancelled run is made again.
    assert.equal(first.played + rest.played, whole.played + 1);
    for (const arm of [1, 2, 3]) {
      const [one, other] = [whole, rest].map(({ settled }) => settled.get(arm)?.receipt.verdict);
      assert.deepEqual(one, other);
    }
  });

  test("The cap is that of all together, in whole rounds; what is not decided then is settled as undecided", async () => {
    const { tokensSpent, settled, rounds } = await compare((task) => solves(task), { tokenCap: 180_000 });
    assert.ok(tokensSpent <= 180_000 && tokensSpent > 100_000, `${tokensSpent}`);
    assert.ok(rounds.length > 1);
    assert.deepEqual(
      [...settled.values()].map(({ receipt }) => [receipt.verdict.kind, receipt.verdict.stop]),
      [1, 2, 3].map(() => ["undecided", "cap"]),
    );
  });

  test("Their earlier measurements are added, each to its own", async () => {
    const first = await compare((task) => steady(task), { rounds: 2 });
    const evidence = [...first.settled.values()].map((each) => each.evidence);
    const again = await compare(steady, { id: "again", evidence, rounds: 2 });
    for (const arm of [1, 2, 3]) {
      const own = again.settled.get(arm)?.receipt.rounds;
      const before = first.settled.get(arm)?.receipt.rounds.own;
      assert.deepEqual(own, { own: own?.own, pooled: before, from: [`compare.${arm}`] });
    }
  });

  test("Measurements that are too old, or of another program version, are left out and listed", async () => {
    const first = await compare((task) => steady(task), { rounds: 2 });
    const known = [...first.settled.values()].map((each) => each.evidence);
    const longAgo = known.map((each) => ({ ...each, at: each.at - 200 * 24 * 60 * 60_000 }));
    const other = known.map((each) => ({ ...each, program: "1.0.0 another" }));
    for (const [evidence, why] of [
      [longAgo, "age"],
      [other, "program"],
    ] as const) {
      const again = await compare(steady, { id: "again", evidence, rounds: 2 });
      for (const arm of [1, 2, 3]) {
        const settled = again.settled.get(arm);
        assert.deepEqual(settled?.receipt.rounds.from, []);
        assert.deepEqual(settled.receipt.evidence?.leftOut, [{ id: `compare.${arm}`, why }]);
        assert.equal(settled.evidence.sequence, 2);
      }
    }
  });

  test("Its plan is the maximum spending, with as many controls as needed, not one per change", async () => {
    const planned = await planComparison(requestOf({ rounds: 10 }), portsOf(tiny, playing(steady)));
    assert.ok(planned.ok);
    assert.ok(Math.abs(planned.value.runs - 30 * (3 + Math.sqrt(3))) <= 1, `${planned.value.runs}`);
  });
});

test("Changes that cannot be compared together are refused with a reason and a remedy", () => {
  const base = configuration();
  const asked = (changes: readonly Change[]) => {
    const [change = model("a"), ...others] = changes;
    const made = changedArms(base, change, others);
    return made.ok ? "" : `${made.reason}: ${made.detail.text}`;
  };
  assert.equal(asked([model("a"), model("b"), model("a")]), "twice: a is the same as a; name each once");
  assert.match(asked([model("a"), model(base.model)]), /no_change: Both sides are the same/u);
  const many = Array.from({ length: maxArms + 1 }, (_, index) => model(`m${index}`));
  assert.equal(asked(many), "too_many: 9 changes are named; at most 8 are compared at once");
  assert.equal(asked(many.slice(1)), "");
  const without: Change = {
    kind: "without",
    file: { is: "file", path: "CLAUDE.md" },
    text: "# A\n",
    heading: null,
  };
  assert.match(asked([model("a"), without]), /^apart: .*one at a time/u);
});

test("One change is the pair that it was: no design, and two configurations", () => {
  const made = changedArms(configuration(), model("a"));
  assert.ok(made.ok);
  assert.deepEqual(Object.keys(made.value.bench), ["configurations"]);
  assert.equal(made.value.bench.configurations.length, 2);
});
