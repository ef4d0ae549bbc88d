import { netViewOf, type GuardView } from "../../../src/engine/guard/guard-answers.ts";
import { makeSaving } from "../../engine/guard/support/make-saving.ts";
import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { Emitter, Observable } from "../../../src/engine/base/events.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { guardRow, type GuardRow, GuardFeed } from "../../../src/extension/guard/guard-feed.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { emptyView, makeNet, makeView } from "../../webview/guard/fixtures.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const t = (text: string, ...values: readonly (string | number | boolean)[]): string =>
  values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text);
const translate: Parameters<typeof guardRow>[1]["t"] = (text, ...values) => t(text, ...values);

const count = { rule: "r", family: "safety", action: "ask", done: "observed", lastAt: 1, savedBytes: 0 };

test("A row sums up what rules did, and would have done", () => {
  const row = (counts: readonly object[], modes: object = {}) =>
    guardRow(
      makeView({
        modes: { all: "observe", families: {}, ...modes },
        counts: counts.map((own) => ({ ...count, count: 1, ...own })),
      }),
      { t: translate, hasHooks: true },
    );
  assert.deepEqual(row([{ count: 3 }, { action: "advise", count: 9, savedBytes: 1_200_000 }]), [
    "Guard",
    "watching only · 12 calls in 7 days",
    "3 would have been asked about, 1.2M bytes of output could be smaller",
  ]);
  assert.deepEqual(row([{ done: "denied" }], { all: "on" }), [
    "Guard",
    "on · 1 call in 7 days",
    "1 asked about or denied",
  ]);
  assert.deepEqual(
    row([{ done: "unjudged", rule: "not-judged-alone", count: 2 }], { families: { safety: "required" } }),
    ["Guard", "on · 2 calls in 7 days", "2 not judged"],
  );
  assert.deepEqual(row([], { families: { output: "on" } }), ["Guard", "on · 0 calls in 7 days", "measured"]);
  assert.deepEqual(row([{ done: "replaced", savedBytes: 5000 }], { all: "off" }), [
    "Guard",
    "off · 1 call in 7 days",
    "5k bytes of output left out",
  ]);
  const about = (net: GuardView["net"]) =>
    guardRow(makeView({ counts: [], net }), { t: translate, hasHooks: true })?.[2];
  assert.equal(about(makeNet()), "~8,820 tokens net, not known yet whether it saves");
  const saving = netViewOf(
    { savings: Array.from({ length: 40 }, (_, each) => makeSaving(each)), wakes: [] },
    0,
  );
  assert.equal(about(saving), "~68,000 tokens saved net");
  assert.equal(row([], { all: "off" }), null);
  const unseen = (view: GuardView) => guardRow(view, { t: translate, hasHooks: false });
  assert.deepEqual(unseen(emptyView()), ["Guard", "sees no calls", "hooks are not installed"]);
  assert.match(unseen(makeView())?.[1] ?? "", /^watching only · /u);
});

test("requests the row without hits, again for a new service or settings, and drops it without an answer", async (context) => {
  let answer = succeed({ view: makeView() });
  const service = new FakeConnection({ guardRead: () => answer });
  const row = new Observable<GuardRow>(null);
  const settings = new Emitter<void>();
  const feed = new GuardFeed(
    {
      service,
      clock: { now: () => 700_000_000 },
      t: translate,
      onSettingsChange: (listener) => settings.on(listener),
      hasHooks: () => true,
    },
    row,
  );
  context.after(() => feed.dispose());
  await waitUntil(() => row.value !== null);
  assert.deepEqual(service.asked, [{ name: "guardRead", params: { since: 95_200_000, most: 0 } }]);
  answer = succeed({ view: { ...emptyView(), modes: { all: "off", families: {} } } });
  settings.fire();
  await waitUntil(() => row.value === null);
  answer = succeed({ view: makeView() });
  service.switchService();
  await waitUntil(() => row.value !== null);
  service.unreachable = fail("offline", plainSentence("It is away."));
  service.switchService();
  await waitUntil(() => row.value === null);
});
