import { plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { describe, it, type TestContext } from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { LedgerApi } from "../../../src/engine/ledger/ledger-thread.ts";
import { LedgerHost } from "../../../src/engine/ledger/host/ledger-host.ts";
import { readUsageAnswer, quickAsk, type QuickQuestion } from "../../../src/engine/service/quick-ask.ts";
import { writeRecord } from "../../../src/engine/service/service-record.ts";
import { until } from "../sessions/support/until.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox } from "./support/box.ts";
import { noticeEvent } from "./support/notice-event.ts";
import { windowSettingsOf } from "./support/window-settings.ts";
import { anomaly, FakeCollecting, FakeLedger } from "./support/fake-ledger.ts";

const question = { by: "day", since: null, until: null, project: null, program: null } as const;

async function serviceWith(t: TestContext, opened: Promise<Result<LedgerApi>>) {
  const box = new ServiceSandbox(t);
  const did: string[] = [];
  const collecting = new FakeCollecting(did);
  const ports = box.servicePorts();
  const { log, clock } = ports;
  const ledger = new LedgerHost({
    log,
    clock,
    open: () => opened,
    collect: () => collecting,
    places: ["/home/dev/.claude"],
  });
  const client = await box.host({ ledger });
  return { box, client, collecting, did };
}

describe("the ledger through the service", () => {
  it("delays nothing else while it is opened", async (t) => {
    let open: (ledger: Result<LedgerApi>) => void = () => undefined;
    const { client } = await serviceWith(t, new Promise((resolve) => (open = resolve)));
    const asked = client.ask("usage", question);
    assert.ok((await client.ask("status", {})).ok);
    assert.ok((await client.ask("describe", {})).ok);
    open(succeed(new FakeLedger()));
    const answer = await asked;
    assert.deepEqual(answer.ok && answer.value.report.rows, []);
  });

  it("notifies every client of changes, and lets one of them claim an anomaly", async (t) => {
    const ledger = new FakeLedger();
    ledger.unshown = [anomaly];
    const { box, client, collecting } = await serviceWith(t, Promise.resolve(succeed(ledger)));
    const other = await box.client();
    const clients = [client, other];
    await Promise.all(clients.map((each) => each.ask("ledgerStatus", {})));
    collecting.freshness = { asOf: 5, files: 2, done: 2, problems: [] };
    const changes = clients.map((each) =>
      until(noticeEvent(each, "ledgerChanged"), ({ freshness }) => freshness.asOf === 5),
    );
    const found = clients.map((each) =>
      until(noticeEvent(each, "anomalyFound"), ({ id }) => id === anomaly.id),
    );
    ledger.appended.fire(1);
    ledger.found.fire(anomaly);
    await Promise.all(changes);
    assert.deepEqual(await Promise.all(found), [anomaly, anomaly]);
    const claims = await Promise.all(clients.map((each) => each.ask("claimAnomaly", { id: anomaly.id })));
    assert.equal(claims.filter((claim) => claim.ok && claim.value.isFirst).length, 1);
  });

  it("survives a cancelled request, a bug and an existing file", async (t) => {
    const { box, client, collecting, did } = await serviceWith(t, Promise.resolve(succeed(new FakeLedger())));
    collecting.reading = new Promise(() => undefined);
    const stop = new AbortController();
    const reading = client.ask("catchUp", {}, stop.signal);
    assert.ok((await client.ask("ledgerStatus", {})).ok);
    stop.abort();
    const cancelled = await reading;
    assert.ok(!cancelled.ok && cancelled.reason === "cancelled");
    await waitUntil(() => did.includes("abort"));
    const limits = { since: null, until: null, project: null, program: null };
    const failed = await client.ask("overview", { asked: limits });
    assert.ok(!failed.ok && failed.detail.text.includes("log says why"));
    assert.match(box.log(), /overview failed: Error: a bug/u);
    const backup = await client.ask("backupLedger", { file: "/there" });
    assert.ok(!backup.ok && backup.detail.text === "/there is there already");
    const page = await client.ask("sessionPage", { asked: "nobody's" });
    assert.equal(page.ok && page.value.answer, null);
    assert.equal((await client.ask("compactLedger", {})).ok, true);
    assert.deepEqual((await client.ask("checkLedger", {})).ok, true);
  });

  it("uses the user's own figures for every client", async (t) => {
    const ledger = new FakeLedger();
    const { client } = await serviceWith(t, Promise.resolve(succeed(ledger)));
    await client.ask("ledgerStatus", {});
    const view = { roots: [], env: {}, folders: [] };
    await client.ask("configure", {
      ...view,
      settings: windowSettingsOf({ models: { "ship-1": { window: 9 } } }),
    });
    await client.ask("configure", view);
    await waitUntil(() => ledger.calls.length > 0);
    assert.deepEqual(ledger.calls, ['configure {"ship-1":{"window":9}}']);
  });

  it("reports that a service has no ledger, or cannot open it for good", async (t) => {
    const client = await new ServiceSandbox(t).host();
    const none = await client.ask("usage", question);
    assert.ok(!none.ok && none.detail.text === "this service holds no ledger");
    const readOnly = new FakeLedger(fail("unwritable_folder", plainSentence("/purser: EROFS")));
    const other = await serviceWith(t, Promise.resolve(succeed(readOnly)));
    const status = await other.client.ask("ledgerStatus", {});
    assert.equal(status.ok && status.value.readOnly, "/purser: EROFS");
  });
});

describe("asking the service quickly", () => {
  const quick = (box: ServiceSandbox, more: Partial<QuickQuestion> = {}) =>
    quickAsk({ home: box.home, version: "1.0.0", method: "usage", params: question, within: 3000, ...more });

  it("answers what the client's library does", async (t) => {
    const { box, client } = await serviceWith(t, Promise.resolve(succeed(new FakeLedger())));
    const [slow, fast] = [await client.ask("usage", question), readUsageAnswer(await quick(box))];
    assert.ok(slow.ok);
    assert.deepEqual(fast, slow.value);
    const [far, described] = [
      await client.ask("describe", {}),
      await quick(box, { method: "describe", params: {} }),
    ];
    assert.ok(far.ok);
    assert.equal(Reflect.get(Object(described), "pid"), far.value.pid);
  });

  it("answers nothing when it is not answered well", async (t) => {
    assert.equal(await quick(new ServiceSandbox(t)), undefined, "no service");
    const { box } = await serviceWith(t, new Promise(() => undefined));
    assert.equal(await quick(box, { within: 50 }), undefined, "too slow");
    assert.equal(await quick(box, { method: "nothing" }), undefined, "no such question");
    assert.equal(await quick(box, { params: { by: "week" } }), undefined, "none of its parameters");
    writeRecord(box.home, { ...box.record(), token: "another" });
    assert.equal(await quick(box), undefined, "a wrong token");
    writeRecord(box.home, { ...box.record(), socket: `${box.record().socket}-gone` });
    assert.equal(await quick(box), undefined, "no socket");
  });
});
