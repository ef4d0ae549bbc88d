import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { linkTexts } from "../../../src/extension/handover/describe-handover.ts";
import { HandoverLinks } from "../../../src/extension/handover/links.ts";
import { handover } from "../../webview/ledger/session-fixture.ts";
import { FakeConnection } from "../support/fake-connection.ts";
import { t } from "../support/session.ts";

const taken = handover({
  id: "h2",
  sessionId: "one",
  program: "claude-code",
  toProgram: "codex",
  toSession: "two",
});
/** Waits until pending promises have settled. */
const settle = () => wait(5);

test("links sessions by their newest shared document once the service reports it", async () => {
  const older = handover({ id: "h1", sessionId: "one", state: "out_of_date" });
  const service = new FakeConnection({ handoverList: () => succeed({ handovers: [taken, older] }) });
  const links = new HandoverLinks(service);
  let changes = 0;
  links.onChange(() => (changes += 1));
  await settle();
  assert.deepEqual(
    [links.of("one").to?.id, links.of("two").from?.id, links.of("three").to],
    ["h2", "h2", undefined],
  );
  service.notices.handoversChanged.fire({ handovers: [older] });
  assert.deepEqual([links.of("one").to?.id, links.of("two").from, changes], ["h1", undefined, 2]);
  // A new service is asked again.
  service.notices.handoversChanged.fire(undefined);
  await settle();
  assert.equal(links.of("two").from?.id, "h2");
  links.dispose();
});

test("a service without a ledger links nothing", async () => {
  const links = new HandoverLinks(
    new FakeConnection({ handoverList: () => fail("failed", plainSentence("no ledger")) }),
  );
  await settle();
  assert.deepEqual(links.of("one"), { to: undefined, from: undefined });
});

test("describes what became of a document in a few words", () => {
  const said = (own: Parameters<typeof handover>[0]) => linkTexts({ to: handover(own), from: undefined }, t);
  assert.deepEqual(
    [said(taken), said({}), said({ state: "out_of_date" }), said({ state: "ignored" })].flat(),
    ["handed over to Codex", "handover written", "handover out of date", "handover not used"],
  );
  const from = handover({ sessionId: "5a1c6f1e-0000", program: "claude-code" });
  assert.deepEqual(linkTexts({ to: taken, from }, t), [
    "handed over to Codex",
    "continues Claude Code 5a1c6f1e",
  ]);
  assert.deepEqual(linkTexts({ to: undefined, from: { ...from, program: null } }, t), ["continues 5a1c6f1e"]);
  assert.deepEqual(linkTexts({ to: undefined, from: undefined }, t), []);
});
