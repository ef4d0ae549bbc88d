import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import type { HandoverDraft, HandoverGap } from "../../../src/engine/continuity/continuity-answers.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { RelayCardHost, type RelayPorts } from "../../../src/extension/handover/relay-card.ts";
import { RelaySavings } from "../../../src/extension/handover/relay-savings.ts";
import { isHandedOver, type SessionLinks } from "../../../src/extension/handover/links.ts";
import type { RelayCard } from "../../../src/webview/ledger/ledger-protocol.ts";
import { handover } from "../../webview/ledger/session-fixture.ts";
import { FakeConnection, type Answers } from "../support/fake-connection.ts";
import type { Figure } from "../../../src/engine/usage/token-counts.ts";
import { now, session, t, unknown } from "../support/session.ts";

const text = "Handover h00000001: Fix dates\n\n## Goal\n\nFix the dates\n\n## Next step\n\nRun the tests\n";
const view = handover({ id: "h00000001", sessionId: "old", program: "claude-code", state: "made" });
const draft: HandoverDraft = {
  ...view,
  file: "/home/mara/.purser/handovers/2026-11-30 Fix dates.md",
  text,
  headCommit: null,
  changed: [],
};
const parts = { goal: "Fix the dates", done: "", decisions: "", files: "", next: "Run the tests" };
const gap: HandoverGap = {
  items: [{ id: "0123456789ab", kind: "file", text: "src/a.ts", turn: 1, back: null }],
  isReached: false,
};

/** A card with a service and terminals of the test's own. */
function begin(answers: Answers = {}, own: Partial<RelayPorts> = {}) {
  const service = new FakeConnection({
    handoverMake: () => succeed({ draft }),
    handoverWrite: ({ card }) => succeed({ draft: { ...draft, text: `${text}${card.goal}` } }),
    handoverStart: ({ to }) => succeed({ draft: { ...draft, toProgram: to } }),
    handoverGap: () => succeed({ gap }),
    ...answers,
  });
  const posted: (RelayCard | null)[] = [];
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const links = new Map<string, SessionLinks>();
  const remembered = { word: "codex" };
  const host = new RelayCardHost({
    service,
    t,
    sessions: { find: (id) => (id === "old" ? session({ id }) : undefined) },
    handovers: { of: (id) => links.get(id) ?? { to: undefined, from: undefined } },
    savings: { of: () => 0.7 },
    installed: () =>
      Promise.resolve([
        { word: "claude", file: "/bin/claude" },
        { word: "codex", file: "/bin/codex" },
      ]),
    remembered: { get: () => remembered.word, set: (word) => void (remembered.word = word) },
    launch: ({ word }, started, onEnd) => {
      done.push(`launch ${word} with ${started.toProgram ?? "nothing"}`);
      ends.push(onEnd);
    },
    openFile: (file) => void done.push(`open ${file}`),
    copy: (copied) => {
      done.push(`copy ${copied}`);
      return Promise.resolve();
    },
    now: () => now,
    post: (card) => void posted.push(card),
    ...own,
  });
  const last = () => posted.at(-1) ?? null;
  const names = () => service.asked.map(({ name }) => name);
  return { host, service, posted, last, done, ends, links, remembered, names };
}

const settle = () => wait(5);

test("The card shows the document's parts and the agent that was started last", async () => {
  const { host, last } = begin();
  assert.equal(await host.begin("old"), null);
  assert.partialDeepStrictEqual(last(), {
    id: "h00000001",
    sessionId: "old",
    state: "edit",
    file: "2026-11-30 Fix dates.md",
    parts,
    agent: "codex",
    successor: null,
    problem: null,
  });
});

test("The agent starts once, with the edited text, and is remembered", async () => {
  const { host, service, last, done, remembered, names } = begin();
  await host.begin("old");
  const message = {
    type: "startCard",
    id: "h00000001",
    card: { ...parts, goal: "Only winter" },
    agent: "claude",
  } as const;
  await Promise.all([host.start(message), host.start(message)]);
  assert.deepEqual(names(), ["handoverMake", "handoverWrite", "handoverStart"]);
  assert.deepEqual(service.asked[1]?.params, { id: "h00000001", card: message.card });
  assert.deepEqual(done, ["launch claude with claude-code"]);
  assert.equal(last()?.state, "starting");
  assert.equal(remembered.word, "claude");
  await host.start({ ...message, id: "h99999999" });
  assert.equal(done.length, 1);
});

test("A refused start, and an agent that ends before its first prompt, lead back to the form", async () => {
  let isRefused = true;
  const { host, last, done, ends } = begin({
    handoverStart: () =>
      isRefused ? fail("failed", plainSentence("the folder /x is gone")) : succeed({ draft }),
  });
  await host.begin("old");
  const message = { type: "startCard", id: "h00000001", card: parts, agent: "codex" } as const;
  await host.start(message);
  assert.deepEqual([last()?.state, done], ["edit", []]);
  assert.match(last()?.problem ?? "", /could not be started: the folder \/x is gone/u);
  isRefused = false;
  await host.start(message);
  assert.deepEqual([last()?.state, last()?.problem], ["starting", null]);
  ends[0]?.();
  assert.deepEqual(
    [last()?.state, last()?.problem],
    ["edit", "Codex ended before its first prompt. Start it again, or choose another agent."],
  );
});

