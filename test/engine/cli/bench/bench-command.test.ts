import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, it, type TestContext } from "node:test";
import type { Recording } from "../../../../src/engine/bench/state/recording.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import { benchJson, type BenchJson } from "../../../../src/engine/cli/bench/bench-schema.ts";
import { benchToJunit } from "../../../../src/engine/cli/bench/bench-outcome.ts";
import { sumPatch, suiteAt, taskText, writeFiles, writeSuite } from "../../bench/support/disk-suite.ts";
import { childEnv } from "../../support/child-env.ts";
import { Scratch } from "../support/support.ts";

const names = ["one", "two", "three"];
const check = `node --input-type=module -e "import{sum}from'./src/sum.mjs';process.exit(sum(2,3)===5?0:1)"`;

/**
 * A suite of three tasks with recordings of two sides. The recording decides whether the first round fails.
 */
async function place(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const tasks = names.map((name) => {
    const text = taskText(JSON.stringify(check), "solution: sum.patch\n").replace(
      "backend-01-sum",
      `backend-${name}`,
    );
    return [`tasks/backend/${name}.md`, text] as const;
  });
  const suite = await writeSuite(t, {
    ...Object.fromEntries(tasks),
    "tasks/backend/sum.patch": sumPatch("one + other"),
    ...files,
  });
  const loaded = await suiteAt(suite);
  const solved = [{ path: "src/sum.mjs", text: "export const sum = (one, other) => one + other;\n" }];
  for (const [index, { id, hash }] of loaded.tasks.entries()) {
    const run = (outcome: number, round: number): Recording["sides"][number]["runs"][number] => ({
      outcome,
      turns: [[50, 1000 * (index + 1) + round, 100, 500, 0, 0, [["Read", "src/sum.mjs"]]]],
    });
    const recording: Recording = {
      format: 1,
      agent: "backend",
      task: id,
      taskHash: hash,
      by: "script",
      model: "m",
      outcomes: [solved, []],
      sides: [{ label: "plain", when: {}, runs: [run(id === "backend-two" ? 1 : 0, 1), run(0, 2)] }],
    };
    await writeFiles(path.join(suite.folder, "recordings"), { [`${id}.json`]: JSON.stringify(recording) });
  }
  const env = { ...childEnv, PURSER_HOME: path.join(scratch.root, "home") };
  const scratchFolder = path.join(scratch.root, "scratch");
  mkdirSync(scratchFolder);
  const host = { suite, env, now: () => Date.now(), scratch: scratchFolder };
  const purser = (...argv: string[]) => scratch.purser(["bench", ...argv], host);
  const json = async (...argv: string[]): Promise<BenchJson> =>
    benchJson.parse(JSON.parse((await purser(...argv, "--json")).stdout));
  return { root: scratch.root, host, scratch, suite, purser, json, scratchFolder };
}

const replayed = [
  "--driver",
  "replay",
  "--yes",
  "--task",
  names.map((name) => `backend-${name}`).join(),
  "--runs",
  "2",
];

/** A bench's measurements, without times and paths. */
function measured({ runs, tasks, state, configurations }: BenchJson) {
  const plain = runs.map(({ id, outcome, usage, turns, round, taskId, side, recordedBy }: BenchRun) => ({
    id,
    outcome,
    usage,
    turns,
    round,
    taskId,
    side,
    recordedBy,
  }));
  return { plain, tasks, state, configurations };
}

