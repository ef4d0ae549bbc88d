import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail } from "../../../src/engine/base/result.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { makeMemory, makeRules, makeSelection, selectAsk } from "../../webview/rules/fixtures.ts";
import { makeHead } from "../../webview/rules/trial-fixtures.ts";
import { makeReport } from "../../webview/rules/report-fixture.ts";
import { RulesControllerHarness } from "../support/rules-controller-harness.ts";

test("reports agents that do not read their memory, and opens only existing definitions", async () => {
  const harness = await new RulesControllerHarness().begun();
  const last = () => harness.posted.findLast((message) => message.type === "unreached")?.agents;
  await waitUntil(() => last() !== undefined);
  const agents = [...new Set(makeRules().memories.map(({ agent }) => agent))];
  assert.deepEqual(
    last()?.map(({ agent, kind }) => [agent, kind]),
    agents.map((agent) => [agent, "no-definition"]),
  );
  const [name = ""] = agents;
  harness.talk.handleMessage({ type: "addMemory", agent: name });
  harness.definitions = [{ name, file: "/a/x.md", memory: null }];
  harness.changed(1);
  await waitUntil(() => last()?.[0]?.kind === "no-memory");
  harness.talk.handleMessage({ type: "addMemory", agent: name });
  await waitUntil(() => harness.did.length > 0);
  assert.deepEqual(harness.did, ["add memory /a/x.md"]);
  harness.definitions = agents.map((each) => ({ name: each, file: "/a/x.md", memory: "user" }));
  harness.changed(1);
  await waitUntil(() => last()?.length === 0);
  harness.talk.dispose();
});

test("sends rules at the start, the evidence of the selected rule, and both after changes", async () => {
  const harness = await new RulesControllerHarness().begun();
  harness.talk.handleMessage({ type: "look", place: { kind: "rule", id: "r0000000002" } });
  await waitUntil(() =>
    harness.posted.some((message) => message.type === "evidence" && message.id === "r0000000002"),
  );
  const before = harness.posted.filter(({ type }) => type === "rules").length;
  harness.changed(1);
  await waitUntil(() => harness.posted.filter(({ type }) => type === "rules").length > before);
  harness.talk.dispose();
});

test("follows an edited rule, and reports a refusal", async () => {
  const harness = await new RulesControllerHarness().begun();
  harness.talk.handleMessage({
    type: "act",
    id: "r0000000001",
    act: { kind: "edit", text: "Another sentence." },
  });
  await waitUntil(() =>
    harness.posted.some((message) => message.type === "done" && message.follow === "r0000000009"),
  );
  harness.refusal = "it is active already";
  harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() =>
    harness.posted.some(
      (message) => message.type === "error" && message.message.includes("it is active already"),
    ),
  );
  harness.talk.dispose();
});

test("opens only the file that the ledger names as a rule's source", async () => {
  const harness = await new RulesControllerHarness().begun();
  harness.talk.handleMessage({ type: "openSource", id: "r0000000001", line: 31 });
  harness.talk.handleMessage({ type: "openSource", id: "r0000000002", line: 31 });
  harness.talk.handleMessage({ type: "openSource", id: "r9", line: 1 });
  assert.deepEqual(harness.did, ["open /home/mara/.claude/projects/-harbor/5e550001.jsonl:31"]);
  harness.talk.dispose();
});

test("opens the stored part of a run when its transcript is gone", async () => {
  const talk = new RulesControllerHarness();
  const [first] = talk.view.rules;
  const source = {
    kind: "run" as const,
    sessionId: "s",
    runId: "s:m",
    transcript: "/t/s.jsonl",
    finding: plainSentence("f"),
    turns: [],
  };
  assert.ok(first !== undefined);
  talk.view = { ...talk.view, rules: [{ ...first, source }] };
  const harness = await talk.begun();
  const open = async () => {
    const before = harness.did.length;
    harness.talk.handleMessage({ type: "openSource", id: first.id, line: 4 });
    await waitUntil(() => harness.did.length > before);
    return harness.did.at(-1);
  };
  assert.equal(await open(), "open /t/s.jsonl:4");
  harness.isGone = true;
  assert.equal(await open(), "open /t/s.jsonl:4", "nothing was stored: the editor reports the missing file");
  harness.receipts = { "digest:s:m": JSON.stringify({ digest: "1 Read /p/a.ts -> 90 characters" }) };
  assert.match((await open()) ?? "", /^text The transcript is gone.*without secrets:\n\n1 Read/u);
  harness.talk.dispose();
});

test("A memory that is the user's is replaced only by the very text the panel showed", async () => {
  const harness = await new RulesControllerHarness().begun();
  harness.talk.handleMessage({ type: "compile", agent: "test-writer", replaces: "- Mine.\n" });
  harness.talk.handleMessage({ type: "undoMemory", agent: "test-writer", version: "2" });
  await waitUntil(() => harness.did.length === 2);
  assert.deepEqual(harness.did, ["compile - Mine.\n", "undo 2"]);
  harness.talk.dispose();
});

