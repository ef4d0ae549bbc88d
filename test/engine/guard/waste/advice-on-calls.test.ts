import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { folder, WasteSession } from "./session.ts";

const failing = "Exit code 1\n1 failing";

test("advises before a failed command runs again, unless something was changed", async () => {
  const session = new WasteSession();
  assert.equal((await session.run("npm  test", { fails: failing })).before, "");
  await session.run("grep -rn cart src | head");
  await session.run("git status && cat a.txt 2>/dev/null");
  const { before } = await session.run("npm test", { fails: failing });
  assert.match(
    before,
    /failed-before\): this same command failed with exit code 1 before, and no edit or other command/u,
  );
  // Once: loops are spoken of elsewhere.
  assert.equal((await session.run("npm test", { fails: failing })).before, "");
});

const changes: readonly [string, (session: WasteSession) => Promise<unknown>][] = [
  [
    "an edit",
    (session) =>
      session.tell("PostToolUse", { tool_name: "Edit", tool_input: { file_path: "/a" }, tool_response: {} }),
  ],
  ["a command that writes", (session) => session.run("echo x > a.txt")],
  ["an unknown program", (session) => session.run("./fix.sh")],
  ["an edit in place", (session) => session.run("sed -i s/a/b/ a.txt")],
  ["an installation", (session) => session.run("npm install")],
  ["deleting by find", (session) => session.run("find . -name '*.tmp' -delete")],
  [
    "another agent",
    (session) =>
      session.tell("PostToolUse", {
        tool_name: "Agent",
        tool_input: { prompt: "Fix it" },
        tool_response: {},
      }),
  ],
  [
    "another agent's edit",
    (session) =>
      session.tell(
        "PostToolUse",
        { tool_name: "Edit", tool_input: { file_path: "/a" }, tool_response: {} },
        { agent: "a" },
      ),
  ],
  [
    "a tool that is not known",
    (session) =>
      session.tell("PostToolUse", { tool_name: "mcp__db__write", tool_input: {}, tool_response: "ok" }),
  ],
  ["a prompt", (session) => session.tell("UserPromptSubmit", { prompt: "Again." })],
  ["a long time", (session) => Promise.resolve((session.now += 11 * 60_000))],
  ["its own success", (session) => session.run("make")],
];
for (const [what, happens] of changes)
  test(`after ${what} a failed command may run again`, async () => {
    const session = new WasteSession();
    await session.run("make", { fails: failing });
    await happens(session);
    assert.equal((await session.run("make", { fails: failing })).before, "");
  });

test("commands that depend on time or another machine may be tried again", async () => {
  for (const command of [
    "curl -f localhost:3000",
    "npm install",
    "git push",
    "sleep 5 && make",
    "ssh web make",
    "docker build .",
    "make ${{",
  ]) {
    const session = new WasteSession();
    await session.run(command, { fails: failing });
    assert.equal((await session.run(command, { fails: failing })).before, "", command);
  }
});

test("reads exit codes in outputs, and does not count a stopped command as failed", async () => {
  const copilot = new WasteSession("on", "copilot");
  const call = { tool_name: "bash", tool_input: { command: "make" } };
  await copilot.tell("PostToolUse", {
    ...call,
    tool_response: "no\n<shellId: 0 completed with exit code 2>",
  });
  assert.match(await copilot.tell("PreToolUse", call), /failed with exit code 2 before/u);
  const claude = new WasteSession();
  await claude.tell("PostToolUseFailure", {
    ...call,
    tool_name: "Bash",
    error: "stopped",
    is_interrupt: true,
  });
  assert.equal(await claude.tell("PreToolUse", call), "");
});

test("does not mention a failure to contexts that did not see it", async () => {
  const session = new WasteSession();
  await session.run("make", { fails: failing });
  assert.equal((await session.run("make", {}, { agent: "a" })).before, "");
  assert.equal((await session.run("make", {}, { session: "t" })).before, "");
});

