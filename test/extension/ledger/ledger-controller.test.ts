import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { LedgerFilter, Overview } from "../../../src/engine/ledger/ledger-answers.ts";
import { filterBefore, LedgerController } from "../../../src/extension/ledger/ledger-controller.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import { firstState, hostMessage, type HostMessage } from "../../../src/webview/ledger/ledger-protocol.ts";
import { fresh, makeOverview, now } from "../../webview/ledger/fixtures.ts";
import { handover, makeSession, sessionWork } from "../../webview/ledger/session-fixture.ts";
import { why } from "../../webview/ledger/why-fixture.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { FakeConnection, type Answers } from "../support/fake-connection.ts";

const { question } = firstState;

/** A panel's host with fake surroundings. */
function begin(answers: Pick<Answers, "overview" | "sessionPage" | "putBack" | "sessionScorecard"> = {}) {
  const asked: (LedgerFilter | string)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const posted: HostMessage[] = [];
  const done: string[] = [];
  const titles: (string | null)[] = [];
  const problems: string[] = [];
  const saved: { name: string; format: string; text: string }[] = [];
  const service = new FakeConnection({
    ...(answers.putBack === undefined ? {} : { putBack: answers.putBack }),
    overview: (params, signal) => {
      asked.push(params.asked);
      signals.push(signal);
      return answers.overview?.(params, signal) ?? answer(makeOverview(3));
    },
    sessionPage: (params, signal) => {
      asked.push(params.asked);
      signals.push(signal);
      return (
        answers.sessionPage?.(params, signal) ??
        succeed({ answer: makeSession(params.asked, 3), freshness: fresh })
      );
    },
  });
  if (answers.sessionScorecard !== undefined) service.answersTo.sessionScorecard = answers.sessionScorecard;
  const changed = () => service.notices.ledgerChanged.fire({ freshness: fresh });
  const talk = new LedgerController({
    service,
    clock: { now: () => now },
    t: (message, ...values) => message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)])),
    post: (message) => posted.push(hostMessage.parse(message)),
    save: (file) => saved.push(file),
    openTranscript: (id, agent) => done.push(`transcript ${id} of ${agent}`),
    relay: null,
    workOf: () => ({
      handedTo: handover(),
      cameFrom: null,
      canHandOver: true,
      isEnding: true,
      now: null,
      room: null,
    }),
    getStarted: () => done.push("get started"),
    setTitle: (title) => titles.push(title),
    showLog: () => done.push("log"),
    onProblem: (message) => problems.push(message),
  });
  const types = () => posted.map(({ type }) => type);
  return { talk, titles, service, changed, asked, signals, posted, types, done, problems, saved };
}

function answer(overview: Overview) {
  return Promise.resolve(succeed({ answer: overview, freshness: fresh }));
}

/** Waits until pending promises have settled. */
const settle = () => wait(5);

test("a panel that begins is sent what it showed: the overview, its range as days", async () => {
  const { talk, asked, posted } = begin();
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  assert.deepEqual(asked, [{ since: "2026-10-23", until: "2026-11-21", project: null, program: null }]);
  const [message] = posted;
  assert.ok(message?.type === "overview");
  assert.deepEqual([message.since, message.until, message.question], ["2026-10-23", "2026-11-21", question]);
  talk.dispose();
});

test("a session comes with its comparison with others, or without it if unknown", async () => {
  const { scorecard } = sessionWork;
  for (const answered of [succeed({ scorecard }), fail("failed", plainSentence("bug"))] as const) {
    const { talk, posted } = begin({ sessionScorecard: () => answered });
    talk.handleMessage({ type: "ready", question, sessionId: "one" });
    await settle();
    const [message] = posted;
    assert.ok(message?.type === "session");
    assert.deepEqual(message.work, {
      scorecard: answered.ok ? scorecard : null,
      handedTo: handover(),
      cameFrom: null,
      canHandOver: true,
      isEnding: true,
      now: null,
      room: null,
    });
    talk.dispose();
  }
});

test("the overview and a session are followed by why they cost what they did", async () => {
  const { talk, service, types, posted } = begin();
  service.answersTo.why = ({ asked }) =>
    succeed({ answer: asked.session === "unknown" ? null : why, freshness: fresh });
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  talk.handleMessage({ type: "openSession", id: "one" });
  await settle();
  talk.handleMessage({ type: "openSession", id: "unknown" });
  await settle();
  assert.deepEqual(types(), ["overview", "why", "session", "why", "session"]);
  const asked = service.asked.filter(({ name }) => name === "why").map(({ params }) => params);
  const none = { since: null, until: null, project: null, program: null };
  assert.deepEqual(asked, [
    { asked: { ...none, since: "2026-10-23", until: "2026-11-21", session: null } },
    { asked: { ...none, session: "one" } },
    { asked: { ...none, session: "unknown" } },
  ]);
  const about = posted.flatMap((each) => (each.type === "why" ? [[each.question, each.sessionId]] : []));
  assert.deepEqual(about, [
    [question, null],
    [null, "one"],
  ]);
  talk.dispose();
});