test("sends the use of real work per version while an agent's memory is shown", async () => {
  const harness = await new RulesControllerHarness().begun();
  for (const agent of ["test-writer", "nobody"]) {
    harness.talk.handleMessage({ type: "look", place: { kind: "memory", agent } });
    await waitUntil(() =>
      harness.posted.some((message) => message.type === "learning" && message.agent === agent),
    );
  }
  const learned = harness.posted.flatMap((message) =>
    message.type === "learning" ? [message.learned.length] : [],
  );
  assert.deepEqual(learned, [
    makeReport().agents.find(({ agent }) => agent === "test-writer")?.learned.length,
    0,
  ]);
  harness.talk.dispose();
});

test("ignores unknown messages, sends a hidden panel nothing, and reports being offline", async () => {
  const harness = await new RulesControllerHarness().begun();
  for (const message of [null, { type: "act" }, { type: "compile", agent: "" }, "ready"])
    harness.talk.handleMessage(message);
  assert.equal(harness.did.length, 4);
  assert.ok(harness.did.every((line) => line.includes("not understood")));
  harness.talk.setVisible(false);
  const { length } = harness.posted;
  harness.changed(2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(harness.posted.length, length);
  harness.service.unreachable = fail("offline", plainSentence("It is away."));
  harness.talk.setVisible(true);
  await waitUntil(() =>
    harness.posted.some((message) => message.type === "offline" && message.message === "It is away."),
  );
  harness.talk.dispose();
});

test("sends selections but no benches, a price before a start, and a reason when planning fails", async () => {
  const harness = await new RulesControllerHarness().begun();
  await waitUntil(() => harness.posted.some((message) => message.type === "jobs" && message.jobs.length > 0));
  const jobs = harness.posted.findLast((message) => message.type === "jobs");
  assert.deepEqual(jobs?.type === "jobs" && jobs.jobs.map(({ id }) => id), ["s1"]);
  harness.talk.handleMessage({ type: "look", place: { kind: "selection", agent: "sql" } });
  await waitUntil(() => harness.posted.some((message) => message.type === "offer"));
  const offer = harness.posted.findLast((message) => message.type === "offer");
  assert.deepEqual(offer?.type === "offer" && offer.suite, { origin: "built-in" });
  harness.talk.handleMessage({ type: "look", place: { kind: "selection", agent: "nobody" } });
  await waitUntil(() => harness.posted.some((message) => message.type === "offer" && message.suite === null));
  harness.talk.handleMessage({ type: "plan", ask: selectAsk });
  await waitUntil(() => harness.posted.some((message) => message.type === "plan" && message.plan !== null));
  harness.talk.handleMessage({ type: "plan", ask: { ...selectAsk, tokenCap: 1 } });
  await waitUntil(() =>
    harness.posted.some(
      (message) => message.type === "plan" && message.problem === "the fixture was changed",
    ),
  );
  assert.deepEqual(harness.did, [], "nothing began");
  harness.talk.handleMessage({ type: "start", ask: selectAsk });
  harness.talk.handleMessage({ type: "cancel", id: "s1" });
  harness.talk.handleMessage({ type: "resume", id: "s1" });
  assert.deepEqual(harness.did, ["start select", "cancel s1", "resume s1"]);
  harness.service.notices.benchChanged.fire({ jobs: [{ ...makeSelection(), state: { kind: "done" } }] });
  await waitUntil(() =>
    harness.posted.some((message) => message.type === "jobs" && message.jobs[0]?.state.kind === "done"),
  );
  harness.talk.dispose();
});

test("sends its state at once when the service arrives after the panel was ready", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const harness = new RulesControllerHarness();
  t.after(() => harness.talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  harness.service.unreachable = fail("starting", plainSentence("the service is not connected yet"));
  harness.talk.handleMessage({ type: "ready", place: { kind: "rule", id: "r0000000002" } });
  await turns();
  const types = () => harness.posted.map(({ type }) => type).filter((type) => type !== "jobs");
  assert.deepEqual(types(), []);
  harness.service.unreachable = null;
  harness.service.switchService();
  await turns();
  assert.deepEqual(types().sort(), ["evidence", "rules", "unreached"]);
});

test("reports a user's request as not done while there is no service", async (t) => {
  const harness = await new RulesControllerHarness().begun();
  t.after(() => harness.talk.dispose());
  harness.service.unreachable = fail("starting", plainSentence("the service is not connected yet"));
  harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() => harness.posted.some(({ type }) => type === "error"));
  assert.deepEqual(harness.posted.at(-1), {
    type: "error",
    message: "That could not be done: the service is not connected yet",
  });
});

test("Rules that cannot be read are not reported as something the person did", async (t) => {
  const harness = new RulesControllerHarness();
  harness.service.unreachable = fail("failed", plainSentence("the ledger cannot be opened: locked"));
  harness.talk.handleMessage({ type: "ready", place: null });
  t.after(() => harness.talk.dispose());
  await waitUntil(() => harness.posted.some(({ type }) => type === "error"));
  assert.deepEqual(
    harness.posted.find(({ type }) => type === "error"),
    { type: "error", message: "The rules could not be read: the ledger cannot be opened: locked" },
  );
});