describe("purser bench", { concurrency: true }, () => {
  it("replays a suite, prints its plan and what it took, and leaves nothing behind", async (t) => {
    const { purser, scratchFolder } = await place(t);
    const { stdout, stderr, code } = await purser(...replayed, "--seed", "1");
    assert.equal(code, 0);
    assert.match(stdout, /6 runs, free\. Demo: replays a recording\. It says nothing about a model/u);
    assert.match(stdout, /backend-one +2\/2 +2,602/u);
    assert.match(stdout, /backend-two +1\/2 +4,602/u);
    assert.match(stderr, /6\/6: backend-/u);
    assert.match(stderr, /round 1: failed/u);
    assert.deepEqual(readdirSync(scratchFolder), []);
  });

  const needsShell = { skip: process.platform === "win32" && "npm is a script of the shell here" };
  it(
    "lists npm's downloads before the first run, and no longer once they are there",
    needsShell,
    async (t) => {
      const packages = { "": {}, "node_modules/a": {}, "node_modules/b": {} };
      const { root, host, scratch } = await place(t, {
        "../fixture/package.json": JSON.stringify({ name: "sum", dependencies: { a: "1.0.0" } }),
        "../fixture/package-lock.json": JSON.stringify({ packages }),
      });
      const bin = path.join(root, "bin");
      await writeFiles(bin, { npm: `#!/bin/sh\necho called >> ${root}/calls\nmkdir -p node_modules/a\n` });
      chmodSync(path.join(bin, "npm"), 0o755);
      const env = { ...host.env, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
      const purser = (...argv: string[]) =>
        scratch.purser(["bench", ...replayed, "--seed", "8", ...argv], { ...host, env });
      const install = async () =>
        benchJson.parse(JSON.parse((await purser("--plan", "--json")).stdout)).plan?.install;
      const planned = await purser("--plan");
      assert.equal(
        planned.stdout.match(/^Before the first run, npm downloads up to 2 packages /gmu)?.length,
        1,
      );
      assert.deepEqual(await install(), { packages: 2 });
      assert.equal(existsSync(path.join(root, "calls")), false, "a plan installs nothing");
      const ran = await purser();
      assert.equal(ran.code, 0);
      assert.match(ran.stdout, /^Before the first run, npm downloads/mu);
      assert.equal(readFileSync(path.join(root, "calls"), "utf8"), "called\n");
      assert.doesNotMatch((await purser("--plan", "--runs", "3")).stdout, /npm downloads/u);
      assert.equal(await install(), null);
    },
  );

  it("continues a bench of the same seed, and repeats no run", async (t) => {
    const { json, purser } = await place(t);
    const { stderr } = await purser(...replayed, "--seed", "3");
    const first = await json(...replayed, "--seed", "3");
    assert.ok(stderr.includes(`6 runs are not in the ledger; purser bench --resume ${first.id} adds them\n`));
    const again = await json(...replayed, "--seed", "3");
    assert.deepEqual(again.runs, first.runs);
    assert.equal(again.plan?.made, 6);
    const resumed = await purser("--resume", first.id, "--json");
    assert.deepEqual(benchJson.parse(JSON.parse(resumed.stdout)).runs, first.runs);
    const more = await json("--resume", first.id, "--runs", "3", "--yes");
    assert.equal(more.runs.length, 9);
  });

  it("joins shards to what one process would have measured", async (t) => {
    const { json, purser, root } = await place(t);
    const whole = await json(...replayed, "--seed", "7");
    const benches = path.join(root, "home", "bench");
    renameSync(path.join(benches, whole.id), path.join(root, "whole"));
    for (const shard of ["1/3", "2/3", "3/3"]) await json(...replayed, "--seed", "7", "--shard", shard);
    const early = await purser("merge", `${whole.id}.1of3`, `${whole.id}.3of3`);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /Shard 2 of 3 is missing/u);
    const merged = await json(
      "merge",
      ...[1, 2, 3].map((index) => path.join(benches, `${whole.id}.${index}of3`)),
    );
    assert.deepEqual(measured(merged), measured(whole));
    for (const { trajectory } of merged.runs) assert.ok(existsSync(trajectory ?? ""));
    const twice = await purser("merge", ...[1, 2, 3].map((index) => `${whole.id}.${index}of3`));
    assert.match(twice.stderr, /is there already/u);
    const other = await json(...replayed, "--seed", "8", "--shard", "2/3");
    const mixed = await purser("merge", `${whole.id}.1of3`, `${other.id}.2of3`, `${whole.id}.3of3`);
    assert.match(mixed.stderr, /is a part of another bench/u);
  });

  it("refuses a fixture that was changed by a byte, by name", async (t) => {
    const { purser, suite } = await place(t);
    await writeFiles(suite.fixture, { "README.md": "# A sum.\n" });
    const { stderr, code } = await purser(...replayed);
    assert.equal(code, 1);
    assert.match(stderr, /changed: README\.md/u);
  });

  it("does not resume a bench after a change of its task", async (t) => {
    const { json, purser, suite } = await place(t);
    const { id } = await json(...replayed, "--seed", "3");
    const file = path.join(suite.folder, "tasks/backend/one.md");
    await writeFiles(suite.folder, {
      "tasks/backend/one.md": readFileSync(file, "utf8").replace("add up", "add up now"),
    });
    const { stderr, code } = await purser("--resume", id);
    assert.equal(code, 1);
    assert.match(stderr, /has changed since the benchmark .* started/u);
  });

  it("asks before it spends, and refuses when nobody can answer", async (t) => {
    const { scratch, host } = await place(t);
    const fake = path.join(scratch.root, "claude");
    const program = '#!/bin/sh\ncase "$1" in auth) echo \'{"loggedIn": true}\';; *) exit 7;; esac\n';
    await writeFiles(scratch.root, { claude: program });
    chmodSync(fake, 0o755);
    const env = { ...host.env, PURSER_CLAUDE: fake };
    const { stderr, stdout, code } = await scratch.purser(
      ["bench", "--driver", "claude", "--budget", "150k"],
      { ...host, env },
    );
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^purser bench: this would start 12 runs, and there is no terminal to ask in; --yes starts without asking\./mu,
    );
    assert.match(stdout, /with claude: about \d+k tokens, about \$\d/u);
    assert.match(stdout, /Expected: 60,000 tokens a run \(no runs of these tasks yet/u);
    assert.match(stdout, /Warning: it will probably reach its cap/u);
  });

  it("starts no replay without agreement; Enter is enough", async (t) => {
    const { scratch, host, root } = await place(t);
    const asked = replayed.filter((word) => word !== "--yes");
    const unattended = await scratch.purser(["bench", ...asked], host);
    assert.equal(unattended.code, 2);
    assert.match(
      unattended.stderr,
      /^purser bench: this would start 6 runs, and there is no terminal to ask in/mu,
    );
    assert.ok(!existsSync(path.join(root, "home", "bench")), "nothing was started");
    const answering = async (answer: string, ...argv: string[]) => {
      const stdin = () => Object.assign(Readable.from([answer]), { isTTY: true });
      return await scratch.purser(["bench", ...asked, "--seed", "3", ...argv], {
        ...host,
        stdin,
        isTTY: true,
      });
    };
    const refused = await answering("n\n");
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /6 runs, free\..*\n(?:.*\n)*Start 6 runs\? \(Y\/n\) $/u);
    const ran = await answering("\n");
    assert.equal(ran.code, 0);
    assert.match(ran.stdout, /backend-one +2\/2/u);
    const again = await answering("n\n");
    assert.equal(again.code, 0, "nothing is left to run");
    assert.doesNotMatch(again.stdout, /Start/u);
    const inJson = await answering("\n", "--runs", "3", "--json");
    assert.equal(benchJson.parse(JSON.parse(inJson.stdout)).runs.length, 9);
    assert.match(inJson.stderr, /Start 3 runs\?/u);
  });

  it("takes the agent as compare and select do", async (t) => {
    const { purser } = await place(t);
    const rest = [...replayed, "--seed", "1", "--plan"];
    const [named, option, twice, unknown] = [
      await purser("backend", ...rest),
      await purser("--agent", "backend", ...rest),
      await purser("backend", ...rest, "--agent", "backend"),
      await purser("nobody", ...rest),
    ];
    assert.deepEqual([named.code, named.stdout], [0, option.stdout]);
    assert.match(named.stdout, /^Bench .*: backend with /u);
    assert.deepEqual([twice.code, unknown.code], [2, 2]);
    assert.match(twice.stderr, /the agent is named twice: "backend" and --agent/u);
    assert.match(unknown.stderr, /there is no agent "nobody"; there are backend, or all/u);
  });

  it("reports wrong arguments", async (t) => {
    const { purser } = await place(t);
    const wrong: [string[], RegExp][] = [
      [["--runs", "0"], /--runs "0" is not a number from 1/u],
      [["--budget", "much"], /--budget "much" is not tokens such as/u],
      [["--shard", "4/3", "--seed", "1"], /--shard "4\/3" is not a part such as 1\/3/u],
      [["--seed", "1234567890"], /--seed "1234567890" is not a number from 0 to 999999999/u],
      [["--shard", "1/3"], /--shard needs --seed/u],
      [["--driver", "gpt"], /--driver "gpt" is not one of claude, codex, replay/u],
      [["--driver", "replay", "--agent", "sql"], /there is no agent "sql"; there are backend, or all/u],
      [["--driver", "replay", "--task", "nope"], /there is no task "nope"/u],
      [["--memory", "no-file"], /no-file cannot be read \(ENOENT\)/u],
      [["merge"], /missing folders of the shards to join/u],
      [["--resume", "../x"], /takes the name of a bench/u],
    ];
    for (const [argv, message] of wrong) {
      const { code, stderr } = await purser(...argv);
      assert.match(stderr, message);
      assert.equal(code, 2, argv.join(" "));
    }
  });

  it("writes JUnit's XML for any output of an agent or a check", async (t) => {
    const { json } = await place(t);
    const bench = await json(...replayed, "--seed", "5");
    const [first, ...rest] = bench.runs;
    assert.ok(first !== undefined);
    const hostile: BenchRun = {
      ...first,
      outcome: "failed",
      detail: plainSentence('a "<b>" & \u0000\u001b[31m]]>'),
    };
    const skipped: BenchRun = { ...first, outcome: "environment", detail: plainSentence("quota") };
    const configurations = bench.configurations.map((each) => ({
      label: each.label,
      agent: each.agent,
      model: each.model,
      effort: null,
      definition: null,
      memory: null,
      overlay: [],
      role: each.role,
    }));
    const reported = {
      ...bench,
      plan: null,
      configurations,
      baselines: [],
      runs: [hostile, skipped, ...rest],
    };
    const xml = benchToJunit(reported);
    assert.match(xml, /tests="7" failures="\d" skipped="1"/u);
    assert.match(xml, /<failure type="failed" message="a &quot;&lt;b&gt;&quot; &amp; \]\]&gt;"\/>/u);
    assert.ok(!/[\u0000-\u0008\u001b]/u.test(xml));
  });
});
