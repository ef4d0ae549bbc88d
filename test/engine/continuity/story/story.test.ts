import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { resumePacket } from "../../../../src/engine/continuity/packet/packet.ts";
import type { PastEvent } from "../../../../src/engine/transcripts/past.ts";
import { packetOf, PastSession, project, storyOf } from "../past-session.ts";

const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text);

test("prompts are counted and kept verbatim, without what the agent adds under a person's name", () => {
  const session = new PastSession()
    .prompt("Mend the login.\n<system-reminder>You have tools.</system-reminder>")
    .prompt("<command-name>/compact</command-name>")
    .prompt("[Request interrupted by user]")
    .prompt("Then the logout.");
  const { asked, turns } = packetOf(session);
  assert.deepEqual(asked, [
    { turn: 1, text: "Mend the login." },
    { turn: 2, text: "Then the logout." },
  ]);
  assert.equal(turns, 2);
});

test("of many prompts the first and the newest are kept", () => {
  const session = new PastSession();
  for (let index = 1; index <= 50; index += 1) session.prompt(`Step ${index}`);
  const { asked } = packetOf(session);
  assert.equal(asked.length, 20);
  assert.deepEqual([asked[0]?.text, asked[1]?.text, asked.at(-1)?.text], ["Step 1", "Step 32", "Step 50"]);
});

test("decisions are what a person forbids or chooses, but not questions or code", () => {
  const session = new PastSession().prompt(
    [
      "Add a cache. Never touch the migrations. Should we always use Redis?",
      "- Use vitest instead of jest.",
      "```",
      "// do not format",
      "```",
    ].join("\n"),
  );
  assert.deepEqual(texts(packetOf(session).decisions), [
    "Never touch the migrations.",
    "Use vitest instead of jest.",
  ]);
});

test("files are ranked by use, an edit before reads, and verified once a check has passed", () => {
  const session = new PastSession()
    .prompt("Mend it.")
    .readFile("README.md")
    .readFile("src/a.ts")
    .edit("src/a.ts");
  assert.deepEqual(packetOf(session).open, [
    { turn: 1, kind: "unverified", text: "Edited without a passed check: src/a.ts" },
  ]);
  session.run("npm test", "# pass 4");
  const { files, open, conventions } = packetOf(session);
  assert.deepEqual(files, [
    { path: "src/a.ts", turn: 1, reads: 1, edits: 1, outcome: "verified" },
    { path: "README.md", turn: 1, reads: 1, edits: 0, outcome: "read" },
  ]);
  assert.deepEqual(open, []);
  assert.deepEqual(conventions, [{ turn: 1, times: 1, text: "test: npm test" }]);
});

test("a check that fails is open work until the same kind of check passes", () => {
  const failing = "AssertionError: expected 3 to be 4";
  const session = new PastSession().prompt("Test it.").run("npm test 2>&1 | tail -5", `${failing}\n1 failed`);
  assert.deepEqual(packetOf(session).open, [{ turn: 1, kind: "failing", text: `npm test: ${failing}` }]);
  session.edit("src/sum.ts").run("npm test", "all passed");
  const { open, errors } = packetOf(session);
  assert.deepEqual(open, []);
  assert.equal(errors.length, 1);
  assert.deepEqual(errors[0]?.fix, { turn: 1, text: "Edit src/sum.ts" });
});

test("what failed again and again, or was taken back, is a dead end, and not once it succeeds", () => {
  const session = new PastSession().prompt("Install it.");
  session.run("pip install tool", "error: no matching distribution", true);
  assert.deepEqual(packetOf(session).deadEnds, []);
  session.run("pip install tool", "error: no matching distribution", true);
  assert.deepEqual(packetOf(session).deadEnds, [
    { turn: 1, how: "failed", times: 2, text: "pip install tool: error: no matching distribution" },
  ]);
  session.run("pip install tool", "installed");
  assert.deepEqual(packetOf(session).deadEnds, []);
  session.edit("src/a.ts", ["slow", "fast"]).edit("src/b.ts").edit("src/a.ts", ["fast", "slow"]);
  session.run("git checkout -- src/b.ts");
  assert.deepEqual(packetOf(session).deadEnds, [
    { turn: 1, how: "reverted", times: 1, text: "An edit of src/a.ts was taken back" },
    { turn: 1, how: "reverted", times: 1, text: "An edit of src/b.ts was taken back" },
  ]);
});

