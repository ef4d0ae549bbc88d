import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { serveJobs } from "../../../src/engine/jobs/serve-jobs.ts";
import { serveBudgets } from "../../../src/engine/budgets/live/serve-budgets.ts";
import type { ProjectBudgets } from "../../../src/engine/budgets/budgets-answers.ts";
import { serve } from "../../../src/engine/protocol/serve.ts";
import { rulesRequests } from "../../../src/engine/rules/rule-requests.ts";
import { serveLedger } from "../../../src/engine/ledger/host/serve-ledger.ts";
import { serveMessages } from "../../../src/engine/hooks/feature.ts";
import { serveNudge, serveRules } from "../../../src/engine/rules/host/serve-rules.ts";
import { requesterOf, noticeKinds, requestKinds } from "../../../src/engine/jobs/all-requests.ts";
import { waitUntil } from "../support/wait-until.ts";
import { servedPeer } from "./support/peers.ts";

test("a kind of request or notice goes by the name it has in the list", () => {
  for (const kinds of [requestKinds, noticeKinds])
    for (const [name, { method }] of Object.entries(kinds)) assert.equal(method, name);
});

test("every request about a missing part reports that it is missing", async (t) => {
  const without = [serveLedger, serveJobs, serveRules, serveNudge, serveBudgets, serveMessages];
  const { peer } = await servedPeer(
    t,
    without.map((make) => make(undefined)),
  );
  const service = requesterOf(peer, requestKinds);
  const answers = await Promise.all([
    service.ask("ledgerStatus", {}),
    service.ask("goldenBook", { asked: 0 }),
    service.ask("benchList", {}),
    service.ask("rulesEvidence", { agent: "sql" }),
    service.ask("rulesNudge", {}),
    service.ask("budgetsRead", { folders: [] }),
    service.ask("messagesFollow", { folders: [] }),
  ]);
  assert.deepEqual(
    answers.map((answer) => (answer.ok ? "" : `${answer.reason}: ${answer.detail.text}`)),
    [
      "refused: this service holds no ledger",
      "refused: this service holds no ledger",
      "refused: this service runs no benches",
      "refused: this service holds no ledger",
      "refused: this service holds no ledger",
      "refused: this service holds no budgets",
      "refused: this service answers no hooks",
    ],
  );
});

test("a cancelled request is answered at once where its work may be left behind, and else when that has ended", async (t) => {
  for (const abandonsCancelled of [true, false]) {
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    let starts = 0;
    const slow = serve<object, { rulesNudge: typeof rulesRequests.rulesNudge }>({
      requests: { rulesNudge: rulesRequests.rulesNudge },
      part: {},
      missing: fail("none", plainSentence("it is there")),
      abandonsCancelled,
      handlers: () => ({
        rulesNudge: async () => {
          starts += 1;
          await work;
          return succeed({ waiting: 1 });
        },
      }),
    });
    const { peer } = await servedPeer(t, [slow]);
    const stop = new AbortController();
    const asked = requesterOf(peer, requestKinds).ask("rulesNudge", {}, stop.signal);
    await waitUntil(() => starts === 1);
    stop.abort();
    if (!abandonsCancelled) finish();
    const answer = await asked;
    assert.equal(answer.ok ? "answered" : answer.reason, abandonsCancelled ? "cancelled" : "answered");
    finish();
  }
});

test("a client is notified once it is welcome, until it is let go", async (t) => {
  const changes = new Emitter<number>();
  const counting = serve({
    requests: {},
    part: changes,
    missing: fail("none", plainSentence("it is there")),
    handlers: () => ({}),
    publish: (part, client) =>
      part.on((waiting) => void client.notify(noticeKinds.rulesChanged, { waiting, revision: 1 })),
  });
  const { peer, served } = await servedPeer(t, [counting]);
  const received: number[] = [];
  peer.onNotification(noticeKinds.rulesChanged, ({ waiting }) => received.push(waiting));
  changes.fire(1);
  for (const each of served) each.welcome();
  changes.fire(2);
  await waitUntil(() => received.length === 1);
  for (const each of served) each.dispose();
  changes.fire(3);
  // A later answer is sent after any earlier notification.
  await requesterOf(peer, requestKinds).ask("describe", {});
  assert.deepEqual(received, [2]);
});

test("several clients get the same notice, except one that left; an invalid notice is one problem", async (t) => {
  const { peer, far, problems } = await servedPeer(t, []);
  const received: string[] = [];
  const first = peer.onNotification(noticeKinds.rulesChanged, ({ waiting }) =>
    received.push(`first ${waiting}`),
  );
  peer.onNotification(noticeKinds.rulesChanged, ({ waiting }) => received.push(`second ${waiting}`));
  await far.sendNotification(noticeKinds.rulesChanged, { waiting: 1, revision: 1 });
  await waitUntil(() => received.length === 2);
  first.dispose();
  await far.sendNotification(noticeKinds.rulesChanged, { waiting: -1, revision: 1 });
  await far.sendNotification(noticeKinds.rulesChanged, { waiting: 2, revision: 1 });
  await waitUntil(() => received.length === 3);
  assert.deepEqual(received, ["first 1", "second 1", "second 2"]);
  assert.deepEqual(problems, ["rulesChanged came with parameters that are none of its own"]);
});

test("of folders that are followed one after the other only the last ones are, whichever were read first", async (t) => {
  const reads: (() => void)[] = [];
  const followed = new Set<string>();
  const feed: NonNullable<Parameters<typeof serveBudgets>[0]> = {
    read: () => new Promise<ProjectBudgets[]>((resolve) => reads.push(() => resolve([]))),
    follow: (folders) => {
      const name = folders.join();
      followed.add(name);
      return { dispose: () => followed.delete(name) };
    },
    propose: () => Promise.resolve([]),
    sync: () => Promise.resolve(),
    recentTokens: () => Promise.resolve([]),
    setLimit: () => Promise.resolve(fail("corrupt", plainSentence("it is damaged"))),
  };
  const { peer, served } = await servedPeer(t, [serveBudgets(feed)]);
  const service = requesterOf(peer, requestKinds);
  const both = ["/one", "/two"].map((folder) => service.ask("budgetsFollow", { folders: [folder] }));
  await waitUntil(() => reads.length === 2);
  for (const finish of reads.toReversed()) finish();
  await Promise.all(both);
  assert.deepEqual([...followed], ["/two"]);
  for (const each of served) each.dispose();
  assert.deepEqual([...followed], []);
  const late = service.ask("budgetsFollow", { folders: ["/three"] });
  await waitUntil(() => reads.length === 3);
  reads[2]?.();
  await late;
  assert.deepEqual([...followed], [], "a client that was let go follows nothing");
});
