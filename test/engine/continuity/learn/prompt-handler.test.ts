import assert from "node:assert/strict";
import test from "node:test";
import { promptAdviceHandler } from "../../../../src/engine/continuity/learn/prompt-handler.ts";
import type { KnownHere } from "../../../../src/engine/continuity/learn/advice-for.ts";
import { defaultHookContext } from "../../../../src/engine/hooks/hooks-handler.ts";
import type { EventNamed } from "../../../../src/engine/hooks/event/event.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { SessionMemory } from "../../../../src/engine/base/per-session.ts";
import { SentAdvice, FindingDelivery } from "../../../../src/engine/guard/delivery.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";

const known: KnownHere = {
  fixes: [],
  deadEnds: [{ id: "d", tried: "make deploy-all", text: "make deploy-all: Error: no host", times: 3 }],
};

function advice(mode: GuardMode, characters = 10_000, isOpen = () => true) {
  const memory = new SessionMemory();
  const hits: string[] = [];
  const uses: LedgerEntry[] = [];
  const read: string[] = [];
  let endReading: () => void = () => undefined;
  const reading = new Promise<KnownHere>((resolve) => {
    endReading = () => resolve(known);
  });
  const delivery = new FindingDelivery({
    modeOf: () => mode,
    record: (entries) => hits.push(...entries.map(({ rule, done }) => `${rule} ${done}`)),
    memory,
    sent: new SentAdvice(memory),
    isSilent: () => false,
    isExcepted: () => false,
    budgetOf: () => ({ turn: 1, pieces: 1, characters }),
    now: () => 5,
  });
  const handler = promptAdviceHandler({
    delivery,
    knownHere: (folder) => {
      read.push(folder);
      if (folder === "/being-read") return Promise.resolve(known);
      if (folder === "/slowly") return reading;
      return folder === "/new" ? null : known;
    },
    record: (entries) => uses.push(...entries),
    now: () => 5,
    isOpen,
    timer: {
      elapsed: () => 0,
      after: (_, run) => {
        const timer = setImmediate(run);
        return { dispose: () => clearImmediate(timer) };
      },
    },
  });
  const ask = async (over: Partial<EventNamed<"UserPromptSubmit">> = {}) =>
    await handler.answer({
      hook_event_name: "UserPromptSubmit",
      session_id: "s",
      cwd: "/shop",
      prompt: "now run make deploy-all",
      ...over,
    });
  const begin = async (cwd: string) =>
    await handler.answer({ hook_event_name: "SessionStart", session_id: "s", cwd });
  const call = async (name: "PreToolUse" | "PostToolUse", about = defaultHookContext) =>
    await handler.answer(
      { hook_event_name: name, session_id: "s", cwd: "/slowly", tool_name: "Bash", tool_input: {} },
      about,
    );
  const readAll = async () => {
    endReading();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begin, call, endReading: readAll, hits, uses, read };
}

test("In mode on the text is sent once per session, and recorded", async () => {
  const { ask, hits, uses } = advice("on");
  assert.match((await ask())?.context ?? "", /^Context Purser \(dead-end-again\): earlier sessions/u);
  assert.equal(await ask(), null);
  assert.deepEqual(hits, ["dead-end-again advised", "dead-end-again repeated"]);
  assert.deepEqual(uses, [{ kind: "learned-use", id: "d", sessionId: "s", rule: "dead-end-again", at: 5 }]);
});

test("In observe it is recorded but not sent, in off neither, and beyond the budget it is withheld", async () => {
  for (const [mode, characters, expected] of [
    ["observe", 10_000, ["dead-end-again observed"]],
    ["off", 10_000, []],
    ["on", 20, ["dead-end-again withheld"]],
  ] as const) {
    const { ask, hits, uses } = advice(mode, characters);
    assert.equal(await ask(), null);
    assert.deepEqual([hits, uses], [expected, []]);
  }
});

test("A project's first prompt waits for the read in progress, and a session's start reads before", async () => {
  const { ask, begin, read } = advice("on");
  assert.equal(await begin("/shop"), null);
  assert.deepEqual(read, ["/shop"]);
  assert.match((await ask({ cwd: "/being-read" }))?.context ?? "", /dead-end-again/u);
  const off = advice("off");
  await off.begin("/shop");
  assert.deepEqual(off.read, []);
});

for (const [where, isOpen] of [
  ["the ledger is being opened", () => false],
  ["reading takes long", () => true],
] as const)
  test(`A prompt waits no longer where ${where}: the first call that finds the advice sends it once`, async () => {
    const { ask, call, endReading, uses } = advice("on", 10_000, isOpen);
    assert.equal(await ask({ cwd: "/slowly" }), null);
    assert.equal(await call("PreToolUse"), null);
    await endReading();
    // Gemini CLI takes no context before a call.
    assert.equal(await call("PreToolUse", { ...defaultHookContext, program: "gemini" }), null);
    assert.match((await call("PreToolUse"))?.context ?? "", /dead-end-again/u);
    assert.equal(await call("PostToolUse"), null);
    assert.equal(uses.length, 1);
  });

test("Advice that came too late for a prompt is dropped at the next one", async () => {
  const { ask, call, endReading } = advice("on", 10_000, () => false);
  assert.equal(await ask({ cwd: "/slowly" }), null);
  assert.equal(await ask({ cwd: "/shop", prompt: "add a page" }), null);
  await endReading();
  assert.equal(await call("PostToolUse"), null);
});

test("Subagents, prompts without a folder and projects not yet read get nothing", async () => {
  const { ask, hits } = advice("on");
  assert.equal(await ask({ agent_id: "a" }), null);
  assert.equal(await ask({ cwd: undefined }), null);
  assert.equal(await ask({ cwd: "/new" }), null);
  assert.equal(await ask({ prompt: "add a page" }), null);
  assert.deepEqual(hits, []);
});
