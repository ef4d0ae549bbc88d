import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { planJson } from "../../../../src/engine/cli/plan/print-plan.ts";
import { appendEntries } from "../../ledger/support/support.ts";
import { served } from "../../service/support/rules-service.ts";
import { fakeClaude, noShell } from "../../support/fake-claude.ts";
import { breaking, recordedSuite, saving } from "../rules/select-suite.ts";
import { Scratch } from "../support/support.ts";

/** A service, and commands that find an agent. */
async function place(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const { box, ledger } = await served(t);
  const suite = await recordedSuite(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    home: box.folder,
    now: () => Date.now(),
    version: () => "1.0.0",
    suite,
    env: { ...box.env, PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: path.join(scratch.root), ...env },
  };
  const purser = (...argv: string[]) => scratch.purser(argv, host);
  const approved = async (text: string) => {
    const { stdout } = await purser("rules", "add", "backend", "--rule", text);
    const [id = ""] = /^r[0-9a-f]{10}/u.exec(stdout) ?? [];
    await purser("rules", "approve", id);
    return id;
  };
  return { purser, approved, ledger };
}

test(
  "plans waiting rules alone, together and with more to come, and runs nothing",
  { skip: noShell },
  async (t) => {
    const { purser, approved, ledger } = await place(t, {
      PURSER_CLAUDE: fakeClaude(t, { saving, breaking }),
    });
    // A trial gives nothing to subagents, so their runs say nothing about its length.
    await appendEntries(
      ledger,
      { kind: "session", id: "s1", program: "claude-code", firstAt: Date.now(), lastAt: Date.now() },
      { kind: "subagent", sessionId: "s1", agentId: "a1", type: "backend" },
    );
    const none = await purser("plan", "rules", "backend");
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no rule to measure/u);
    const ids = [await approved(saving), await approved(breaking)];

    const shown = await purser("plan", "rules", "backend", "--json");
    assert.equal(shown.code, 0, shown.stderr);
    const { power, ...about } = planJson.parse(JSON.parse(shown.stdout));
    assert.deepEqual([about.command, about.agent, about.driver], ["plan rules", "backend", "claude"]);
    assert.deepEqual(new Set(about.rules), new Set(ids));
    assert.deepEqual(
      power.curves.map(({ together }) => together),
      [1, 2, 4],
    );
    assert.deepEqual([power.noise.source, power.perRun.source], ["estimated", "estimated"]);
    assert.match(power.noise.because.text, /documented/u);
    const chances = power.curves.map(({ most }) => most.chances[1] ?? 0);
    assert.deepEqual(
      chances,
      chances.toSorted((one, other) => one - other),
      "more together, more is decided",
    );
    assert.equal(power.trial?.needed.length, power.savings.length);
    assert.deepEqual(power.trial.needed.map(({ sessions, days }) => [sessions, days])[1], [361, null]);

    const text = await purser("plan", "rules", "backend");
    assert.match(text.stdout, /A rule alone\n.*Tokens +Rounds +5% +10% +20%/su);
    assert.match(text.stdout, /4 rules together, with 2 more candidates/u);
    for (const part of text.stdout.split(/^Tokens +Rounds.*$/mu).slice(1)) {
      const budgets = [...(part.split("\n\n")[0] ?? "").matchAll(/^ *(\S+[kM]) +\d+ /gmu)].map(
        ([, tokens]) => tokens,
      );
      assert.ok(budgets.length > 2);
      assert.equal(new Set(budgets).size, budgets.length, part);
    }
    assert.match(text.stdout, /estimated: what is documented/u);
    assert.match(
      text.stdout,
      /If two or more are found, they are then confirmed together, in at most 10 rounds: \S+ tokens more/u,
    );
    assert.equal(power.confirmation?.rounds, 10);
    assert.match(
      text.stdout,
      /Sessions of real work differ by about 40% \(estimated: .*fewer than 20 of yours are known\)/u,
    );
    assert.match(
      text.stdout,
      /Measuring (?:does not pay: only after about|has paid off after about) [\d,]+ sessions/u,
    );
    assert.match(text.stdout, /How long a trial on real work would take is not known/u);
    const one = await purser("plan", "rules", "backend", "--rule", ids[0] ?? "", "--json");
    const alone = planJson.parse(JSON.parse(one.stdout));
    assert.deepEqual([alone.rules, alone.power.confirmation], [ids.slice(0, 1), undefined]);
  },
);

