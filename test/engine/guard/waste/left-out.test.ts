import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { folder, WasteSession, type Caller } from "./session.ts";

const cart = `${folder}/src/cart.ts`;
const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1} and so on\n`).join("");
const part = { first: 10, count: 200 };
const isPointer = (answer: string) => answer.includes("is left out here");

/** A repeated read as Claude Code answers it: without the text. */
async function unchanged(
  session: WasteSession,
  lines: object = { offset: 10, limit: 200 },
  caller: Caller = {},
): Promise<string> {
  const call = {
    tool_name: "Read",
    tool_use_id: caller.use ?? "u",
    tool_input: { file_path: cart, ...lines },
  };
  const tool_response = { type: "file_unchanged", file: { filePath: cart } };
  return await session.tell("PostToolUse", { ...call, tool_response }, caller);
}

const replaced = z.object({ hookSpecificOutput: z.object({ updatedToolOutput: z.unknown() }) });

function textIn(answer: string): unknown {
  return answer === "" ? null : replaced.parse(JSON.parse(answer)).hookSpecificOutput.updatedToolOutput;
}

async function pointed(): Promise<WasteSession> {
  const session = new WasteSession();
  session.files.set(cart, text);
  assert.equal(await session.read(cart), "");
  assert.ok(isPointer(await session.read(cart, part)));
  return session;
}

const full = {
  type: "text",
  file: {
    filePath: cart,
    content: text.split("\n").slice(9, 209).join("\n"),
    numLines: 200,
    startLine: 10,
    totalLines: 301,
  },
};

test("a repeated read that Claude Code answers itself gives the promised text once", async () => {
  const session = await pointed();
  assert.deepEqual(textIn(await unchanged(session)), full);
  // The text stands now where the agent says that it does.
  assert.equal(await unchanged(session), "");
  // No other tool leaves it out again.
  const lines = text.split("\n").slice(9, 209).join("\n");
  assert.equal((await session.run("sed -n 10,209p src/cart.ts", { stdout: lines })).after, "");
});

test("a read without an earlier pointer is left to Claude Code", async () => {
  const session = new WasteSession();
  session.files.set(cart, text);
  await session.read(cart, part);
  assert.equal(await unchanged(session), "");
  const other = await pointed();
  assert.equal(await unchanged(other, { offset: 210, limit: 50 }), "");
  assert.equal(await unchanged(other, {}, { session: "t" }), "");
});

test("in observe mode no text is left out or given", async () => {
  const session = new WasteSession("observe");
  session.files.set(cart, text);
  await session.read(cart);
  await session.read(cart, part);
  assert.equal(await unchanged(session), "");
});

const between: readonly [string, (session: WasteSession) => unknown][] = [
  ["a compaction", (session) => session.tell("PreCompact", { trigger: "auto" })],
  ["a new prompt", (session) => session.tell("UserPromptSubmit", { prompt: "Go on." })],
  ["a session taken up again", (session) => session.tell("SessionStart", { source: "resume" })],
  ["a restart of the service", (session) => session.restart()],
  ["a long pause", (session) => (session.now += 31 * 60_000)],
  ["guards turned off", (session) => (session.mode = "off")],
  ["guards set to observe", (session) => (session.mode = "observe")],
];
for (const [what, happens] of between) {
  test(`after ${what} the promised text is given too`, async () => {
    const session = await pointed();
    await happens(session);
    await session.run("ls");
    assert.deepEqual(textIn(await unchanged(session)), full);
  });
  if (!what.startsWith("guards"))
    test(`after ${what} a text is given again, as it may be gone`, async () => {
      const session = await pointed();
      await unchanged(session);
      await happens(session);
      const caller = what === "a new prompt" ? { prompt: "q" } : {};
      const again = textIn(await unchanged(session, { offset: 10, limit: 200 }, caller));
      assert.deepEqual(again, what === "a long pause" ? null : full);
    });
}

test("a whole read after a command that printed the file also gives the text", async () => {
  const session = new WasteSession();
  session.files.set(cart, text);
  await session.run("cat src/cart.ts", { stdout: text });
  assert.ok(isPointer(await session.read(cart, { first: 1, count: 300 })));
  const answer = await unchanged(session, { offset: "1", limit: 300 });
  assert.match(answer, /line 300 and so on/u);
});

test("a file that was edited is left to the agent again", async () => {
  const session = await pointed();
  await session.tell("PostToolUse", {
    tool_name: "Edit",
    tool_input: { file_path: cart },
    tool_response: {},
  });
  assert.equal(await session.read(cart, part), "");
  assert.equal(await unchanged(session), "");
});

test("the text that the agent itself gave after a pointer is not given again", async () => {
  const session = await pointed();
  assert.equal(await session.read(cart, part), "");
  assert.equal(await unchanged(session), "");
});

test("subagents have their own pointers and those of the conversation that they started with", async () => {
  const session = await pointed();
  const lines = { offset: 10, limit: 200 };
  assert.deepEqual(textIn(await unchanged(session, lines, { agent: "a" })), full);
  assert.equal(await unchanged(session, lines, { agent: "a" }), "");
  await session.read(cart, part, { agent: "b" });
  assert.equal(await unchanged(session, lines, { agent: "b" }), "");
  assert.deepEqual(textIn(await unchanged(session, lines)), full);
});

test("for a file that cannot be read as text, the answer names a read that gives it", async () => {
  for (const now of [null, `\0${text}`, `\uFFFD${text}`, "short"]) {
    const session = await pointed();
    if (now === null) session.files.delete(cart);
    else session.files.set(cart, now);
    const answer = await unchanged(session);
    assert.match(answer, /not a line of the file.*offset 10 and limit 201: a read of other lines gives/u);
  }
});

test("Windows line ends are not part of the lines", async () => {
  const session = await pointed();
  session.files.set(cart, text.replaceAll("\n", "\r\n"));
  assert.deepEqual(textIn(await unchanged(session)), full);
});
