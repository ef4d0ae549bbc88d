import fc from "fast-check";
import assert from "node:assert/strict";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { SentAdvice, FindingDelivery } from "../../../../src/engine/guard/delivery.ts";
import type { FactPorts } from "../../../../src/engine/guard/facts/checks/check.ts";
import { factHandler, mayClaim } from "../../../../src/engine/guard/facts/facts-handler.ts";
import { callClaims, findMissing } from "../../../../src/engine/guard/facts/look-up.ts";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { createFacts } from "../../../../src/engine/guard/host/create-facts.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

function handled(
  t: Pick<TestContext, "after">,
  mode: GuardMode,
  changes: Partial<FactPorts> = {},
  lookTime = 60_000,
) {
  const root = scratchFolder(t);
  writeTree(root, { "src/index.ts": "", "package.json": "{}" });
  const contextOf = (folder: string | null) => ({
    folder,
    home: root,
    project: folder && root,
    temporary: "/none",
  });
  const recorded: GuardHitEntry[] = [];
  const memory = new SessionMemory();
  const delivery = new FindingDelivery({
    modeOf: () => mode,
    record: (entries) => recorded.push(...entries),
    memory,
    sent: new SentAdvice(memory),
    isSilent: () => false,
    isExcepted: () => false,
    now: () => 1000,
  });
  const created = createFacts({ env: process.env, contextOf, time: 60_000 });
  const handler = factHandler({ ...created, facts: { ...created.facts, ...changes }, delivery, lookTime });
  const ask = async (command: string, program: HookCaller = "claude-code", session = "s") => {
    const event = {
      hook_event_name: "PreToolUse",
      session_id: session,
      cwd: root,
      tool_name: "Bash",
      tool_input: { command },
    } as const;
    return (await handler.answer(event, { ...defaultHookContext, program }))?.context ?? null;
  };
  return { root, recorded, ask, handler };
}

test("each session gets a missing thing once if facts are on, and never a denial", async (t) => {
  const { ask, recorded, root, handler } = handled(t, "on");
  const advice = /^Context Purser \(missing-path\): `src\/indx\.ts` does not exist .*`src\/index\.ts`\.$/u;
  assert.match((await ask("cat src/indx.ts")) ?? "", advice);
  assert.equal(await ask("head src/indx.ts"), null);
  assert.match((await ask("cat src/indx.ts", "claude-code", "another")) ?? "", advice);
  assert.deepEqual(
    recorded.map(({ rule, action, done }) => [rule, action, done]),
    [
      ["missing-path", "advise", "advised"],
      ["missing-path", "advise", "repeated"],
      ["missing-path", "advise", "advised"],
    ],
  );
  const read = { tool_name: "Read", tool_input: { file_path: path.join(root, "src/indx.ts") } };
  const event = { hook_event_name: "PreToolUse", session_id: "third", cwd: root, ...read } as const;
  const answer = await handler.answer(event);
  assert.deepEqual(Object.keys(answer ?? {}).toSorted(), ["context", "rule"]);
});

test("facts that observe are only recorded, and nothing is looked up if facts are off", async (t) => {
  const observing = handled(t, "observe");
  assert.equal(await observing.ask("cat src/indx.ts"), null);
  assert.deepEqual(
    observing.recorded.map(({ done }) => done),
    ["observed"],
  );
  const off = handled(t, "off", { look: () => Promise.reject(new Error("looked up")) });
  assert.equal(await off.ask("cat src/indx.ts"), null);
  assert.deepEqual(off.recorded, []);
});

test("reports nothing if the machine is slow or the shell's folder is unknown", async (t) => {
  const slow = handled(t, "on", { look: () => new Promise(() => undefined) }, 20);
  assert.equal(await slow.ask("cat src/indx.ts"), null);
  assert.deepEqual(slow.recorded, []);
  const { ask, root } = handled(t, "on");
  for (const program of ["codex", "copilot", "vscode"] as const) {
    assert.equal(await ask("cat src/indx.ts", program), null, program);
    assert.equal(await ask("git checkout mian", program), null, program);
  }
  assert.match(
    (await ask(`cd ${root} && cat src/indx.ts`, "copilot", "b")) ?? "",
    /`src\/indx\.ts` does not exist/u,
  );
});

test("most calls need no look-up and are answered at once", (t) => {
  const { handler, root } = handled(t, "on", { look: () => Promise.reject(new Error("looked up")) });
  for (const [tool_name, tool_input] of [
    ["Bash", { command: "echo hello" }],
    ["Bash", { command: "docker ps" }],
    ["Bash", {}],
    ["TodoWrite", { todos: [] }],
    ["mcp__thing", { path: "none" }],
    ["Grep", { pattern: "x", path: "none" }],
    ["PowerShell", { command: "cat none" }],
    ["Read", {}],
  ] as const) {
    const event = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: root,
      tool_name,
      tool_input,
    } as const;
    assert.equal(handler.answer(event), null, tool_name);
  }
});

const words = fc.constantFrom(
  ...'cat npm run -w --prefix git checkout switch -- -b make -C just task go test -run pytest a::b cargo -p -t vitest $X "$Y" \' " \\ ( ) { } $( ` | || & && ; < > << \n * ? [ ] .. / ~ ~/ - -n --amend a.ts cd . ü \0 \uFFFD \uFFFC import {'.split(
    " ",
  ),
);
const lines = fc.oneof(
  fc.array(words, { maxLength: 14 }).map((list) => list.join(" ")),
  fc.string({ unit: "binary" }),
);

test("no call of a tool makes it throw", async (t) => {
  const { root } = handled(t, "on");
  const contextOf = (folder: string | null) => ({
    folder,
    home: root,
    project: folder && root,
    temporary: "/none",
  });
  const { facts } = createFacts({ env: { PATH: "/none" }, contextOf });
  await fc.assert(
    fc.asyncProperty(lines, fc.constantFrom("command", "read", "edit"), async (text, kind) => {
      const call =
        kind === "command"
          ? ({ tool: "Bash", kind: "command", command: text } as const)
          : kind === "read"
            ? ({ tool: "Read", kind: "read", file: text } as const)
            : ({ tool: "Write", kind: "edit", file: "src/a.ts", text } as const);
      assert.equal(typeof mayClaim(call), "boolean");
      const input = { content: text, old_string: text, input: text };
      await findMissing(callClaims(call, input, contextOf(root)), facts);
    }),
  );
});

test("looks up nothing for a command that is not parsed closely", () => {
  fc.assert(
    fc.property(lines, (command) => {
      const call = { tool: "Bash", kind: "command", command } as const;
      const context = { folder: "/work", home: "/home/ann", project: "/work", temporary: "/tmp" };
      if (!mayClaim(call)) assert.deepEqual(callClaims(call, { command }, context), []);
    }),
  );
});