test("a search without results and a declined call are not failures", () => {
  const session = new PastSession().prompt("Look.");
  for (let index = 0; index < 3; index += 1)
    session.run("grep -r nothing src", "", true).run("rm -r build", "The user doesn't want to proceed", true);
  const { deadEnds, errors } = packetOf(session);
  assert.deepEqual([deadEnds, errors], [[], []]);
});

test("a call that was declined, failed or found no task changes no list", () => {
  const todos = [{ content: "Write the schema", status: "pending" }];
  const session = new PastSession()
    .prompt("Plan it.")
    .call("TodoWrite", { todos }, "The user doesn't want to proceed with this tool use.", true)
    .call("TodoWrite", { todos }, "<tool_use_error>InputValidationError</tool_use_error>", true)
    .call("TaskCreate", { subject: "Ship it" }, "Permission to use TaskCreate has been denied.", true)
    .call("manage_todo_list", { operation: "read" });
  assert.deepEqual(texts(packetOf(session).open), []);
  const numbered = new PastSession()
    .prompt("Plan it.")
    .call("TaskCreate", { subject: "Ship it" }, "Task #7 created successfully: Ship it")
    .call("TaskCreate", { subject: "Tell it" }, "Task #8 created successfully: Tell it")
    .call("TaskUpdate", { taskId: "7", status: "completed" }, "Updated task #7 status")
    .call("TaskUpdate", { taskId: "8", status: "completed" }, "TaskCompleted hook feedback: no");
  assert.deepEqual(texts(packetOf(numbered).open), ["Tell it"]);
});

test("subagents' tasks belong to the session, their todos do not", () => {
  const session = new PastSession()
    .prompt("Plan it.")
    .call("TaskCreate", { subject: "Ship it" }, "Task #1 created successfully: Ship it")
    .call("TaskUpdate", { taskId: "2", status: "completed" }, "Updated task #2 status");
  const sub = new PastSession("sub")
    .call("TaskCreate", { subject: "Test it" }, "Task #2 created successfully: Test it")
    .call("TaskCreate", { subject: "Tell it" }, "Task #3 created successfully: Tell it")
    .call("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status")
    .call("TodoWrite", { todos: [{ content: "Look", status: "pending" }] });
  session.events.push(...sub.events.map((event) => ({ ...event, agentId: "a" })));
  assert.deepEqual(texts(packetOf(session).open), ["Tell it"]);
});

test("todos are open until they are done, in each agent's own list", () => {
  const session = new PastSession().prompt("Plan it.").call("TodoWrite", {
    todos: [
      { content: "Write the schema", status: "completed" },
      { content: "Write the tests", status: "in_progress" },
    ],
  });
  session.call("TaskCreate", { subject: "Ship it" }).call("TaskUpdate", { taskId: "1", status: "completed" });
  const { open, done } = packetOf(session);
  assert.deepEqual(open, [{ turn: 1, kind: "todo", text: "Write the tests" }]);
  assert.deepEqual(texts(done), ["Write the schema", "Ship it"]);
  const planned = new PastSession().prompt("Plan.").call("update_plan", {
    plan: [{ step: "Measure", status: "pending" }],
  });
  assert.deepEqual(texts(packetOf(planned).open), ["Measure"]);
});

test("commits are listed by their messages, without secrets", () => {
  const key = ["sk", "ant", "api03", "A1b2C3d4E5f6G7h8J9k0"].join("-");
  const session = new PastSession()
    .prompt(`Never log ${key}`)
    .run(`git add -A && git commit -qm "Mend the login"`)
    .run(`curl -H "Authorization: Bearer ${key}" https://example.com`, `error: bad key ${key}`, true)
    .run(`curl -H "Authorization: Bearer ${key}" https://example.com`, `error: bad key ${key}`, true);
  const packet = packetOf(session);
  assert.deepEqual(texts(packet.done), ["Committed: Mend the login"]);
  assert.equal(packet.deadEnds.length, 1);
  assert.ok(!JSON.stringify(packet).includes(key));
});

test("a compaction's summary is the story's until the next one", () => {
  const story = storyOf(new PastSession().prompt("Go.").compact("The harbor was measured.").events);
  assert.deepEqual([story.compactions, story.summary], [1, "The harbor was measured."]);
  assert.equal(storyOf(new PastSession().compact("One.").compact().events).summary, null);
});

