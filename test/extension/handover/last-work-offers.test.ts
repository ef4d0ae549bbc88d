import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import type { StartOffer } from "../../../src/engine/continuity/continuity-answers.ts";
import { Offers } from "../../../src/extension/handover/last-work-offers.ts";
import { handover } from "../../webview/ledger/session-fixture.ts";
import { FakeConnection } from "../support/fake-connection.ts";
import { session } from "../support/session.ts";

const settle = () => wait(5);
const offer: StartOffer = { sessionId: "before", program: "codex", title: "Tides", at: 1, turns: 9 };

/** A window. The test sets its live sessions. */
function shownWindow(answer: StartOffer | null = offer) {
  const service = new FakeConnection({ sessionOffer: () => succeed({ offer: answer }) });
  const changes = new Emitter<void>();
  const live: SessionSnapshot[] = [];
  const begun = new Set<string>();
  const offers = new Offers({
    service,
    sessions: { live, onChange: changes.on },
    handovers: {
      of: (id) => ({ to: undefined, from: begun.has(id) ? handover({ toSession: id }) : undefined }),
    },
  });
  const show = async (...all: SessionSnapshot[]) => {
    live.splice(0, Infinity, ...all);
    changes.fire();
    await settle();
  };
  return { service, offers, show, begun };
}

test("requests one offer per new session, and drops it after the first prompts", async () => {
  const { service, offers, show } = shownWindow();
  let fired = 0;
  offers.onChange(() => (fired += 1));
  const young = session({ prompts: 1 });
  await show(young);
  await show(
    young,
    session({ id: "old", prompts: 4 }),
    session({ id: "folded", prompts: 1, compactions: 1 }),
  );
  assert.deepEqual(service.asked, [
    { name: "sessionOffer", params: { session: young.id, folder: "/home/dev/harbor" } },
  ]);
  assert.deepEqual([offers.of(young), fired], [offer, 1]);
  assert.equal(offers.of({ ...young, prompts: 4 }), undefined, "it has a task of its own");
  assert.equal(offers.of({ ...young, live: false }), undefined);
  offers.dispose();
});

test("a session that began with a handover, or without a folder, is offered nothing", async () => {
  const { service, offers, show, begun } = shownWindow();
  begun.add("heir");
  await show(session({ id: "heir", prompts: 1 }), session({ id: "nowhere", prompts: 1, cwd: null }));
  assert.deepEqual(service.asked, []);
  offers.dispose();
});

test("requests offers again for new settings or another service", async () => {
  const { service, offers, show } = shownWindow();
  const young = session({ prompts: 0 });
  await show(young);
  service.answersTo.sessionOffer = () => succeed({ offer: null });
  offers.forget();
  assert.equal(offers.of(young), undefined);
  await settle();
  assert.equal(offers.of(young), undefined);
  service.answersTo.sessionOffer = () => fail("failed", plainSentence("no ledger"));
  service.switchService();
  await settle();
  assert.equal(offers.of(young), undefined);
  assert.equal(service.asked.length, 3);
  offers.dispose();
});
