import assert from "node:assert/strict";
import test from "node:test";
import { fail } from "../../../src/engine/base/result.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { makeRules, makeSelection, selectAsk } from "../../webview/rules/fixtures.ts";
import { makeReport } from "../../webview/report/fixtures.ts";
import { RulesTalk } from "../support/rules-talk.ts";

test("It tells which agents do not read their memory, and opens only a definition that is there", async () => {
  const told = await new RulesTalk().begun();
  const last = () => told.posted.findLast((message) => message.type === "unreached")?.agents;
  await waitUntil(() => last() !== undefined);
  const agents = [...new Set(makeRules().memories.map(({ agent }) => agent))];
  assert.deepEqual(
    last()?.map(({ agent, kind }) => [agent, kind]),
    agents.map((agent) => [agent, "no-definition"]),
  );
  const [name = ""] = agents;
  told.talk.hear({ type: "addMemory", agent: name });
  told.definitions = [{ name, file: "/a/x.md", memory: null }];
  told.changed(1);
  await waitUntil(() => last()?.[0]?.kind === "no-memory");
  told.talk.hear({ type: "addMemory", agent: name });
  await waitUntil(() => told.did.length > 0);
  assert.deepEqual(told.did, ["add memory /a/x.md"]);
  told.definitions = agents.map((each) => ({ name: each, file: "/a/x.md", memory: "user" }));
  told.changed(1);
  await waitUntil(() => last()?.length === 0);
  told.talk.dispose();
});

test("It tells rules when the panel begins, evidence of the one that is looked at, and again when they change", async () => {
  const told = await new RulesTalk().begun();
  told.talk.hear({ type: "look", place: { kind: "rule", id: "r0000000002" } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "evidence" && message.id === "r0000000002"),
  );
  const before = told.posted.filter(({ type }) => type === "rules").length;
  told.changed(1);
  await waitUntil(() => told.posted.filter(({ type }) => type === "rules").length > before);
  told.talk.dispose();
});

test("A rule that is edited is followed; what is refused is said", async () => {
  const told = await new RulesTalk().begun();
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "edit", text: "Another sentence." } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "done" && message.follow === "r0000000009"),
  );
  told.refusal = "it is active already";
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() =>
    told.posted.some(
      (message) => message.type === "error" && message.message.includes("it is active already"),
    ),
  );
  told.talk.dispose();
});

test("It opens only the file that the ledger names as a rule's source", async () => {
  const told = await new RulesTalk().begun();
  told.talk.hear({ type: "openSource", id: "r0000000001", line: 31 });
  told.talk.hear({ type: "openSource", id: "r0000000002", line: 31 });
  told.talk.hear({ type: "openSource", id: "r9", line: 1 });
  assert.deepEqual(told.did, ["open /home/mara/.claude/projects/-harbor/5e550001.jsonl:31"]);
  told.talk.dispose();
});

test("Of a transcript that is gone it opens what was kept of the run", async () => {
  const talk = new RulesTalk();
  const [first] = talk.view.rules;
  const source = {
    kind: "run" as const,
    sessionId: "s",
    runId: "s:m",
    transcript: "/t/s.jsonl",
    finding: "f",
    turns: [],
  };
  assert.ok(first !== undefined);
  talk.view = { ...talk.view, rules: [{ ...first, source }] };
  const told = await talk.begun();
  const open = async () => {
    const before = told.did.length;
    told.talk.hear({ type: "openSource", id: first.id, line: 4 });
    await waitUntil(() => told.did.length > before);
    return told.did.at(-1);
  };
  assert.equal(await open(), "open /t/s.jsonl:4");
  told.isGone = true;
  assert.equal(await open(), "open /t/s.jsonl:4", "nothing was kept: the editor says that it is not there");
  told.receipts = { "digest:s:m": JSON.stringify({ digest: "1 Read /p/a.ts -> 90 characters" }) };
  assert.match((await open()) ?? "", /^text The transcript is gone.*without secrets:\n\n1 Read/u);
  told.talk.dispose();
});

test("A memory that is the user's is replaced only by the very text the panel showed", async () => {
  const told = await new RulesTalk().begun();
  told.talk.hear({ type: "compile", agent: "test-writer", replaces: "- Mine.\n" });
  told.talk.hear({ type: "undoMemory", agent: "test-writer", version: "2" });
  await waitUntil(() => told.did.length === 2);
  assert.deepEqual(told.did, ["compile - Mine.\n", "undo 2"]);
  told.talk.dispose();
});

