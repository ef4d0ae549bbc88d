import { assert } from "../support/assert-texts.ts";
import { test } from "node:test";
import type { QuestionName, QuestionParams } from "../../../src/engine/ledger/questions/questions.ts";
import { succeed } from "../../../src/engine/base/result.ts";
import { LedgerHost } from "../../../src/engine/ledger/host/ledger-host.ts";
import { open } from "../ledger/support/support.ts";
import { scratchFolder } from "../support/scratch.ts";
import { ServiceSandbox } from "./support/box.ts";
import { FakeCollecting } from "./support/fake-ledger.ts";
import { noticeEvent } from "./support/notice-event.ts";
import { until } from "../sessions/support/until.ts";
import { keptOf } from "./support/rules-service.ts";

test("A click on Approve queries the ledger three times, the rule book once, and its notice never", async (t) => {
  const box = new ServiceSandbox(t);
  const ledger = keptOf(await open(t, scratchFolder(t)));
  const asked: QuestionName[] = [];
  const counted = Object.assign(ledger, {
    ask: ((ask) => (name: QuestionName, params: QuestionParams<QuestionName>) => {
      asked.push(name);
      return ask(name, params);
    })(ledger.ask.bind(ledger)),
  });
  const { log, clock } = box.servicePorts();
  const host = new LedgerHost({
    log,
    clock,
    places: [],
    collect: () => new FakeCollecting([]),
    open: () => Promise.resolve(succeed(counted)),
  });
  const client = await box.host({ ledger: host });
  const root = scratchFolder(t);
  const rules = [{ text: "Read a file once and work from what you saw.", source: null }];
  const made = await client.ask("rulesPropose", { agent: "scout", origin: "hand", rules });
  const id = made.ok ? (made.value.proposed[0]?.id ?? "") : "";
  await client.ask("rulesRead", { root });
  asked.length = 0;
  const event = until(noticeEvent(client, "rulesChanged"), ({ revision }) => revision === 2);
  const done = await client.ask("rulesAct", { id, act: { kind: "approve" }, root });
  assert.ok(done.ok);
  assert.deepEqual(
    [done.value.id, done.value.why, done.value.memory, done.value.view.rules[0]?.status],
    [id, "approved", null, "approved"],
  );
  assert.deepEqual(await event, { waiting: 0, revision: done.value.revision });
  assert.deepEqual(asked.sort(), ["realRuns", "rentFacts", "ruleBook"]);
});
