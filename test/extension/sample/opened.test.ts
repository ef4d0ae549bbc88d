import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { assert } from "../../engine/support/assert-texts.ts";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { overviewPorts, readOverviews } from "../../../src/engine/recurring/wake/agent-overview.ts";
import { isMeasuring, jobStore, type StoredJob } from "../../../src/engine/jobs/jobs-store.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import type { ServiceClient } from "../../../src/engine/service/client.ts";
import { spawnLauncher } from "../../../src/engine/service/launch/launch.ts";
import { allAgentNames, sessionRoots } from "../../../src/engine/transcripts/agents.ts";
import { judge } from "../../../src/engine/verdict/judge.ts";
import type { Question } from "../../../src/engine/verdict/verdict.ts";
import { runExperiment, samplesOfRuns } from "../../../src/engine/verdict/measure-pair.ts";
import { readReceipt, type Receipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { sampleHomes, writeSample } from "../../../src/extension/sample/unpack.ts";

const repository = path.resolve(import.meta.dirname, "../../..");
const limit = 120_000; // ms
const filter = { since: null, until: null, project: null, program: null };

/** The packed sample, opened with a service as the editor would. */
describe("the sample", { timeout: limit }, () => {
  let folder: string;
  let client: ServiceClient;
  let jobs: readonly StoredJob[];
  const root = () => sampleHomes(folder).claude;
  const now = Date.now();

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "purser-test-")));
    const written = await writeSample({
      packed: path.join(repository, "media/sample.json.br"),
      fixture: path.join(repository, "fixture"),
      folder,
      now,
    });
    assert.ok(written.ok, written.ok ? "" : written.detail.text);
    const env = { PATH: process.env["PATH"], ...sampleHomes(folder).env };
    const home = purserPaths({ env, home: folder });
    jobs = jobStore(home.benches, (message) => assert.fail(message.text)).load();
    const { execPath, pid } = process;
    const launch = spawnLauncher({
      home,
      program: path.join(repository, "src/engine/service/main.ts"),
      execPath,
      isElectron: false,
      env,
      userHome: folder,
    });
    const machine = thisMachine();
    const connected = await ensureService({
      home,
      machine,
      clock: systemClock,
      version: "0.1.0",
      pid,
      launchers: [launch],
      onProblem: (message) => assert.fail(message),
    });
    assert.ok(connected.ok, connected.ok ? "" : connected.detail.text);
    client = connected.value;
    const configured = await client.ask("configure", {
      roots: sessionRoots({ env, home: folder }),
      env: {},
      folders: [sampleHomes(folder).workspace],
    });
    assert.ok(configured.ok);
    const read = await client.ask("catchUp", {});
    assert.ok(read.ok, read.ok ? "" : read.detail.text);
  });
  after(async () => {
    await client.shutdown("asked", 5000);
    client.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  test("has sessions of every agent in its ledger, over weeks until now", async () => {
    const read = await client.ask("overview", { asked: filter });
    assert.ok(read.ok);
    const { programs, days, sessions, rereads, projects, tools } = read.value.answer;
    assert.deepEqual(new Set(programs.map(({ key }) => key)), new Set(allAgentNames));
    assert.ok(days.length > 20 && sessions.length > 20);
    for (const list of [rereads, projects, tools]) assert.ok(list.length > 1);
    const latest = Math.max(...sessions.map(({ lastAt }) => lastAt ?? 0));
    assert.ok(now - latest < 10 * 60_000 && latest <= Date.now(), new Date(latest).toISOString());
  });

  test("has recurring agents with wakes that show what reuse saves, before and after a change of their file", async () => {
    const read = await client.ask("economyView", { since: now - 30 * 86_400_000, project: null });
    assert.ok(read.ok);
    const { report, wakes, ordinary } = read.value.view;
    assert.deepEqual(
      report.agents.map(({ agent }) => agent),
      ["keeper", "triage"],
    );
    const [keeper] = report.agents;
    assert.ok(keeper !== undefined);
    assert.deepEqual(keeper.targets.map(({ name, isReached }) => [name, isReached]).slice(0, 3), [
      ["normalized_input", true],
      ["reuse", true],
      ["full_fetches", true],
    ]);
    const [after, before] = keeper.versions;
    assert.ok((after?.figures.inputPerWake ?? Infinity) < 0.5 * (before?.figures.inputPerWake ?? 0));
    assert.equal(keeper.figures.guardrails.completedTasks, 2);
    const { reasons, guardrails } = report.total;
    assert.ok(reasons.length >= 4 && guardrails.environment === 1 && guardrails.interrupted === 1);
    assert.ok(wakes.length > 35 && ordinary.length > 2);
    const known = await client.ask("overview", { asked: filter });
    const ids = new Set(known.ok ? known.value.answer.sessions.map(({ id }) => id) : []);
    assert.ok(wakes.some(({ sessionId }) => sessionId !== null && ids.has(sessionId)));
  });

  test("has the recurring agents' sessions and wakes as the view shows them", async () => {
    const homes = sampleHomes(folder);
    const { wakes } = purserPaths({ env: homes.env, home: folder });
    const ports = overviewPorts(wakes, { now: () => now, pid: process.pid });
    const agents = await readOverviews(homes.workspace, ports);
    assert.deepEqual(
      agents.map(({ name, faults, isAgreed, isBusy, dueSince }) => [
        name,
        faults,
        isAgreed,
        isBusy,
        dueSince,
      ]),
      [
        ["keeper", [], true, false, null],
        ["triage", [], true, false, null],
      ],
    );
    const [keeper] = agents;
    assert.ok(keeper !== undefined && keeper.nextWake !== null && keeper.nextWake > now);
    assert.deepEqual(
      keeper.sessions.map(({ task }) => task),
      ["H-18", "H-15", "H-12"],
    );
    assert.ok((keeper.sessions[0]?.wakes ?? 0) > 3);
    assert.ok(keeper.wakes.length > 25 && now - (keeper.wakes[0]?.endedAt ?? 0) < 2 * 86_400_000);
  });

  test("has a live session that belongs to the window", async () => {
    const status = await client.ask("status", {});
    assert.ok(status.ok);
    const live = status.value.sessions.filter((session) => session.live && session.folder !== null);
    assert.ok(
      live.length > 0,
      JSON.stringify(
        status.value.sessions.map(({ title, live: is, lastActivity }) => [title, is, lastActivity]),
      ),
    );
  });

  test("has rules in each state that a person meets, with their evidence and intact receipts", async () => {
    const read = await client.ask("rulesRead", { root: root() });
    assert.ok(read.ok);
    const { rules, memories } = read.value.view;
    assert.deepEqual(
      new Set(rules.map(({ status }) => status)),
      new Set(["candidate", "measured", "active", "shelved", "evicted"]),
    );
    assert.ok(rules.some(({ status, source }) => status === "candidate" && source !== null));
    assert.ok(
      memories.some(({ state, isCurrent }) => state === "ours" && isCurrent),
      JSON.stringify(memories.map(({ state, isCurrent }) => [state, isCurrent])),
    );
    for (const { id, receipts } of rules.filter((rule) => rule.receipts.length > 0)) {
      const evidence = await client.ask("rulesEvidenceOf", { id });
      assert.ok(evidence.ok && (evidence.value.evidence?.pairs.length ?? 0) > 0);
      const receipt = await client.ask("rulesReceipt", { id: receipts[0]?.id ?? "" });
      assert.ok(receipt.ok && readReceipt(receipt.value.json ?? "").ok);
    }
  });

  test("has a finished benchmark with turns and changed files, and comparisons that are better, worse and undecided", async () => {
    const listed = await client.ask("benchList", {});
    assert.ok(listed.ok);
    assert.ok(listed.value.jobs.every(({ state }) => state.kind === "done"));
    assert.ok(listed.value.jobs.filter(({ ask }) => ask.kind === "bench").length >= 2, "with a history");
    assert.deepEqual(
      listed.value.jobs.flatMap(({ comparison }) => comparison?.result?.decision ?? []).sort(),
      ["costs", "saves", "undecided"],
    );
    const bench = jobs.find(
      ({ ask, runs }) => ask.kind === "bench" && runs.some(({ outcome }) => outcome === "passed"),
    );
    const run = bench?.runs.find(({ trajectory, outcome }) => trajectory !== null && outcome === "passed");
    assert.ok(bench !== undefined && run !== undefined);
    const page = await client.ask("benchRun", { id: bench.id, runId: run.id });
    const trajectory = page.ok ? page.value.page?.trajectory : null;
    assert.ok((trajectory?.turns.length ?? 0) > 3);
    const change = await client.ask("benchChange", {
      id: bench.id,
      runId: run.id,
      path: trajectory?.changes[0]?.path ?? "",
    });
    assert.ok(change.ok && change.value.change !== null);
    assert.notEqual(change.value.change.before, null);
    assert.notEqual(change.value.change.before, change.value.change.after);
  });

  test("has a report of its agents", async () => {
    const read = await client.ask("rulesReport", { project: null });
    assert.ok(read.ok);
    const { agents: reported, receipts, metaCost } = read.value.report;
    const backend = reported.find(({ agent }) => agent === "backend");
    assert.ok(
      backend !== undefined && backend.runs > 5 && backend.learned.length > 1 && backend.suites.length > 0,
    );
    assert.ok(receipts > 0 && metaCost.realWork > 0);
  });

  test("runs nothing: a job is refused, with the reason", async () => {
    const bench = jobs.filter(isMeasuring).find(({ ask }) => ask.kind === "bench");
    assert.ok(bench !== undefined);
    const planned = await client.ask("benchPlan", { ask: bench.ask, env: {} });
    assert.match(planned.ok ? "" : planned.detail.text, /nothing runs in it/u);
    const choices = await client.ask("benchChoices", { workspace: null, env: {} });
    assert.deepEqual(choices.ok && choices.value.drivers, []);
  });

  test("states for each comparison and rule what the verdict room computes from its runs", async () => {
    let compared = 0;
    for (const job of jobs) {
      const settled = [
        ...(job.comparison?.result === null ? [] : [job.comparison?.result]),
        ...(job.selection?.rules.map(({ result }) => result) ?? []),
      ].filter((result) => result !== undefined && result !== null);
      for (const result of settled) {
        const read = await client.ask("rulesReceipt", { id: result.receipt.id });
        const receipt = readReceipt(read.ok ? (read.value.json ?? "") : "");
        assert.ok(receipt.ok, receipt.ok ? "" : receipt.detail.text);
        const verdict =
          receipt.value.together === undefined
            ? await verdictOf(receipt.value, job)
            : await sharedVerdictOf(receipt.value, job);
        assert.deepEqual(verdict, receipt.value.verdict);
        assert.deepEqual(
          [result.decision, result.reason, result.saving],
          [verdict.kind, verdict.reason, verdict.saving],
        );
        compared += 1;
      }
    }
    assert.ok(compared >= 6);
  });

  /** Evidence in a rule's shared runs. The ledger's samples of them are the job's own runs. */
  async function sharedVerdictOf({ id, agent, question }: Receipt, { runs }: StoredJob) {
    const read = await client.ask("rulesEvidence", { agent });
    assert.ok(read.ok);
    const evidence = read.value.evidence.find((each) => id === `${each.id}.receipt`);
    assert.ok(evidence !== undefined);
    const group = evidence.id.slice(0, -`.${evidence.ruleId}`.length);
    const own = runs.filter(({ benchId }) => benchId.startsWith(`${group}.`));
    const made = own.map((run) => `${run.round} ${run.taskId} ${run.processingTokens}`);
    for (const { round, taskId, tokens } of evidence.samples)
      assert.ok(made.includes(`${round} ${taskId} ${tokens}`), "each sample is a run of the job");
    return judge(evidence.samples, given(question));
  }
});