test("A comparison is planned in the words of purser compare", { skip: noShell }, async (t) => {
  const { purser } = await place(t, { PURSER_CLAUDE: fakeClaude(t, { saving, breaking }) });
  const asked = ["plan", "compare", "model", "backend", "--model", "claude-haiku-4-5"];
  const shown = await purser(...asked, "--json");
  assert.equal(shown.code, 0, shown.stderr);
  const { command, rules, power } = planJson.parse(JSON.parse(shown.stdout));
  assert.deepEqual([command, rules, power.trial], ["plan compare model", [], null]);
  const [curve, ...others] = power.curves;
  assert.deepEqual([curve?.together, curve?.most.rounds, others], [1, 12, []]);
  const short = await purser(...asked, "--runs", "5");
  assert.match(
    short.stdout,
    /Chance of a decision, by new tokens spent \(rows\) and true savings \(columns\)/u,
  );
  assert.match(short.stdout, /^ *\S+ +5 +\S/mu);
  const wrong = await purser("plan", "compare", "model", "nobody", "--model", "x");
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^purser plan compare model: there is no agent "nobody"/u);
});

test("reports that recordings measure nothing, and measures their rules one by one", async (t) => {
  const { purser, approved } = await place(t);
  await approved(saving);
  await approved(breaking);
  const shown = await purser("plan", "rules", "backend", "--driver", "replay");
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /A rule alone/u);
  assert.doesNotMatch(shown.stdout, /together/u);
  assert.match(shown.stdout, /recordings: free, and they say nothing about a model/u);
});

test("corrects wrong arguments", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  for (const [argv, words] of [
    [["plan", "all"], /unknown subcommand "all"\. See purser plan --help\.$/mu],
    [["plan", "rules"], /missing AGENT/u],
    [["plan", "rules", "backend", "--yes"], /unknown option "--yes"/u],
    [
      ["plan", "compare", "models"],
      /unknown subcommand "models"; did you mean model\? See purser plan compare --help\.$/mu,
    ],
  ] as const) {
    const done = await scratch.purser(argv);
    assert.deepEqual([done.code, words.test(done.stderr)], [2, true], done.stderr);
  }
  assert.match((await scratch.purser(["plan"])).stdout, /purser plan rules AGENT/u);
});

test(
  "plans several changes together and separately: what each costs and decides",
  { skip: noShell },
  async (t) => {
    const { purser } = await place(t, { PURSER_CLAUDE: fakeClaude(t, { saving, breaking }) });
    const models = ["one", "two", "three"].flatMap((model) => ["--model", model]);
    const asked = ["plan", "compare", "model", "backend", ...models];
    const { power } = planJson.parse(JSON.parse((await purser(...asked, "--json")).stdout));
    const [apart, shared] = power.curves;
    assert.deepEqual([power.isOfArms, apart?.together, shared?.together], [true, 1, 3]);
    // As much of a pair's tokens as an arm's run and its part of √3 controls.
    const part = (3 + Math.sqrt(3)) / 6;
    assert.ok(Math.abs((shared?.most.tokens ?? 0) - part * (apart?.most.tokens ?? 0)) <= 1);
    const text = await purser(...asked);
    assert.match(text.stdout, /by new tokens spent per change \(rows\)/u);
    assert.match(text.stdout, /Each with its own unchanged runs.*3 changes with the same unchanged runs/su);
    assert.match(
      text.stdout,
      /(?:Compare them at once|Comparing them now says little): .* with as-is runs of its own/u,
    );
  },
);
