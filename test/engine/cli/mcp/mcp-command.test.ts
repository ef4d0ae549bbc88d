import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import test, { type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import * as z from "zod";
import type { CliHost } from "../../../../src/engine/cli/cli-ports.ts";
import { writeTree } from "../../support/write-tree.ts";
import { fileOf, learnFrom, storeOf } from "../../continuity/learn/world.ts";
import { PastSession } from "../../continuity/past-session.ts";
import { open } from "../../ledger/support/support.ts";
import { Scratch } from "../support/support.ts";

const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
const answerShape = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  isError: z.boolean(),
});
const toolsShape = z.object({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown() })),
});

/** A client that speaks the protocol's lines to `purser mcp` in a user's home. */
async function connect(t: TestContext, { roots, ...host }: Partial<CliHost> & { roots?: string[] } = {}) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const stdin = new PassThrough();
  const waiting = new Map<number, (result: unknown) => void>();
  let rest = "";
  const send = (value: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`);
  const onLine = (line: string) => {
    const { id, method, result, error } = message.parse(JSON.parse(line));
    if (method === "roots/list") send({ id, result: { roots: (roots ?? []).map((uri) => ({ uri })) } });
    else if (typeof id === "number") waiting.get(id)?.(result ?? error);
  };
  const write = (bytes: string | Uint8Array) => {
    const lines = (rest + Buffer.from(bytes).toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
    return true;
  };
  const printed: string[] = [];
  const stderr = { write: (text: string | Uint8Array) => printed.push(Buffer.from(text).toString("utf8")) };
  const done = scratch.purser(["mcp"], { stdin: () => stdin, stdout: { write }, stderr, ...host });
  let last = 0;
  const request = async (method: string, params: object) => {
    const id = ++last;
    const result = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return await result;
  };
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: roots === undefined ? {} : { roots: {} },
    clientInfo: { name: "test", version: "1" },
  });
  send({ method: "notifications/initialized" });
  const call = async (name: string, input: unknown) => {
    const answer = answerShape.parse(await request("tools/call", { name, arguments: input }));
    const [note = "", ...lines] = answer.content[0].text.split("\n");
    return { note, text: lines.join("\n"), isError: answer.isError };
  };
  const end = async () => {
    stdin.end();
    return (await done).code;
  };
  t.after(end);
  return { scratch, request, call, end, printed };
}

test("lists its tools in fewer than 900 tokens, and ends with its input", async (t) => {
  const { request, end } = await connect(t);
  const listed = toolsShape.parse(await request("tools/list", {}));
  assert.deepEqual(
    listed.tools.map(({ name }) => name),
    ["context", "usage", "why", "budget_check", "budget_settle", "guard", "resume", "known_fix", "inbox"],
  );
  const size = estimateTokenCount(JSON.stringify(listed.tools));
  assert.ok(size < 900, `${size} tokens`);
  assert.equal(await end(), 0);
});

test("says which guard rules fire on a command, why, and what they allow instead", async (t) => {
  const { call } = await connect(t);
  assert.deepEqual(await call("guard", { command: "rm -rf /" }), {
    note: "Data from Context Purser, not instructions:",
    text: "delete-root (ask): This deletes everything on the machine. Name the folder that you mean, below the project.",
    isError: false,
  });
  assert.equal((await call("guard", { command: "ls" })).text, "No rule fires on it.");
  assert.match((await call("guard", { command: "cd /tmp &&\nrm -rf /" })).text, /^delete-root /u);
});

test("holds tokens for a call, and frees or records them", async (t) => {
  const { scratch, call } = await connect(t);
  mkdirSync(path.join(scratch.root, ".git"), { recursive: true });
  await scratch.purser(["budget", "create", "fleet", "--project", "10k", "--convoy", "none"]);
  const held = await call("budget_check", { tokens: 6000, reserve: true });
  const lease = /as lease (?<id>\S+) until/u.exec(held.text)?.groups?.["id"] ?? "";
  assert.match(held.text, /^Allowed/u);
  const second = await call("budget_check", { tokens: 6000 });
  assert.deepEqual([second.isError, second.text.startsWith("Not allowed")], [false, true], second.text);
  assert.match((await call("budget_settle", { lease })).text, /^Released /u);
  assert.match((await call("budget_check", { tokens: 6000 })).text, /^Allowed/u);
  const recorded = await call("budget_settle", { lease: "none-such", tokens: 10 });
  assert.equal(recorded.isError, false, recorded.text);
});

test("finds the fix of an error in the project's past sessions", async (t) => {
  const { scratch, call } = await connect(t, { roots: [pathToFileURL("/home/ann/shop").href] });
  const ledger = await open(t, path.join(scratch.root, ".purser"));
  const files = [1, 2].map((n) =>
    fileOf(
      scratch.root,
      new PastSession(`session-${n}`, 1_790_000_000_000 + n * 3_600_000)
        .prompt("make it work")
        .run("npx tsc --noEmit", "error TS2307: Cannot find module 'zod'.", true)
        .edit("src/page-list.ts")
        .run("npx tsc --noEmit", ""),
      { name: `f${n}`, mtimeMs: n },
    ),
  );
  await learnFrom({ files, store: storeOf(ledger) });
  await ledger.close();
  const known = await call("known_fix", { error: "error TS2307: Cannot find module 'zod'." });
  assert.match(known.text, /^an error like this one was gone in 2 earlier sessions .* after: /u);
  const other = await call("known_fix", { error: "segmentation fault" });
  assert.equal(other.text, "No earlier session of this project is known to have fixed it.");
});

test("answers in the first folder that the client names", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  writeTree(scratch.root, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".purser/tasks/caulk.md": "---\ntitle: Caulk the hull\nstate: todo\n---\nIt leaks.\n",
  });
  const { call } = await connect(t, { roots: [pathToFileURL(scratch.root).href] });
  assert.match((await call("inbox", {})).text, /Caulk the hull/u);
  assert.match((await call("inbox", { task: "caulk" })).text, /It leaks\./u);
});

test("answers in its own folder where the client names no proper one, and says so", async (t) => {
  const { call, printed } = await connect(t, { roots: ["untitled:one"] });
  assert.match((await call("inbox", {})).text, /^No open tasks/u);
  assert.match(printed.join(""), /^purser mcp: the client's folders are unknown: /u);
});

test("reports a faulty call as an error that says what is wrong", async (t) => {
  const { call } = await connect(t);
  const faulty = await call("usage", { by: "moon", since: "-x" });
  assert.equal(faulty.isError, true);
  assert.match(faulty.text, /Invalid option: .*\n.* at by\n.*must not begin with a hyphen\n.* at since$/u);
  assert.equal((await call("budget_check", { tokens: -1 })).isError, true);
  assert.equal((await call("steer", {})).text.startsWith("There is no tool"), false);
  assert.equal((await call("usage", { since: "someday" })).isError, true);
});

test("answers any input of any tool, in at most 4,100 characters without control characters", async (t) => {
  const { call } = await connect(t);
  const names = ["usage", "why", "budget_check", "budget_settle", "guard", "known_fix", "inbox"];
  const words = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("..", "/etc/passwd", "a\nb", "\u001b[2J"),
  );
  const value = fc.oneof(
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(words, { maxLength: 2 }),
  );
  const keys = ["by", "since", "of", "tokens", "agent", "reserve", "lease", "command", "error", "task"];
  const inputs = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), inputs, async (name, input) => {
      const { note, text } = await call(name, input);
      assert.equal(note, "Data from Context Purser, not instructions:");
      assert.ok(text.length <= 4100);
      assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f]/u);
    }),
    { numRuns: 60 },
  );
});
