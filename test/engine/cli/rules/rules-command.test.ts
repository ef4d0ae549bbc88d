import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { memoryJson, reportJson, rulesJson } from "../../../../src/engine/cli/rules/rules-schema.ts";
import { digestEntry } from "../../../../src/engine/rules/distil/import-lines.ts";
import { readTrajectory } from "../../../../src/engine/rules/distil/trajectory.ts";
import { appendEntries } from "../../ledger/support/support.ts";
import { TranscriptLines } from "../../rules/support/transcript.ts";
import { served } from "../../service/support/rules-service.ts";
import { Scratch } from "../support/support.ts";

async function placeFor(t: TestContext) {
  const { box, ledger } = await served(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    home: box.folder,
    now: () => Date.now(),
    version: () => "1.0.0",
    env: { ...box.env, CLAUDE_CONFIG_DIR: scratch.root },
  };
  return { scratch, ledger, purser: (...argv: string[]) => scratch.purser(argv, host) };
}

const sentence = "Read a file once and work from what you saw.";

test("A rule is added, listed, shown, approved, taken back, protected and rejected", async (t) => {
  const { purser } = await placeFor(t);
  const added = await purser("rules", "add", "scout", "--rule", sentence);
  assert.deepEqual([added.code, added.stderr], [0, ""]);
  const id = /^(r[0-9a-f]{10}) is proposed/u.exec(added.stdout)?.[1] ?? "";
  assert.match((await purser("rules", "list")).stdout, /scout {2}proposed +– +\d+ {2}Read a file once/u);
  assert.match(
    (await purser("rules", "show", id.slice(0, 6))).stdout,
    /Cost per session: \d+ tokens \(.*estimated/u,
  );
  assert.match((await purser("rules", "approve", id)).stdout, /is approved: approved/u);
  assert.match((await purser("rules", "undo", id)).stdout, /is candidate: taken back: approved/u);
  await purser("rules", "protect", id);
  await purser("rules", "reject", id, "--why", "too vague");
  const { stdout } = await purser("rules", "history", id);
  assert.deepEqual(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.slice(18)),
    [
      "user: candidate; written by hand",
      "user: approved; approved",
      "user: candidate; taken back: approved",
      "user: candidate; protected: never evicted, only costed",
      "user: evicted; rejected: too vague",
    ],
  );
  const listed = rulesJson.parse(
    JSON.parse((await purser("rules", "list", "--json", "--status", "evicted")).stdout),
  );
  assert.deepEqual(
    listed.rules.map((rule) => [rule.id, rule.isProtected]),
    [[id, true]],
  );
  const again = await purser("rules", "add", "scout", "--rule", sentence);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(again.stderr, /too vague/u);
});