const file = fc.constantFrom("src/a.ts", "src/b.ts", "docs/c.md", "../elsewhere", "a b/ü.ts");
const words = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.lorem());
const step = fc.oneof(
  words.map((text) => (session: PastSession) => session.prompt(text)),
  words.map((text) => (session: PastSession) => session.reply(text)),
  words.map((text) => (session: PastSession) => session.compact(text)),
  file.map((name) => (session: PastSession) => session.readFile(name)),
  fc.tuple(file, words, words).map(
    ([name, a, b]) =>
      (session: PastSession) =>
        session.edit(name, [a, b]),
  ),
  fc
    .tuple(
      fc.oneof(
        words,
        fc.constantFrom("npm test", "git reset --hard", "git stash", "cat src/a.ts", "make build"),
      ),
      words,
      fc.constantFrom(true, false, null),
    )
    .map(
      ([command, output, failed]) =>
        (session: PastSession) =>
          session.run(command, output, failed),
    ),
  fc
    .tuple(
      fc.constantFrom("TodoWrite", "TaskUpdate", "update_plan", "mcp__x__y", "constructor"),
      fc.jsonValue(),
    )
    .map(
      ([tool, input]) =>
        (session: PastSession) =>
          session.call(tool, input),
    ),
);
const sessions = fc.array(step, { maxLength: 60 }).map((steps) => {
  const session = new PastSession();
  for (const each of steps) each(session);
  return session;
});

test("any session's packet fits its schema, and the same events give the same packet", () => {
  fc.assert(
    fc.property(sessions, (session) => {
      const packet = packetOf(session);
      const read = resumePacket.safeParse(packet);
      assert.ok(read.success, read.error?.message);
      assert.deepEqual(packetOf(session), packet);
      const prompts = session.events.filter(({ kind }) => kind === "prompt").length;
      assert.ok(packet.turns <= prompts);
      for (const { turn } of [...packet.asked, ...packet.done, ...packet.files, ...packet.deadEnds])
        assert.ok(turn <= packet.turns);
    }),
  );
});

test("events of any form are folded without a fault", () => {
  const place = fc.record({
    sessionId: fc.string(),
    agentId: fc.option(fc.string()),
    at: fc.option(fc.integer()),
    folder: fc.option(fc.oneof(fc.string(), fc.constant(project), fc.constant("C:\\work\\shop"))),
    branch: fc.option(fc.string()),
  });
  const id = fc.constantFrom("1", "2", "__proto__");
  const event: fc.Arbitrary<PastEvent> = fc
    .tuple(
      place,
      fc.oneof(
        fc.record({ kind: fc.constant("prompt" as const), text: fc.string() }),
        fc.record({ kind: fc.constant("summary" as const), text: fc.string() }),
        fc.record({ kind: fc.constant("call" as const), id, tool: fc.string(), input: fc.jsonValue() }),
        fc.record({
          kind: fc.constant("result" as const),
          id,
          text: fc.string(),
          isError: fc.option(fc.boolean()),
        }),
      ),
    )
    .map(([where, what]) => ({ ...where, ...what }));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const facts = { sessionId: "s", agent: "codex", folder: null, commit: null };
      assert.ok(resumePacket.safeParse(storyOf(events).packet(facts)).success);
    }),
  );
});

test("a story has the branch of its newest row with one, its time, and whether there was none", () => {
  const session = new PastSession().prompt("Look.").reply("Done.").prompt("Go on.");
  const branchAfter = (...branches: readonly (string | null)[]) =>
    storyOf(session.events.map((event, at) => ({ ...event, at, branch: branches[at] ?? null })));
  const named = branchAfter("main", "sea", "sea", null);
  assert.deepEqual(named.branch, { name: "sea", since: 1 });
  assert.deepEqual(
    [branchAfter(null).branch, branchAfter("HEAD").branch?.name, branchAfter("").branch?.name],
    [null, null, null],
  );
  const facts = { sessionId: "s", agent: "a", folder: project, commit: null };
  assert.equal(named.packet(facts).branch, "sea");
  assert.deepEqual(
    ["quay", null].map((branch) => named.packet({ ...facts, branch }).branch),
    ["quay", null],
    "who knows better says so",
  );
});