/** A receipt's question, without the parts that it does not give. */
function given({ passMargin, plannedRounds, firstLook, worth, ...rest }: Receipt["question"]): Question {
  return {
    ...rest,
    ...(passMargin === undefined ? {} : { passMargin }),
    ...(plannedRounds === undefined ? {} : { plannedRounds }),
    ...(firstLook === undefined ? {} : { firstLook }),
    ...(worth === undefined ? {} : { worth }),
  };
}

/** Evidence in the runs of a receipt's own measurement, computed again. */
async function verdictOf({ id, question, verdict }: Receipt, { runs, outline }: StoredJob) {
  const weights = new Map(outline?.tasks.map((task) => [task.id, task.weight]) ?? []);
  const own = runs.filter(({ benchId }) => id === `${benchId}.receipt`);
  const asked = {
    question: given(question),
    pooled: [],
    stored: [],
    expectedTokens: verdict.tokensSpent / verdict.rounds,
  };
  const outcome = await runExperiment(
    asked,
    {
      round: (round) =>
        Promise.resolve({
          kind: "made",
          samples: samplesOfRuns(
            own.filter((run) => run.round === round),
            weights,
          ),
        }),
      onProgress: () => undefined,
    },
    new AbortController().signal,
  );
  return outcome.verdict;
}