test("Once a session has begun with it, the card shows what that lacks, and copies a fact where no hook reaches it", async () => {
  const { host, last, links, ends, done, service } = begin({
    handoverPutBack: () => succeed({ text: "- src/a.ts" }),
  });
  await host.begin("old");
  await host.start({ type: "startCard", id: "h00000001", card: parts, agent: "codex" });
  const to = { ...view, toSession: "new", toProgram: "codex", takenAt: now, state: "taken" } as const;
  links.set("old", { to, from: undefined });
  await host.look("old");
  assert.partialDeepStrictEqual(last(), { state: "taken", gap, successor: { id: "new", name: "Codex" } });
  // The agent did its work: its end is no failure.
  ends[0]?.();
  assert.equal(last()?.state, "taken");
  await host.putBack({ type: "putBackCard", id: "h00000001", items: ["0123456789ab"] });
  assert.equal(done.at(-1), "copy - src/a.ts");
  assert.equal(last()?.done, "Copied. Paste it into the new session's prompt.");
  service.answersTo.handoverPutBack = () => fail("failed", plainSentence("gone"));
  await host.putBack({ type: "putBackCard", id: "h00000001", items: ["0123456789ab"] });
  assert.equal(last()?.problem, "It could not be restored: gone");
  await host.close({ type: "closeCard", id: "h00000001", card: null });
  await host.look("old");
  assert.equal(last(), null);
});

test("A page shows what became of a document for a day", async () => {
  const { host, last, links } = begin({}, { now: () => now + 2 * 86_400_000 });
  const to = { ...view, toSession: "new", takenAt: now, state: "taken" } as const;
  links.set("old", { to, from: undefined });
  await host.look("old");
  assert.equal(last(), null);
  const fresh = begin();
  fresh.links.set("old", { to, from: undefined });
  await fresh.host.look("old");
  assert.equal(fresh.last()?.state, "taken");
});

test("Closing keeps the changes, and a document that is written too late is not shown", async () => {
  let finish = (): void => undefined;
  const late = new Promise<void>((resolve) => (finish = resolve));
  const { host, posted, names } = begin({
    handoverMake: async () => {
      await late;
      return succeed({ draft });
    },
  });
  const beginning = host.begin("old");
  host.hide();
  finish();
  assert.equal(await beginning, null);
  assert.equal(posted.length, 0);
  await host.begin("old");
  await host.close({ type: "closeCard", id: "h00000001", card: { ...parts, done: "All" } });
  assert.equal(posted.at(-1), null);
  assert.equal(names().at(-1), "handoverWrite");
});

test("Without an agent the text is copied, and the file can always be opened", async () => {
  const { host, last, done } = begin({}, { installed: () => Promise.resolve([]) });
  await host.begin("old");
  assert.deepEqual([last()?.agents, last()?.agent], [[], null]);
  await host.copy({ type: "copyCard", id: "h00000001", card: parts });
  await host.openFile({ type: "openCard", id: "h00000001", card: parts });
  assert.deepEqual(done, [`copy ${text}Fix the dates`, `open ${draft.file}`]);
  const unknown = begin({ handoverMake: () => fail("failed", plainSentence("nothing is known")) });
  assert.match((await unknown.host.begin("old")) ?? "", /could not be handed over: nothing is known/u);
  await settle();
  assert.deepEqual(unknown.posted, []);
});

const figure = (value: number | null): Figure =>
  value === null ? unknown : { value, provenance: "estimated", source: plainSentence("") };

function priced(here: number | null, fresh: number | null): Partial<SessionSnapshot> {
  return { goingOn: { coldCall: unknown, here: figure(here), fresh: figure(fresh) } };
}

test("A saving is the old session's next ten turns less the new one's, as it was when the work went over", () => {
  const from = handover({ id: "h1", sessionId: "old" });
  let old = session({ id: "old", ...priced(0.9, 0.2) });
  const savings = new RelaySavings({
    sessions: { find: (id) => (id === "old" ? old : undefined) },
    handovers: { of: (id) => ({ to: undefined, from: id === "new" ? from : undefined }) },
  });
  assert.equal(savings.of({ id: "other", turns: 1 }), null);
  assert.equal(savings.of({ id: "new", turns: 11 }), null);
  assert.equal(savings.of({ id: "new", turns: 1 })?.toFixed(2), "0.70");
  old = session({ id: "old", ...priced(5, 0.2) });
  assert.equal(savings.of({ id: "new", turns: 2 })?.toFixed(2), "0.70");
  for (const [here, fresh] of [
    [null, 0.2],
    [0.9, null],
    [0.1, 0.2],
  ] as const) {
    old = session({ id: "old", ...priced(here, fresh) });
    const anew = new RelaySavings({
      sessions: { find: () => old },
      handovers: { of: () => ({ to: undefined, from }) },
    });
    assert.equal(anew.of({ id: "new", turns: 1 }), null);
  }
});

test("A session whose work went over needs no warning, until it works on", () => {
  const to = handover({ toSession: "new", takenAt: now });
  assert.equal(isHandedOver({ lastActivity: now - 1000 }, { to, from: undefined }), true);
  assert.equal(isHandedOver({ lastActivity: now + 120_000 }, { to, from: undefined }), false);
  assert.equal(
    isHandedOver({ lastActivity: now }, { to: handover({ takenAt: now }), from: undefined }),
    false,
  );
  assert.equal(isHandedOver({ lastActivity: now }, { to: undefined, from: undefined }), false);
});