test("reports an agent that no rule reaches until its definition contains memory: user", async (t) => {
  const { purser, scratch } = await placeFor(t);
  const unknown = await purser("rules", "add", "scout", "--rule", sentence);
  assert.match(unknown.stdout, /is proposed.*\nNo rule reaches scout\. Claude Code has no definition/u);
  const file = path.join(scratch.root, "agents", "scout.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "---\nname: scout\n---\nLook.\n");
  assert.match(
    (await purser("memory", "show", "scout")).stdout,
    /add the line memory: user to .*scout\.md\.\n$/u,
  );
  const id = /^(r[0-9a-f]{10}) /u.exec(unknown.stdout)?.[1] ?? "";
  assert.match((await purser("rules", "approve", id)).stdout, /No rule reaches scout/u);
  writeFileSync(file, "---\nname: scout\nmemory: user\n---\nLook.\n");
  for (const argv of [
    ["rules", "show", id],
    ["memory", "show", "scout"],
  ])
    assert.doesNotMatch((await purser(...argv)).stdout, /No rule reaches/u);
});

test("names the file and line of a passed rule before it is let in", async (t) => {
  const { purser, ledger, scratch } = await placeFor(t);
  const added = await purser("rules", "add", "scout", "--rule", sentence);
  const id = /^(r[0-9a-f]{10}) /u.exec(added.stdout)?.[1] ?? "";
  await appendEntries(ledger, { kind: "rule", id, agent: "scout", body: sentence, status: "measured" });
  const file = path.join(scratch.root, "agent-memory", "scout", "MEMORY.md");
  const shown = await purser("rules", "show", id);
  assert.ok(
    shown.stdout.includes(`purser rules approve ${id} writes this line into ${file}:\n  - ${sentence}\n`),
  );
  assert.equal(existsSync(file), false);
  const done = await purser("rules", "approve", id);
  assert.match(done.stdout, /memory: - Read a file once/u);
  assert.match(readFileSync(file, "utf8"), /^- Read a file once/mu);
});

test("Lines of a file become candidates, and the file is not touched", async (t) => {
  const { purser, scratch } = await placeFor(t);
  const file = path.join(scratch.root, "CLAUDE.md");
  const text =
    "# Notes\n\n- Use pnpm in this repository, never npm.\n- Skip the tests to be quick.\n- Keep functions small.\n";
  writeFileSync(file, text);
  const done = await purser("rules", "import", "scout", "--from", "CLAUDE.md");
  assert.match(done.stdout, /^2 of 2 lines are proposed as rules/u);
  assert.match(done.stderr, /^line 4: it saves tokens by skipping checks/u);
  assert.equal(readFileSync(file, "utf8"), text);
  const listed = rulesJson.parse(JSON.parse((await purser("rules", "list", "--json")).stdout));
  assert.deepEqual(
    listed.rules.map(({ source }) => source?.kind === "file" && source.line),
    [3, 5],
  );
});

test("shows the change of a user's own memory, and leaves the memory unchanged", async (t) => {
  const { purser, scratch } = await placeFor(t);
  await purser("rules", "add", "scout", "--rule", sentence);
  const file = path.join(scratch.root, "agent-memory", "scout", "MEMORY.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "- Mine\u001b[31m.\n");
  const shown = await purser("memory", "show", "scout");
  assert.match(shown.stdout, /was not written by purser\n\n- - Mine\.\n/u);
  const refused = await purser("memory", "compile", "scout");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.equal(readFileSync(file, "utf8"), "- Mine\u001b[31m.\n");
  const json = memoryJson.parse(JSON.parse((await purser("memory", "show", "scout", "--json")).stdout));
  assert.equal(json.memory.state, "foreign");
});

test("a report shows runs and rules of each agent, and no name can forge a line", async (t) => {
  const { purser, ledger } = await placeFor(t);
  await appendEntries(ledger, {
    kind: "run",
    id: "s:m",
    sessionId: "s",
    agent: "scout\nmain 999",
    project: "/p\u001b[2J\n/forged",
    completed: true,
    input: 10,
    output: 0,
    cacheCreation: 0,
    cacheRead: 0,
    endedAt: 5,
  });
  const { stdout, code } = await purser("report");
  assert.equal(code, 0);
  assert.match(stdout, /^scout main 999 +1 +10/mu);
  assert.doesNotMatch(stdout, /^\/forged|\u001b/mu);
  const json = reportJson.parse(JSON.parse((await purser("report", "--json")).stdout));
  assert.equal(json.report.agents[0]?.runs, 1);
  assert.deepEqual(json.report.agents[0].learned[0], {
    version: null,
    at: null,
    rules: null,
    runs: 1,
    mean: 10,
    median: 10,
    p25: 10,
    p75: 10,
  });
  assert.deepEqual(json.report.metaCost, { realWork: 0, benches: 0, share: null });
});

test("a report of one folder contains only its runs, but all rules", async (t) => {
  const { purser, ledger, scratch } = await placeFor(t);
  const run = (id: string, project: string, input: number) => ({
    ...({ kind: "run", id, sessionId: id, agent: "scout", project, completed: true, endedAt: 5 } as const),
    input,
    output: 0,
    cacheCreation: 0,
    cacheRead: 0,
  });
  const here = path.join(scratch.root, "här");
  await appendEntries(ledger, run("a", here, 10), run("b", "/elsewhere", 500));
  await purser("rules", "add", "writer", "--rule", sentence);
  const json = async (...more: string[]) =>
    reportJson.parse(JSON.parse((await purser("report", "--json", ...more)).stdout)).report;
  const reported = await json("--project", "här");
  assert.deepEqual(
    reported.agents.map(({ agent, runs, median, rules }) => [agent, runs, median, rules.candidate]),
    [
      ["scout", 1, 10, 0],
      ["writer", 0, null, 1],
    ],
  );
  assert.deepEqual([reported.project, reported.projects.length], [here, 2]);
  assert.equal((await json()).agents[0]?.runs, 2);
  assert.match((await purser("report", "--project", "här")).stdout, /^Runs and learning of .*här\n/u);
});

test("reports what is missing in a run that cannot give a rule, and asks no model", async (t) => {
  const { purser, ledger, scratch } = await placeFor(t);
  const file = path.join(scratch.root, "projects", "-p", "s-6.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, new TranscriptLines().read("/p/a.ts", 9000).read("/p/a.ts", 9000).lines.join("\n"));
  const start = Date.UTC(2026, 10, 2);
  for (const number of [1, 2, 3, 4, 5, 6])
    await appendEntries(ledger, {
      kind: "run",
      id: `s-${number}:m`,
      sessionId: `s-${number}`,
      agent: "Explore",
      completed: true,
      input: number * 1000,
      output: 0,
      cacheCreation: 0,
      cacheRead: 0,
      startedAt: start,
      endedAt: start + number * 100_000,
    });
  await appendEntries(ledger, { kind: "position", path: file, identity: "1:2", offset: 1 });
  const looked = await purser("rules", "distil");
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    looked.stdout,
    /No rule can be proposed from it:\n {2}Claude Code has no definition of this agent/u,
  );
  const asked = await purser("rules", "distil", "--ask");
  assert.deepEqual([asked.code, asked.stderr.includes("no model was called")], [1, true]);
  assert.match(
    (await purser("report")).stdout,
    /Found in expensive runs of agents without rules:\n {2}Explore, session s-6/u,
  );
});

test("prints a rule's run after its transcript is gone, without control characters", async (t) => {
  const { purser, ledger } = await placeFor(t);
  const source = {
    kind: "run",
    sessionId: "s",
    runId: "s:m",
    transcript: "/gone.jsonl",
    finding: "read twice",
    turns: [{ line: 3, what: "Read /p/a.ts" }],
  };
  const rule = { kind: "rule" as const, agent: "scout", body: sentence, status: "candidate" };
  await appendEntries(
    ledger,
    { ...rule, id: "r1", source: JSON.stringify(source) },
    { ...rule, id: "r2" },
    digestEntry(
      "s:m",
      readTrajectory(new TranscriptLines().read("/p/a\u001b[2J.ts", 90).lines, {
        since: null,
        until: null,
      }),
      5,
    ),
  );
  assert.match((await purser("rules", "show", "r1")).stdout, /everything it did: purser rules digest r1\n/u);
  const kept = await purser("rules", "digest", "r1");
  assert.deepEqual([kept.code, kept.stdout], [0, "1 Read /p/a.ts -> 90 characters\n"]);
  const none = await purser("rules", "digest", "r2");
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /no run is kept/u);
});

test("corrects wrong arguments", async (t) => {
  const { purser } = await placeFor(t);
  for (const [argv, code, words] of [
    [["rules", "show"], 2, /missing ID/u],
    [["rules", "show", "r0"], 1, /there is no rule r0/u],
    [["rules", "add", "scout"], 2, /--rule/u],
    [["rules", "list", "--status", "actve"], 2, /--status "actve" is not one of candidate, approved/u],
    [["rules", "add", "../x", "--rule", sentence], 1, /agent's name/u],
    [["rules", "frobnicate"], 2, /unknown subcommand "frobnicate"/u],
    [["memory", "undo", "scout", "--version", "9"], 1, /no version 9/u],
    [["report", "--nonsense"], 2, /unknown option/u],
  ] as const) {
    const done = await purser(...argv);
    assert.equal(done.code, code, argv.join(" "));
    assert.match(done.stderr, words);
  }
});

test("the file of the main conversation's rules is chosen, shown and taken back in the terminal", async (t) => {
  const { purser, scratch } = await placeFor(t);
  const none = await purser("rules", "file");
  assert.match(
    none.stdout,
    /^No file is chosen in .*--use NAME chooses one:\n {2}CLAUDE\.local\.md: Claude Code/u,
  );
  const added = await purser("rules", "add", "main", "--rule", sentence);
  assert.match(
    added.stdout,
    /file of this project that you choose\. purser rules file --use NAME chooses it\./u,
  );
  const chosen = await purser("rules", "file", "--use", "AGENTS.md");
  assert.match(
    chosen.stdout,
    /AGENTS\.md is chosen, and has the active rules of the main conversation\.\n$/u,
  );
  assert.doesNotMatch(
    (await purser("rules", "show", /r[0-9a-f]{10}/u.exec(added.stdout)?.[0] ?? "")).stdout,
    /No rule reaches/u,
  );
  assert.equal(existsSync(path.join(scratch.root, "AGENTS.md")), false, "no rule is active");
  assert.match((await purser("rules", "file", "--use", "none")).stdout, /^No file is chosen/u);
  assert.equal((await purser("rules", "file", "--use", "README.md")).code, 2);
});
