import { plainSentence } from "../../../../src/engine/base/language.ts";
import { assert } from "../../support/assert-texts.ts";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, it, type TestContext } from "node:test";
import { fail, succeed, type Result } from "../../../../src/engine/base/result.ts";
import type { LedgerApi } from "../../../../src/engine/ledger/ledger-thread.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import type { LogLevel } from "../../../../src/engine/base/log.ts";
import { anomaly, FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";

const question = { by: "day", since: null, until: null, project: null, program: null } as const;
type Opened = Result<LedgerApi>;

/** A ledger host that opens the given ledgers in turn, and then none. */
function ledgerHostOf(t: TestContext, ledgers: readonly (Opened | Promise<Opened>)[]) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const log: [LogLevel, string][] = [];
  const opened: unknown[] = [];
  const did: string[] = [];
  const collected: FakeCollecting[] = [];
  let now = 0;
  const host = new LedgerHost({
    open: async (models) => {
      opened.push(models);
      return await (ledgers[opened.length - 1] ?? fail("unreadable", plainSentence("there is no more")));
    },
    collect: (_, roots) => {
      const collecting = new FakeCollecting(did);
      did.push(...roots.map(({ path }) => `collect ${path}`));
      collected.push(collecting);
      return collecting;
    },
    places: ["/home/dev/.claude"],
    log: { write: (level, message) => void log.push([level, message]) },
    clock: { now: () => now },
  });
  /** Advances time and runs everything that is due. */
  const pass = async (time: number) => {
    now += time;
    t.mock.timers.tick(time);
    for (let turns = 0; turns < 10; turns += 1) await turn();
  };
  return { host, log, opened, did, collected, pass };
}

