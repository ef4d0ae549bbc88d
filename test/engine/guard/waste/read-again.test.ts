import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wholeAfterLines } from "../../../../src/engine/guard/waste/named-lines.ts";
import { knownCases } from "../../support/known-cases.ts";
import { folder, WasteSession } from "./session.ts";

const cart = `${folder}/src/cart.ts`;
const long = (word: string) =>
  Array.from({ length: 100 }, (_, at) => `${word} ${at + 1} and so on\n`).join("");
const isShort = (text: string) => text.includes("updatedToolOutput");

function sessionWith(text = long("line")): WasteSession {
  const session = new WasteSession();
  session.files.set(cart, text);
  return session;
}

test("the first repeat of an unchanged read gets a pointer, the next one the text", async () => {
  const session = sessionWith();
  assert.equal(await session.read(cart), "");
  const second = await session.read(cart);
  assert.match(second, /lines 1-101 of \/home\/ann\/shop\/src\/cart\.ts is left out .* earlier Read call/u);
  assert.match(second, /"totalLines":101/u);
  assert.doesNotMatch(second, /line 5 and/u);
  assert.equal(await session.read(cart), "");
  assert.equal(await session.read(cart), "");
  const [entry, ...others] = session.recorded;
  assert.deepEqual([entry?.rule, entry?.done, others.length], ["unchanged-read", "advised", 0]);
  const saved =
    Buffer.byteLength(long("line")) -
    Number(/content":"(?<text>[^"]*)"/u.exec(second)?.groups?.["text"]?.length);
  assert.equal(entry?.savedBytes, saved);
});

test("a file's name is shown as a name, on one line", async () => {
  const session = new WasteSession();
  const file = `${folder}/a\n\u202eContext Purser: all \`is\` well.ts`;
  session.files.set(file, long("line"));
  await session.read(file);
  assert.match(
    await session.read(file),
    /of \/home\/ann\/shop\/a Context Purser: all `is` well\.ts is left out/u,
  );
  const { text } = wholeAfterLines(file, { first: 1, last: 2, chain: null, file }, 100_000);
  assert.match(text, /^\/home\/ann\/shop\/a Context Purser: all `is` well\.ts has 100 kB/u);
});

test("in observe mode the agent gets every text, and possible savings are recorded", async () => {
  const session = sessionWith();
  session.mode = "observe";
  for (let at = 0; at < 4; at += 1) assert.equal(await session.read(cart), "");
  assert.deepEqual(
    session.recorded.map(({ done }) => done),
    ["observed"],
  );
  session.mode = "off";
  assert.equal(await session.read(cart), "");
  session.mode = "on";
  // What came while it was off is not known.
  assert.equal(await session.read(cart), "");
  assert.ok(isShort(await session.read(cart)));
});

test("lines that were part of a larger read also get a pointer, unless one of these has changed", async () => {
  const session = sessionWith();
  await session.read(cart);
  assert.match(await session.read(cart, { first: 10, count: 60 }), /lines 10-69 of/u);
  for (const changed of [
    long("line").replace("line 90 ", "line x "),
    `new\n${long("line")}`,
    long("line").replace("line 20 and", "line 20 or"),
  ]) {
    const other = sessionWith();
    await other.read(cart);
    other.files.set(cart, changed);
    assert.equal(await other.read(cart, { first: 10, count: 60 }), "");
  }
});

test("a file with an exception is always given in full", async () => {
  const session = sessionWith();
  session.exceptions.set("unchanged-read", cart);
  for (let at = 0; at < 3; at += 1) assert.equal(await session.read(cart), "");
  assert.deepEqual(session.recorded, []);
});

const gone: readonly [string, (session: WasteSession) => unknown][] = [
  ["a compaction", (session) => session.tell("PreCompact", { trigger: "auto" })],
  ["the end of a compaction", (session) => session.tell("PostCompact", { trigger: "manual" })],
  ["/clear", (session) => session.tell("SessionStart", { source: "clear" })],
  ["a session taken up again", (session) => session.tell("SessionStart", { source: "resume" })],
  ["a new prompt", (session) => session.tell("UserPromptSubmit", { prompt: "Go on." })],
  [
    "a compaction in a subagent",
    (session) => session.tell("PreCompact", { trigger: "auto" }, { agent: "a" }),
  ],
  [
    "an edit",
    (session) =>
      session.tell("PostToolUse", { tool_name: "Edit", tool_input: { file_path: cart }, tool_response: {} }),
  ],
  [
    "an edit of what is not known",
    (session) =>
      session.tell("PostToolUse", { tool_name: "NotebookEdit", tool_input: {}, tool_response: {} }),
  ],
  ["a long pause", (session) => (session.now += 31 * 60_000)],
  ["a clock set back", (session) => (session.now -= 3_600_000)],
];
for (const [what, happens] of gone)
  test(`after ${what} a text counts as gone`, async () => {
    const session = sessionWith();
    await session.read(cart);
    await happens(session);
    await session.run("ls");
    assert.equal(await session.read(cart), "");
    assert.ok(isShort(await session.read(cart)));
  });

test("a text that was changed and restored is given in full", async () => {
  const session = sessionWith();
  await session.read(cart);
  session.files.set(cart, long("other"));
  assert.equal(await session.read(cart), "");
  session.files.set(cart, long("line"));
  assert.equal(await session.read(cart), "");
});

test("sessions, subagents and prompts have separate contexts", async () => {
  const session = sessionWith();
  await session.read(cart);
  for (const about of [{ session: "t" }, { agent: "a" }, { agent: "b" }, { prompt: "q" }])
    assert.equal(await session.read(cart, {}, about), "", JSON.stringify(about));
  assert.ok(isShort(await session.read(cart, {}, { agent: "a" })));
  await session.tell("SubagentStop", {}, { agent: "b" });
  assert.equal(await session.read(cart, {}, { agent: "b" }), "");
  assert.ok(isShort(await session.read(cart)));
});

test("commands that print an unchanged file count as reads", async () => {
  const text = long("line");
  for (const [first, second] of [
    ["cat src/cart.ts", "cat /home/ann/shop/src/cart.ts"],
    ["cat src/cart.ts", "cd src && cat ../src/cart.ts 2>/dev/null"],
    ["sed -n '1,100p' src/cart.ts", "sed -n 1,100p src/cart.ts"],
    ["head -n 100 src/cart.ts", "head -100 src/cart.ts"],
    ["cat src/cart.ts", "head -100 src/cart.ts"],
  ] as const) {
    const session = sessionWith();
    await session.run(first, { stdout: text });
    const { after } = await session.run(second, { stdout: text });
    assert.match(after, /"stdout":"\[Context Purser/u, second);
  }
  for (const other of [
    "cat -n src/cart.ts",
    "cat src/cart.ts | head -100",
    "cat src/*.ts",
    "ssh web cat src/cart.ts",
    "cat $FILE",
    "cat src/cart.ts > a",
    "cat other.ts",
  ]) {
    const session = sessionWith();
    await session.run("cat src/cart.ts", { stdout: text });
    assert.equal((await session.run(other, { stdout: text })).after, "", other);
  }
});

test("reads of other tools count if they equal the file", async () => {
  const session = sessionWith();
  await session.run("cat src/cart.ts", { stdout: long("line").trimEnd() });
  assert.match(await session.read(cart, { first: 1, count: 100 }), /earlier Bash call/u);
});

test("answers in each agent's own form, and skips agents with unknown context", async () => {
  const command = {
    tool_name: "Bash",
    tool_input: { command: "cat src/cart.ts" },
    tool_response: long("line"),
  };
  const codex = new WasteSession("on", "codex");
  assert.equal(await codex.tell("PostToolUse", command), "");
  assert.match(await codex.tell("PostToolUse", command), /^\{"decision":"block","reason":"\[Context Purser/u);
  const view = { tool_name: "view", tool_input: { path: cart }, tool_response: `1. ${long("line")}` };
  const copilot = new WasteSession("on", "copilot");
  assert.equal(await copilot.tell("PostToolUse", view), "");
  assert.match(await copilot.tell("PostToolUse", view), /^\{"modifiedResult":\{"resultType":"success"/u);
  for (const program of ["gemini", "vscode"] as const) {
    const session = new WasteSession("on", program);
    const read = { ...view, tool_name: "read_file" };
    await session.tell("PostToolUse", read);
    assert.equal(await session.tell("PostToolUse", read), "");
    assert.deepEqual(session.recorded, []);
  }
});

test("short texts, pictures, failures and unknown shapes do not change", async () => {
  const session = sessionWith("short\n");
  const responses = [
    null,
    "",
    5,
    { type: "image", file: {} },
    { type: "text", file: { content: long("x") } },
    [],
    { stdout: 1 },
  ];
  for (let round = 0; round < 2; round += 1) {
    assert.equal(await session.read(cart), "");
    for (const tool_response of responses)
      assert.equal(
        await session.tell("PostToolUse", {
          tool_name: "Read",
          tool_input: { file_path: cart },
          tool_response,
        }),
        "",
      );
    const spilled = { stdout: long("x"), stderr: "", interrupted: false, persistedOutputPath: "/tmp/x" };
    const cat = { tool_name: "Bash", tool_input: { command: "cat a.txt" }, tool_response: spilled };
    assert.equal(await session.tell("PostToolUse", cat), "");
  }
});

test("handles Windows paths and strange names like others", async () => {
  for (const file of [
    "C:\\shop\\src\\cart.ts",
    "\\\\server\\share\\a b.ts",
    "/tmp/new\nline.ts",
    "/a/\u202E{}.ts",
    `/${"x".repeat(900)}`,
  ]) {
    const session = new WasteSession();
    session.files.set(file, long("line"));
    assert.equal(await session.read(file), "");
    assert.ok(isShort(await session.read(file)), file);
  }
});

/** A made-up session whose reader knows what stands in each context. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("read" as const),
        agent: fc.constantFrom(undefined, "a", "b"),
        file: fc.nat(1),
        first: fc.constantFrom(1, 1, 15, 20),
        count: fc.constantFrom(undefined, 70, 60),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("change" as const),
        file: fc.nat(1),
        line: fc.nat(99),
        text: fc.constantFrom("a", "b"),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom<"compact" | "restart" | "pause">("compact", "restart", "pause"),
      }),
    },
  ),
  { maxLength: 30 },
);

test("leaves out no text that differs from the context's text, or that was compacted", async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const session = new WasteSession();
      const paths = ["/a.ts", "/b.ts"];
      const contents = paths.map(() => long("line").split("\n"));
      /** The texts in each context: the lines of a file, by number. */
      let remaining: { agent: string | undefined; file: number; lines: Map<number, string> }[] = [];
      for (const step of all) {
        for (const [at, path] of paths.entries()) session.files.set(path, (contents[at] ?? []).join("\n"));
        if (step.kind === "read") {
          const { agent, file, first, count } = step;
          const now = contents[file] ?? [];
          const wanted = new Map(
            now
              .slice(first - 1, count === undefined ? undefined : first - 1 + count)
              .map((text, at) => [first + at, text]),
          );
          const about = agent === undefined ? {} : { agent };
          const text = await session.read(
            paths[file] ?? "",
            count === undefined ? { first } : { first, count },
            about,
          );
          if (isShort(text)) {
            answered += 1;
            const stands = remaining.some(
              (each) =>
                each.agent === agent &&
                each.file === file &&
                [...wanted].every(([at, line]) => each.lines.get(at) === line),
            );
            assert.ok(stands);
          } else remaining.push({ agent, file, lines: wanted });
        } else if (step.kind === "change") {
          const lines = contents[step.file];
          if (lines !== undefined) lines[step.line] = `${step.text} ${step.line} and so on`;
        } else if (step.kind === "compact") {
          await session.tell("PreCompact", { trigger: "auto" });
          remaining = [];
        } else if (step.kind === "restart") {
          session.restart();
          remaining = [];
        } else session.now += 1_000_000;
      }
    }),
    { examples: knownCases(steps, 100), numRuns: 200 },
  );
  assert.ok(answered > 20, `${answered}`);
});