test("advises when a large file is read whole after its lines were named", async () => {
  const log = `${folder}/log/app.txt`;
  const large = "a line of the log\n".repeat(5000);
  const whole = { tool_name: "Read", tool_input: { file_path: log } };
  const named: readonly ((session: WasteSession) => Promise<unknown>)[] = [
    (session) => session.tell("UserPromptSubmit", { prompt: "Look at log/app.txt:120-140, please." }),
    (session) => session.tell("UserPromptSubmit", { prompt: "See line 12 of `app.txt`." }),
    (session) => session.read(log, { first: 100, count: 20 }),
    (session) => session.run("sed -n 100,120p log/app.txt", { stdout: large.slice(0, 300) }),
  ];
  for (const name of named) {
    const session = new WasteSession();
    session.files.set(log, large);
    assert.equal(await session.tell("PreToolUse", whole), "");
    await name(session);
    assert.equal(
      await session.tell("PreToolUse", { ...whole, tool_input: { file_path: log, offset: 1, limit: 9 } }),
      "",
    );
    assert.match(await session.tell("PreToolUse", whole), /has 90 kB, and all of it stays .* line/u);
    assert.equal((await session.run("cat log/app.txt")).before, "");
    session.files.set(log, "small");
    assert.equal(await session.tell("PreToolUse", { ...whole, session_id: "t" }), "");
  }
  const other = new WasteSession();
  other.files.set(log, large);
  await other.tell("UserPromptSubmit", { prompt: "See https://example.com:8080 and src/app.ts:12" });
  assert.equal(await other.tell("PreToolUse", whole), "");
});

test("recognizes expensive tools by their input", async () => {
  const cases = [
    ["Agent", { prompt: "grep for parseOrder in src", subagent_type: "Explore" }, /agent-for-one-search/u],
    ["WebFetch", { url: "file:///home/ann/shop/README.md", prompt: "read" }, /fetch-of-local-file/u],
    ["WebFetch", { url: "/home/ann/shop/README.md" }, /fetch-of-local-file/u],
  ] as const;
  for (const [tool_name, tool_input, expected] of cases)
    assert.match(await new WasteSession().tell("PreToolUse", { tool_name, tool_input }), expected);
  const silent = [
    ["Agent", { prompt: "Search the code for parseOrder and explain how orders are read" }],
    ["Agent", { prompt: "Find out why the tests fail" }],
    ["Agent", { prompt: "Fix the cart" }],
    ["WebFetch", { url: "https://example.com/a" }],
    ["WebFetch", { url: "//example.com/a" }],
    ["Task", null],
  ] as const;
  for (const [tool_name, tool_input] of silent)
    assert.equal(
      await new WasteSession().tell("PreToolUse", { tool_name, tool_input }),
      "",
      JSON.stringify(tool_input),
    );
});

test("advises on searches and listings through dependencies only if these exist", async () => {
  for (const command of [
    "grep -rn TODO .",
    "grep -r TODO",
    "ls -R",
    "find . -type f",
    "find .",
    "cd src/.. && grep -rni 'a b' .",
  ]) {
    const session = new WasteSession();
    assert.equal((await session.run(command)).before, "", command);
    session.folders.add(`${folder}/node_modules`);
    assert.match(
      (await session.run(command)).before,
      /in node_modules\. Take `git (?:grep|ls-files)/u,
      command,
    );
  }
  for (const command of [
    "grep -rn TODO src",
    "grep -rn TODO . | head",
    "grep -rln TODO .",
    "grep -rn TODO . --exclude-dir=node_modules",
    "grep -n TODO a.ts",
    "find . -name a.ts",
    "find . -type f -not -path '*/node_modules/*'",
    "ls",
    "ssh web 'ls -R'",
  ]) {
    const session = new WasteSession();
    session.folders.add(`${folder}/node_modules`);
    assert.equal((await session.run(command)).before, "", command);
  }
});

test("any call is read", async () => {
  const names = fc.constantFrom(
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SessionStart",
  );
  const tools = fc.constantFrom("Read", "Bash", "Edit", "Agent", "WebFetch", "view", "x");
  const call = fc.record({
    tool_name: tools,
    tool_input: fc.jsonValue(),
    tool_response: fc.jsonValue(),
    prompt: fc.string(),
    error: fc.string(),
  });
  const input = fc.record({
    command: fc.string(),
    file_path: fc.string(),
    offset: fc.jsonValue(),
    prompt: fc.string(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, call, input), { maxLength: 8 }), async (all) => {
      const session = new WasteSession();
      for (const [name, members, tool_input] of all) {
        await session.tell(name, members);
        await session.tell(name, { ...members, tool_input });
      }
      session.restart();
    }),
  );
});