describe("the host of the ledger", () => {
  it("answers when the ledger is open, with its freshness", async (t) => {
    let open: (ledger: Opened) => void = () => undefined;
    const { host, log, collected, pass } = ledgerHostOf(t, [new Promise((resolve) => (open = resolve))]);
    assert.equal((await host.usage(question)).ok, false, "it has not begun");
    host.start();
    const asked = host.usage(question);
    await pass(10_000);
    open(succeed(new FakeLedger()));
    const answer = await asked;
    assert.ok(answer.ok);
    assert.deepEqual(answer.value.freshness, { asOf: null, files: 2, done: 0, problems: [] });
    assert.deepEqual(answer.value.places, ["/home/dev/.claude"]);
    const caughtUp = await host.catchUp(new AbortController().signal);
    assert.equal(caughtUp.ok && caughtUp.value.freshness.asOf, 1000);
    assert.equal(collected.length, 1);
    assert.deepEqual(log, [["warn", "3 entries of the journal are missing"]]);
    const status = await host.status();
    assert.ok(status.ok);
    assert.deepEqual([status.value.readOnly, status.value.responses], [null, 0]);
    assert.deepEqual(status.value.opening, ["3 entries of the journal are missing"]);
    assert.deepEqual(await host.recentTokens({ agentId: "main", model: null }), [9, 8]);
  });

  it("opens the ledger again after its thread died, and questions wait for it", async (t) => {
    const [first, second] = [new FakeLedger(), new FakeLedger()];
    const { host, log, opened, did, collected, pass } = ledgerHostOf(t, [succeed(first), succeed(second)]);
    host.start();
    assert.ok((await host.status()).ok);
    host.configure({ "ship-1": { window: 9 } });
    let hold: (error: Error) => void = () => undefined;
    first.answers = new Promise((_, reject) => (hold = reject));
    const meanwhile = host.usage(question);
    await pass(0);
    first.die();
    hold(new Error("the ledger's thread has ended"));
    assert.match(JSON.stringify(await meanwhile), /closed meanwhile; ask again/u);
    const later = host.usage(question);
    await pass(100);
    assert.ok((await later).ok);
    assert.deepEqual(opened, [{}, { "ship-1": { window: 9 } }]);
    assert.deepEqual([did, collected.length], [["dispose"], 2]);
    assert.ok(log.some(([level, message]) => level === "error" && message.includes("has died")));
  });

  it("collects from the folders that windows name, at once and when the ledger is opened again", async (t) => {
    const [first, second] = [new FakeLedger(), new FakeLedger()];
    const { host, did, pass } = ledgerHostOf(t, [succeed(first), succeed(second)]);
    const [early, moved, other] = ["early", "moved", "other"].map((name) =>
      path.resolve("/srv", name, "User"),
    );
    assert.ok(early !== undefined && moved !== undefined && other !== undefined);
    const sendRoots = (...paths: string[]) =>
      host.addWindowRoots(paths.map((each) => ({ agent: "vscode-chat", path: each })));
    sendRoots(early);
    host.start();
    await host.status();
    assert.deepEqual(did.splice(0), [`collect ${early}`]);
    sendRoots(early, moved, `${moved}${path.sep}`, path.resolve("/home/dev/.claude"), "data/User");
    host.addWindowRoots([{ agent: "claude-code", path: other }]);
    assert.deepEqual(did.splice(0), [`add ${moved}`]);
    first.die();
    sendRoots(other);
    await pass(100);
    assert.deepEqual(did, ["dispose", ...[early, moved, other].map((root) => `collect ${root}`)]);
    const answer = await host.usage(question);
    assert.deepEqual(answer.ok && answer.value.places, ["/home/dev/.claude"]);
  });

  it("collects from sixteen folders that windows name, and reports once that there are more", async (t) => {
    const { host, did, log } = ledgerHostOf(t, [succeed(new FakeLedger())]);
    host.start();
    await host.status();
    log.splice(0);
    const roots = Array.from({ length: 20 }, (_, index) => path.resolve("/srv", String(index), "User"));
    for (const each of [...roots, ...roots]) host.addWindowRoots([{ agent: "vscode-chat", path: each }]);
    assert.deepEqual(
      did,
      roots.slice(0, 16).map((root) => `add ${root}`),
    );
    assert.match(JSON.stringify(log), /^\[\["warn","Windows named 16 folders[^[]*\]\]$/u);
  });

  it("answers at once that a ledger cannot be opened, and retries in the background, but not forever", async (t) => {
    const { host, opened, log, pass } = ledgerHostOf(t, []);
    host.start();
    for (const pause of [0, 100, 1000, 5000, 30_000, 120_000, 600_000]) {
      const asked = await host.usage(question);
      assert.ok(!asked.ok);
      assert.match(asked.detail.text, /cannot be opened: there is no more; purser ledger restore FILE/u);
      await pass(pause);
    }
    assert.equal(opened.length, 6);
    assert.deepEqual(log, [["error", "The ledger cannot be opened: there is no more"]], "it is logged once");
    assert.deepEqual(await host.recentTokens({ agentId: "main", model: null }), []);
    assert.equal((await host.append([])).ok, false);
    await host.stop();
  });

  it("answers from a ledger that can be opened later", async (t) => {
    const { host, pass } = ledgerHostOf(t, [
      fail("unreadable", plainSentence("EIO")),
      succeed(new FakeLedger()),
    ]);
    host.start();
    assert.equal((await host.usage(question)).ok, false);
    assert.match(
      host.problem.value?.text ?? "",
      /^the ledger cannot be opened: EIO; purser ledger restore FILE/u,
    );
    await pass(100);
    assert.equal((await host.usage(question)).ok, true);
    assert.equal(host.problem.value, null);
  });

  it("does not let questions wait for a thread that dies repeatedly", async (t) => {
    const deaths = [new FakeLedger(), new FakeLedger(), new FakeLedger()];
    const { host, pass } = ledgerHostOf(
      t,
      deaths.map((ledger) => succeed(ledger)),
    );
    host.start();
    for (const [index, pause] of [100, 1000].entries()) {
      await pass(0);
      deaths[index]?.die();
      const asked = host.usage(question);
      await pass(pause);
      assert.ok((await asked).ok, "it waits for a short pause");
    }
    deaths[2]?.die();
    const asked = await host.usage(question);
    assert.match(JSON.stringify(asked), /cannot be opened: its thread ended with an error, .*restore FILE/u);
    assert.equal(host.problem.value, asked.ok || asked.detail);
    await host.stop();
  });

  it("answers from a read-only ledger, and collects nothing into it", async (t) => {
    const newer = new FakeLedger(fail("newer_version", plainSentence("a newer purser wrote it")));
    const { host, opened, collected, pass } = ledgerHostOf(t, [succeed(newer)]);
    host.start();
    const status = await host.status();
    assert.equal(status.ok && status.value.readOnly, "a newer purser wrote it");
    assert.ok((await host.usage(question)).ok);
    const caughtUp = await host.catchUp(new AbortController().signal);
    assert.ok(caughtUp.ok);
    assert.equal(caughtUp.value.freshness.asOf, null);
    assert.deepEqual(caughtUp.value.freshness.problems, [
      { path: "ledger", reason: "a newer purser wrote it" },
    ]);
    await pass(300_000);
    await host.stop();
    assert.deepEqual([opened.length, collected.length, newer.calls], [1, 0, ["close"]]);
  });

  it("takes over a ledger that another process held", async (t) => {
    const [held, free] = [
      new FakeLedger(fail("locked", plainSentence("process 7 has it"))),
      new FakeLedger(),
    ];
    const { host, collected, pass } = ledgerHostOf(t, [succeed(held), succeed(free)]);
    host.start();
    assert.ok((await host.usage(question)).ok);
    await pass(100);
    const status = await host.status();
    assert.equal(status.ok && status.value.readOnly, null);
    assert.deepEqual([held.calls, collected.length], [["close"], 1]);
  });

  for (const reason of ["locked", "unwritable_folder"] as const)
    it(`retries a ledger that is ${reason}, and reports it once`, async (t) => {
      const full = Array.from(
        { length: 9 },
        () => new FakeLedger(fail(reason, plainSentence("/home/dev/.purser: ENOSPC"))),
      );
      const room = new FakeLedger();
      const { host, opened, collected, log, pass } = ledgerHostOf(
        t,
        [...full, room].map((ledger) => succeed(ledger)),
      );
      host.start();
      for (const pause of [0, 100, 1000, 5000, 30_000]) await pass(pause);
      for (let more = 0; more < 10; more += 1) {
        assert.ok((await host.usage(question)).ok, "it is readable during that time");
        await pass(120_000);
      }
      assert.deepEqual([opened.length, collected.length], [10, 1]);
      assert.equal((await host.append([])).ok, true);
      assert.deepEqual(new Set(full.map(({ calls: did }) => did.join())), new Set(["close"]));
      assert.equal(log.filter(([, message]) => message.includes("ENOSPC")).length, 1);
      // Earlier attempts do not count as deaths of the thread.
      room.die();
      await pass(100);
      assert.equal(opened.length, 11);
    });

  it("stops collecting when its thread dies repeatedly before all is read", async (t) => {
    const ledgers = Array.from({ length: 4 }, () => new FakeLedger());
    const { host, collected, pass } = ledgerHostOf(
      t,
      ledgers.map((ledger) => succeed(ledger)),
    );
    host.start();
    for (const [index, pause] of [100, 1000, 5000].entries()) {
      await pass(0);
      ledgers[index]?.die();
      await pass(pause);
    }
    assert.equal(collected.length, 3);
    const answer = await host.usage(question);
    assert.ok(answer.ok);
    assert.match(
      JSON.stringify(answer.value.freshness.problems),
      /its thread ended again and again with an error/u,
    );
  });

  it("lets only one client claim each anomaly, and marks it as shown", async (t) => {
    const ledger = new FakeLedger();
    ledger.unshown = [anomaly];
    const { host } = ledgerHostOf(t, [succeed(ledger)]);
    host.start();
    const claims = await Promise.all([1, 2, 3].map(() => host.claimAnomaly(anomaly.id)));
    assert.equal(claims.filter((claim) => claim.ok && claim.value.isFirst).length, 1);
    const other = await host.claimAnomaly("another");
    assert.equal(other.ok && other.value.isFirst, false);
    const [reported] = ledger.told;
    assert.ok(ledger.told.length === 1 && reported?.kind === "anomaly");
    assert.deepEqual([reported.id, reported.turns, reported.shownAt], [anomaly.id, '["m1","m2"]', 0]);
  });

  it("reports changes at most once a second, and every anomaly", async (t) => {
    const ledger = new FakeLedger();
    const { host, pass } = ledgerHostOf(t, [succeed(ledger)]);
    host.start();
    await host.status();
    await pass(1000);
    let changes = 0;
    const found: string[] = [];
    host.onChange(() => (changes += 1));
    host.onAnomaly(({ id }) => found.push(id));
    for (let time = 0; time < 3000; time += 100) {
      ledger.appended.fire(time);
      await pass(100);
    }
    ledger.found.fire(anomaly);
    ledger.found.fire(anomaly);
    assert.deepEqual([changes, found.length], [4, 2]);
  });

  it("forwards figures for models once, and the last ones win", async (t) => {
    const ledger = new FakeLedger();
    const { host, pass } = ledgerHostOf(t, [succeed(ledger)]);
    host.start();
    await host.status();
    for (const window of [1, 1, 2]) host.configure({ "ship-1": { window } });
    await pass(0);
    assert.deepEqual(
      ledger.calls,
      [1, 2].map((window) => `configure {"ship-1":{"window":${window}}}`),
    );
  });

  it("stops collecting, makes a snapshot and closes, in this order", async (t) => {
    const ledger = new FakeLedger();
    const { host, did } = ledgerHostOf(t, [succeed(ledger)]);
    host.start();
    await host.status();
    const all: string[] = [];
    did.push = (...words) => all.push(...words);
    ledger.calls.push = (...words) => all.push(...words);
    await host.stop();
    assert.deepEqual(all, ["stop", "snapshot", "close"]);
    assert.equal((await host.usage(question)).ok, false);
  });

  it("stops while it waits to open the ledger again", async (t) => {
    const ledger = new FakeLedger();
    const { host, opened, pass } = ledgerHostOf(t, [succeed(ledger)]);
    host.start();
    await pass(0);
    ledger.die();
    const asked = host.usage(question);
    await host.stop();
    assert.equal((await asked).ok, false);
    await pass(300_000);
    assert.equal(opened.length, 1);
  });
});