test("a panel that showed a session is sent that one, and the overview when it goes back", async () => {
  const { talk, types, titles } = begin();
  talk.handleMessage({ type: "ready", question, sessionId: "one" });
  await settle();
  talk.handleMessage({ type: "closeSession" });
  await settle();
  assert.deepEqual(types(), ["session", "overview"]);
  assert.deepEqual(titles, ["Fix the winter time shift in the tide…", null]);
  talk.dispose();
});

test("the panel is titled by the session's project and branch if it has no title", async () => {
  const page = makeSession("one");
  const untitled = { ...page.session, title: null, cwd: "/home/mara/notes", branch: "fix" };
  const { talk, titles } = begin({
    sessionPage: () => succeed({ answer: { ...page, session: untitled }, freshness: fresh }),
  });
  talk.handleMessage({ type: "openSession", id: "one" });
  await settle();
  assert.deepEqual(titles, ["notes (fix)"]);
  talk.dispose();
});

test("the days before are sent with an overview, if anything was used then", async () => {
  const { totals } = makeOverview(3);
  const report = { rows: [], totals, undated: 0 };
  const { talk, service, posted, changed } = begin();
  service.answersTo.usage = () => succeed({ report, places: [], zoneOffset: 0, freshness: fresh });
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  const previous = () => posted.findLast((message) => message.type === "overview")?.previous;
  assert.deepEqual(previous(), { since: "2026-09-23", until: "2026-10-22", totals });
  const asked = service.asked.find(({ name }) => name === "usage")?.params;
  assert.deepEqual(asked, {
    by: "model",
    since: "2026-09-23",
    until: "2026-10-22",
    project: null,
    program: null,
  });
  service.answersTo.usage = () =>
    succeed({
      report: { ...report, totals: { ...totals, responses: 0 } },
      places: [],
      zoneOffset: 0,
      freshness: fresh,
    });
  changed();
  await waitUntil(() => previous() === null);
  talk.dispose();
});

test("as many days right before a range, across months; none before today or an open range", () => {
  const before = (since: string | null, until: string | null) =>
    filterBefore({ since, until, project: null, program: null }, now);
  assert.deepEqual(before("2026-03-01", "2026-03-07"), {
    since: "2026-02-22",
    until: "2026-02-28",
    project: null,
    program: null,
  });
  assert.equal(before("2026-11-20", "2026-11-20")?.since, "2026-11-19");
  for (const [since, until] of [
    [null, null],
    ["2026-11-21", "2026-11-21"],
    [null, "2026-11-20"],
    ["2026-11-20", "2026-11-19"],
  ] as const)
    assert.equal(before(since, until), null);
});

test("a newer request cancels the older one, and its answer is not sent", async () => {
  let finish: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (finish = resolve));
  const { talk, signals, posted, asked } = begin({
    overview: async ({ asked: { since } }) => {
      if (since !== null) await first;
      return answer(makeOverview(3));
    },
  });
  talk.handleMessage({ type: "ready", question, sessionId: null });
  talk.handleMessage({ type: "ask", question: { ...question, range: { kind: "all" } } });
  await settle();
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true, false],
  );
  finish?.();
  await settle();
  assert.equal(asked.length, 2);
  assert.equal(posted.length, 1);
  talk.dispose();
});

test("follows changes of the shown content one at a time, and nothing for a hidden panel", async () => {
  const { talk, changed, types } = begin();
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  for (let times = 0; times < 5; times += 1) changed();
  await settle();
  assert.deepEqual(types(), ["overview"]);
  await wait(1050);
  assert.deepEqual(types(), ["overview", "overview"]);
  talk.setVisible(false);
  changed();
  await wait(1050);
  assert.equal(types().length, 2);
  talk.setVisible(true);
  await settle();
  assert.equal(types().length, 3);
  talk.dispose();
  changed();
  await settle();
  assert.equal(types().length, 3);
});

test("reports a missing answer as missing, with the source's reason", async () => {
  const failures: [Result<never, AskFailure>, HostMessage["type"]][] = [
    [fail("offline", plainSentence("gone")), "offline"],
    [fail("failed", plainSentence("disk")), "error"],
  ];
  for (const [failure, type] of failures) {
    const { talk, service, types, problems } = begin({ overview: () => failure });
    talk.handleMessage({ type: "ready", question, sessionId: null });
    await settle();
    assert.deepEqual(types(), [type]);
    assert.equal(problems.length, 1);
    talk.handleMessage({ type: "retry" });
    await settle();
    assert.equal(types().length, 2);
    assert.equal(service.retried, 1);
    talk.dispose();
  }
});

test("a source that is just starting leaves the panel waiting", async () => {
  const { talk, types, problems } = begin({
    overview: () => fail("starting", plainSentence("not yet")),
  });
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  assert.deepEqual([types(), problems], [[], []]);
  talk.dispose();
});