test("Who looks at an agent's memory is told what its real work took with each version", async () => {
  const told = await new RulesTalk().begun();
  for (const agent of ["test-writer", "nobody"]) {
    told.talk.hear({ type: "look", place: { kind: "memory", agent } });
    await waitUntil(() =>
      told.posted.some((message) => message.type === "learning" && message.agent === agent),
    );
  }
  const learned = told.posted.flatMap((message) =>
    message.type === "learning" ? [message.learned.length] : [],
  );
  assert.deepEqual(learned, [
    makeReport().agents.find(({ agent }) => agent === "test-writer")?.learned.length,
    0,
  ]);
  told.talk.dispose();
});

test("What is no message of the panel does nothing; a panel nobody sees is told nothing; offline is said", async () => {
  const told = await new RulesTalk().begun();
  for (const message of [null, { type: "act" }, { type: "compile", agent: "" }, "ready"])
    told.talk.hear(message);
  assert.equal(told.did.length, 4);
  assert.ok(told.did.every((line) => line.includes("not understood")));
  told.talk.setVisible(false);
  const { length } = told.posted;
  told.changed(2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(told.posted.length, length);
  told.service.nobody = fail("offline", "It is away.");
  told.talk.setVisible(true);
  await waitUntil(() =>
    told.posted.some((message) => message.type === "offline" && message.message === "It is away."),
  );
  told.talk.dispose();
});

test("Selections are told, benches are not; a price comes before a start, and what cannot be planned says why", async () => {
  const told = await new RulesTalk().begun();
  await waitUntil(() => told.posted.some((message) => message.type === "jobs" && message.jobs.length > 0));
  const jobs = told.posted.findLast((message) => message.type === "jobs");
  assert.deepEqual(jobs?.type === "jobs" && jobs.jobs.map(({ id }) => id), ["s1"]);
  told.talk.hear({ type: "look", place: { kind: "selection", agent: "sql" } });
  await waitUntil(() => told.posted.some((message) => message.type === "offer"));
  const offer = told.posted.findLast((message) => message.type === "offer");
  assert.deepEqual(offer?.type === "offer" && offer.suite, { origin: "built-in" });
  told.talk.hear({ type: "look", place: { kind: "selection", agent: "nobody" } });
  await waitUntil(() => told.posted.some((message) => message.type === "offer" && message.suite === null));
  told.talk.hear({ type: "plan", ask: selectAsk });
  await waitUntil(() => told.posted.some((message) => message.type === "plan" && message.plan !== null));
  told.talk.hear({ type: "plan", ask: { ...selectAsk, tokenCap: 1 } });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "plan" && message.problem === "the fixture was changed"),
  );
  assert.deepEqual(told.did, [], "nothing began");
  told.talk.hear({ type: "start", ask: selectAsk });
  told.talk.hear({ type: "cancel", id: "s1" });
  told.talk.hear({ type: "resume", id: "s1" });
  assert.deepEqual(told.did, ["start select", "cancel s1", "resume s1"]);
  told.service.notices.benchChanged.fire({ jobs: [{ ...makeSelection(), state: { kind: "done" } }] });
  await waitUntil(() =>
    told.posted.some((message) => message.type === "jobs" && message.jobs[0]?.state.kind === "done"),
  );
  told.talk.dispose();
});

test("A panel that was ready before the service is told at once when there is one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told = new RulesTalk();
  t.after(() => told.talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  told.service.nobody = fail("starting", "the service is not connected yet");
  told.talk.hear({ type: "ready", place: { kind: "rule", id: "r0000000002" } });
  await turns();
  const types = () => told.posted.map(({ type }) => type).filter((type) => type !== "jobs");
  assert.deepEqual(types(), []);
  told.service.nobody = null;
  told.service.anew();
  await turns();
  assert.deepEqual(types().sort(), ["evidence", "rules", "unreached"]);
});

test("What a person asks for while there is no service is said not to be done", async (t) => {
  const told = await new RulesTalk().begun();
  t.after(() => told.talk.dispose());
  told.service.nobody = fail("starting", "the service is not connected yet");
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() => told.posted.some(({ type }) => type === "error"));
  assert.deepEqual(told.posted.at(-1), {
    type: "error",
    message: "That could not be done: the service is not connected yet",
  });
});
