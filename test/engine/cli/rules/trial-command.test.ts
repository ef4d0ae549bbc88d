import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { trialJson } from "../../../../src/engine/cli/rules/trial-command.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import { appendEntries } from "../../ledger/support/support.ts";
import { servedTrial } from "../../service/support/tried.ts";
import { Scratch } from "../support/support.ts";

async function placeFor(t: TestContext, settings: PartialSettings = {}) {
  const service = await servedTrial(t, settings);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    home: service.box.folder,
    now: () => Date.now(),
    version: () => "1.0.0",
    env: service.box.env,
  };
  return { ...service, scratch, purser: (...argv: string[]) => scratch.purser(["trial", ...argv], host) };
}

test("shows a trial, starts it after a yes, follows and stops it in a terminal", async (t) => {
  const { purser, ids, ledger, scratch } = await placeFor(t);
  assert.match((await purser("list")).stdout, /no trials\. Start one with purser trial start AGENT/u);
  const shown = await purser("start", "main", "--project", ".");
  assert.equal(shown.code, 1);
  for (const id of ids) assert.ok(shown.stdout.includes(`  ${id}  `));
  assert.match(
    shown.stdout,
    /Each new session of main in .* \(Claude Code\) gets each rule or not, at random, in its first context\.\nThe chance is the probability that the rule saves/u,
  );
  assert.match(
    shown.stderr,
    /^purser trial: no terminal to ask in, so no trial was started; --yes starts it without asking\n$/u,
  );
  assert.deepEqual(ledger.ask("trials", null), []);
  const [first = ""] = ids;
  const begun = await purser(
    "start",
    "main",
    "--project",
    ".",
    "--rules",
    first,
    "--sessions",
    "100",
    "--yes",
    "--json",
  );
  assert.deepEqual([begun.code, begun.stderr], [0, ""]);
  const [trial] = trialJson.parse(JSON.parse(begun.stdout)).trials ?? [];
  assert.ok(trial !== undefined);
  assert.deepEqual([trial.ruleIds, trial.project, trial.planned], [[first], scratch.root, 100]);
  const draw = { kind: "draw", trialId: trial.id, withheld: "[]", deliveredAt: 3 } as const;
  await appendEntries(
    ledger,
    { ...draw, sessionId: "s1", at: Date.now(), given: JSON.stringify([first]) },
    { kind: "trial-prompt", sessionId: "s1", id: "p1", at: 5, corrects: true },
    { ...draw, sessionId: "s2", at: Date.now(), given: "[]", withheld: JSON.stringify([first]) },
  );
  const { stdout } = await purser("status");
  assert.match(stdout, /2 sessions assigned, 0 of them analysed; 5% stay without a rule that saves/u);
  assert.match(
    stdout,
    new RegExp(`${first} +undecided: fewer than 20 sessions +50% +50% +0% +– +– +– +– +0 +0 `, "u"),
  );
  assert.match(stdout, new RegExp(`s1 .* ${first} +0/0 +1 +– +still running`, "u"));
  assert.match(stdout, /s2 .* none +0\/0 +– +– +still running/u);
  assert.match((await purser("list")).stdout, /main +.* 1 +2 +running since/u);
  const unproven = await purser("admit", first);
  assert.equal(unproven.code, 1);
  assert.match(unproven.stderr, /is not let in by trial .*: not shown to save yet/u);
  const json = trialJson.parse(JSON.parse((await purser("status", trial.id, "--json")).stdout));
  assert.equal(json.trial?.drawn.length, 2);
  assert.match((await purser("stop", trial.id)).stdout, /is stopped; new sessions no longer get its rules/u);
  assert.match((await purser("status", trial.id)).stdout, /stopped \d\d:\d\d/u);
});