test("reports an unreadable session as a failure of that session", async () => {
  const { talk, posted } = begin({ sessionPage: () => fail("failed", plainSentence("bug")) });
  talk.handleMessage({ type: "ready", question, sessionId: "one" });
  await settle();
  assert.deepEqual(posted, [{ type: "error", about: "session", message: "Usage could not be read: bug" }]);
  talk.dispose();
});

test("exports what is shown", async () => {
  const { talk, saved } = begin();
  talk.handleMessage({ type: "export", what: "overview", format: "csv" });
  assert.deepEqual(saved, []);
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await settle();
  talk.handleMessage({ type: "export", what: "overview", format: "csv" });
  talk.handleMessage({ type: "openSession", id: "one" });
  await settle();
  talk.handleMessage({ type: "export", what: "session", format: "json" });
  assert.deepEqual(
    saved.map(({ name }) => name),
    ["purser-overview.csv", "purser-session.json"],
  );
  talk.dispose();
});

test("passes the editor's own actions to the editor", () => {
  const { talk, done } = begin();
  talk.handleMessage({ type: "openTranscript", id: "one" });
  talk.handleMessage({ type: "getStarted" });
  talk.handleMessage({ type: "showLog" });
  assert.deepEqual(done, ["transcript one of null", "get started", "log"]);
  talk.dispose();
});

test("opens a transcript with the agent of the shown session", async () => {
  const { talk, done } = begin();
  talk.handleMessage({ type: "ready", question, sessionId: "one" });
  await settle();
  talk.handleMessage({ type: "openTranscript", id: "one" });
  talk.handleMessage({ type: "openTranscript", id: "two" });
  assert.deepEqual(done, ["transcript one of claude-code", "transcript two of null"]);
  talk.dispose();
});

test("a session to show waits for the panel's script", async () => {
  const { talk, types } = begin();
  talk.show("one");
  assert.deepEqual(types(), []);
  talk.handleMessage({ type: "ready", question, sessionId: null });
  talk.show("two");
  assert.deepEqual(types(), ["show", "show"]);
  await settle();
  talk.dispose();
});

test("puts back what a compaction lost, and requests the session again", async () => {
  const put: unknown[] = [];
  let isKnown = true;
  const { talk, posted, asked, types } = begin({
    putBack: (wish) => {
      put.push(wish);
      return isKnown ? succeed({ count: 1 }) : fail("failed", plainSentence("it is gone"));
    },
  });
  talk.handleMessage({ type: "ready", question, sessionId: "one" });
  await settle();
  const wish = { session: "one", diff: "one:1", items: ["a"] };
  talk.handleMessage({ type: "putBack", ...wish });
  await settle();
  assert.deepEqual(put, [wish]);
  assert.deepEqual(asked, ["one", "one"]);
  isKnown = false;
  talk.handleMessage({ type: "putBack", ...wish });
  await settle();
  assert.deepEqual(types(), ["session", "session", "error"]);
  assert.deepEqual(posted.at(-1), {
    type: "error",
    about: "session",
    message: "It could not be restored: it is gone",
  });
  talk.show("two", "two:1");
  assert.deepEqual(posted.at(-1), { type: "show", id: "two", compaction: "two:1" });
  talk.dispose();
});

test("logs an unknown message, and does nothing else", () => {
  const messages = fc.oneof(
    fc.anything(),
    fc.record({ type: fc.constantFrom("ask", "openSession", "export", "ready"), id: fc.anything() }),
    fc.constantFrom(
      { type: "openSession", id: "" },
      { type: "export", what: "everything", format: "csv" },
      { type: "ask", question: { ...question, range: { kind: "last", days: -1 } } },
      { type: "ask", question: { ...question, project: "x".repeat(5000) } },
      { type: "ready", question, sessionId: 7 },
    ),
  );
  fc.assert(
    fc.property(messages, (message) => {
      const { talk, asked, posted, done, saved } = begin();
      talk.handleMessage(message);
      const isOpening =
        typeof message === "object" && message !== null && "id" in message && typeof message.id === "string";
      if (!isOpening) assert.deepEqual([asked, posted, done, saved], [[], [], [], []]);
      talk.dispose();
    }),
  );
});

test("sends its state at once when the service arrives after the panel was ready", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const answers: Result<{ answer: Overview; freshness: typeof fresh }, AskFailure>[] = [
    fail("starting", plainSentence("not yet")),
  ];
  const { talk, service, types } = begin({
    overview: () => answers.pop() ?? succeed({ answer: makeOverview(1), freshness: fresh }),
  });
  t.after(() => talk.dispose());
  talk.handleMessage({ type: "ready", question, sessionId: null });
  await turns();
  assert.deepEqual(types(), []);
  service.switchService();
  await turns();
  assert.deepEqual(types(), ["overview"]);
});

/** Waits until pending promises have settled, while timers are stopped. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