test("sends the shown trial with a plan for another, starts it as shown, and stops it", async () => {
  const talk = new RulesControllerHarness();
  talk.folder = "/work";
  talk.trials = [makeHead({ id: "t-old", stoppedAt: 5 }), makeHead()];
  const harness = await talk.begun();
  const posted = (type: string) => harness.posted.filter((message) => message.type === type);
  await waitUntil(() => posted("trials").length === 1);
  assert.deepEqual(harness.did, [], "nothing is reckoned before anybody looks");
  const agent = "test-writer";
  harness.talk.handleMessage({ type: "look", place: { kind: "trial", agent } });
  await waitUntil(() => posted("trial").length === 1 && posted("trialPlan").length === 1);
  assert.deepEqual(harness.did.toSorted(), ["plan null in /work", "status t1234567890"], "the one that runs");
  harness.talk.handleMessage({ type: "planTrial", agent, isEverywhere: true });
  await waitUntil(() => harness.did.includes("plan null in null"));
  harness.talk.handleMessage({
    type: "startTrial",
    agent,
    isEverywhere: false,
    ruleIds: ["r1", "r2"],
    switchesOff: false,
  });
  await waitUntil(() => harness.did.includes("try r1,r2 in /work"));
  await waitUntil(() => posted("done").length === 1 && posted("trial").length === 2);
  harness.talk.handleMessage({ type: "stopTrial", id: "t1234567890" });
  await waitUntil(() => harness.did.includes("stop t1234567890") && posted("done").length === 2);
  harness.talk.handleMessage({ type: "chooseTrial", agent, id: "t-old" });
  await waitUntil(() => harness.did.filter((what) => what === "status t-old").length === 1);
  harness.talk.handleMessage({ type: "look", place: { kind: "trial", agent } });
  await waitUntil(() => harness.did.filter((what) => what === "status t-old").length === 2);
  harness.talk.handleMessage({ type: "look", place: { kind: "selection", agent } });
  harness.talk.handleMessage({ type: "look", place: { kind: "trial", agent } });
  await waitUntil(() => harness.did.findLast((what) => what.startsWith("status")) === "status t1234567890");
  harness.talk.dispose();
});

test("sends the reason why no trial can start with the plan and after a request", async () => {
  const harness = await new RulesControllerHarness().begun();
  harness.refusal = "no agent's hooks reach purser here";
  const agent = "test-writer";
  harness.talk.handleMessage({ type: "look", place: { kind: "trial", agent } });
  const plan = () => harness.posted.findLast((message) => message.type === "trialPlan");
  await waitUntil(() => plan() !== undefined);
  assert.deepEqual([plan()?.plan, plan()?.problem], [null, "no agent's hooks reach purser here"]);
  const trial = harness.posted.findLast((message) => message.type === "trial");
  assert.equal(trial?.trial, null, "this agent never had one");
  harness.talk.handleMessage({
    type: "startTrial",
    agent,
    isEverywhere: true,
    ruleIds: ["r1"],
    switchesOff: false,
  });
  await waitUntil(() => harness.posted.some((message) => message.type === "error"));
  harness.talk.dispose();
});

test("the first approval of a rule of the main conversation asks for its file, once a project", async () => {
  const harness = new RulesControllerHarness();
  harness.folder = "/home/mara/harbor";
  const rules = harness.view.rules.map((rule) => ({ ...rule, agent: "main" }));
  harness.view = { rules, memories: [makeMemory({ agent: "main", project: "/home/mara/other" })] };
  await harness.begun();
  const last = () => harness.posted.findLast((message) => message.type === "unreached")?.agents;
  await waitUntil(() => last() !== undefined);
  assert.deepEqual(
    last()?.map(({ agent, kind }) => [agent, kind]),
    [["main", "main"]],
    "another project's file is not this one's",
  );
  const approve = () =>
    harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  approve();
  await waitUntil(() => harness.posted.some(({ type }) => type === "error"));
  assert.deepEqual(harness.did, [], "given up: nothing is approved");

  harness.picked = { project: "/home/mara/harbor", name: "CLAUDE.local.md" };
  approve();
  await waitUntil(() => harness.did.includes("approve r0000000001"));
  assert.deepEqual(harness.did, ["file CLAUDE.local.md in /home/mara/harbor", "approve r0000000001"]);
  approve();
  await waitUntil(() => harness.did.length === 3);
  assert.deepEqual(harness.did.slice(2), ["approve r0000000001"], "asked once");
  await waitUntil(() => last()?.length === 0);
  harness.talk.dispose();
});

test("without a folder there is no file to choose", async () => {
  const harness = new RulesControllerHarness();
  harness.view = { rules: harness.view.rules.map((rule) => ({ ...rule, agent: "main" })), memories: [] };
  await harness.begun();
  await waitUntil(() => harness.posted.some(({ type }) => type === "unreached"));
  const unreached = harness.posted.findLast((message) => message.type === "unreached");
  assert.deepEqual(
    unreached?.agents.map(({ kind }) => kind),
    ["no-folder"],
  );
  harness.talk.dispose();
});