test("reports how many sessions are left out", async (t) => {
  const { purser, ledger } = await placeFor(t);
  assert.equal((await purser("start", "main", "--yes")).code, 0);
  const at = Date.now() + 1000;
  await appendEntries(
    ledger,
    ...Array.from({ length: 43 }, (_, number) => ({
      kind: "session" as const,
      id: `u${number}`,
      program: "claude-code",
      cwd: "/argo",
      firstAt: at + number,
      lastAt: at + number,
    })),
  );
  const { stdout } = await purser("status");
  assert.match(stdout, /\n {2}u42 .*none of its hooks reached purser\n/u);
  assert.match(stdout, /\n {2}u3 .*\n3 more: --json lists them\n/u);
  const id = ledger.ask("trials", null)[0]?.id ?? "";
  const drawn = { trialId: id, given: "[]", withheld: "[]", deliveredAt: 3 } as const;
  await appendEntries(
    ledger,
    ...Array.from({ length: 503 }, (_, number) => ({
      kind: "draw" as const,
      ...drawn,
      sessionId: `d${number}`,
      at: at + number,
    })),
    ...Array.from({ length: 1100 }, (_, number) => ({
      kind: "session" as const,
      id: `v${number}`,
      program: "claude-code",
      firstAt: at + number,
      lastAt: at + number,
    })),
  );
  assert.match((await purser("status")).stdout, /\n463 more: --json lists them\n/u);
  const { trial } = trialJson.parse(JSON.parse((await purser("status", "--json")).stdout));
  assert.deepEqual([trial?.drawn.length, trial?.undrawn.length, trial?.undrawnCount], [503, 1143, 1143]);
});

test("corrects wrong arguments", async (t) => {
  const { purser } = await placeFor(t);
  const table: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[], 0, /^$/u],
    [["begin"], 2, /unknown subcommand "begin"\. See purser trial --help\./u],
    [["start"], 2, /missing AGENT/u],
    [["start", "main", "--sessions", "5"], 2, /a number from 20 to 1000\. See purser trial start --help/u],
    [["start", "main", "--rules", "r9", "--yes"], 1, /no rule r9 of main; purser rules list/u],
    [["start", "main", "--project", "no/where", "--yes"], 2, /there is no folder .*no.where\. See/u],
    [["start", "nobody", "--yes"], 1, /no approved rule; purser rules approve/u],
    [["admit"], 2, /missing RULE/u],
    [["admit", "r9"], 1, /there is no rule r9/u],
    [["stop"], 2, /missing ID; purser trial list/u],
    [["stop", "t9"], 1, /there is no trial; purser trial start AGENT/u],
  ];
  for (const [argv, code, stderr] of table) {
    const done = await purser(...argv);
    assert.equal(done.code, code, argv.join(" "));
    assert.match(done.stderr, stderr);
  }
});

test("tries guards: shows what sessions would have, starts, follows and stops", async (t) => {
  const { purser, ledger } = await placeFor(t, { guardFamilies: { output: "on", loops: "on" } });
  const shown = await purser("start", "--guards", "output, loops");
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, /Guards on trial, on your own work: output, loops\n/u);
  assert.match(
    shown.stdout,
    /in all folders \(Claude Code\), each of them acts or only observes, at random/u,
  );
  assert.match(shown.stderr, /no terminal to ask in/u);
  assert.deepEqual(ledger.ask("trials", null), []);
  const begun = await purser("start", "--guards", "output", "--yes", "--json");
  const [trial] = trialJson.parse(JSON.parse(begun.stdout)).trials ?? [];
  assert.ok(trial !== undefined);
  assert.deepEqual([trial.agent, trial.ruleIds, trial.planned], ["*", ["guard:output"], 1000]);
  const draw = { kind: "draw", trialId: trial.id, deliveredAt: 3, at: Date.now() } as const;
  await appendEntries(
    ledger,
    { ...draw, sessionId: "s1", given: JSON.stringify(["guard:output"]), withheld: "[]" },
    { ...draw, sessionId: "s2", given: "[]", withheld: JSON.stringify(["guard:output"]) },
  );
  const { stdout } = await purser("status");
  assert.match(stdout, /Trial \w+: guards on output in all folders, running since/u);
  assert.match(stdout, /\noutput: not known yet, fewer than 20 sessions\n/u);
  assert.match(stdout, /s1 .* output +0\/0/u);
  assert.match((await purser("list")).stdout, /guards on output +all folders +1 +2 of 1000 +running since/u);
  assert.match((await purser("stop", trial.id)).stdout, /its guards act in all sessions again/u);
  for (const [argv, message] of [
    [["--guards", "protect"], /protect acts in every session/u],
    [["--guards", "facts"], /guards on facts do not act here.*purser guard on --family facts/u],
    [["--guards", "speed"], /cannot take guards named speed; it takes output, waste, loops/u],
    [["main", "--guards", "output"], /name neither an agent nor rules/u],
    [["--guards", ","], /no guards are named; a trial takes output/u],
  ] as const)
    assert.match((await purser("start", ...argv, "--yes")).stderr, message);
});
