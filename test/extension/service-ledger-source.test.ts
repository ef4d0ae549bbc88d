import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { Freshness } from "../../src/engine/ledger/answers.ts";
import { serviceLedgerSource } from "../../src/extension/service-ledger-source.ts";
import { fresh, makeOverview } from "../webview/fixtures.ts";

const filter = { since: null, until: null, project: null, program: null };
const { signal } = new AbortController();

type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

function makeClient() {
  const changes = new Emitter<{ readonly freshness: Freshness }>();
  const overview = makeOverview(2);
  return {
    changes,
    overview: () => Promise.resolve(succeed({ overview, freshness: fresh })),
    sessionPage: () => Promise.resolve(fail("closed" as const, "it ended")),
    onLedgerChanged: changes.on,
  };
}

/** The way to a service that a test leads where it wants. */
function makeLink(client: ReturnType<typeof makeClient> | undefined) {
  const clients = new Emitter<void>();
  const states = new Emitter<State>();
  const told: { state: State } = { state: { kind: "ready" } };
  let retried = 0;
  return {
    ...told,
    client,
    clients,
    states,
    onClient: (listener: () => void) => clients.on(listener),
    onChange: states.on,
    retry: () => {
      retried += 1;
      return Promise.resolve();
    },
    get retried() {
      return retried;
    },
  };
}

test("without a service it is starting, until it is said why there is none", async () => {
  const link = makeLink(undefined);
  const source = serviceLedgerSource(link);
  const early = await source.overview(filter, signal);
  assert.equal(!early.ok && early.reason, "starting");
  let heard = 0;
  const listening = source.onChange(() => (heard += 1));
  link.states.fire({ kind: "ready" });
  assert.equal(heard, 0);
  link.state = { kind: "failed", reason: "It runs on another machine." };
  link.states.fire(link.state);
  assert.equal(heard, 1);
  const late = await source.sessionPage("one", signal);
  assert.deepEqual(late, { ok: false, reason: "offline", detail: "It runs on another machine." });
  await source.retry();
  assert.equal(link.retried, 1);
  listening.dispose();
});

test("an answer is the service's; a connection that ends meanwhile is made anew", async () => {
  const source = serviceLedgerSource(makeLink(makeClient()));
  assert.ok((await source.overview(filter, signal)).ok);
  const page = await source.sessionPage("one", signal);
  assert.equal(!page.ok && page.reason, "starting");
});

test("the changes of the service there is are heard, and that there is another", () => {
  const [first, second] = [makeClient(), makeClient()];
  const link = makeLink(first);
  let heard = 0;
  const listening = serviceLedgerSource(link).onChange(() => (heard += 1));
  first.changes.fire({ freshness: fresh });
  assert.equal(heard, 1);
  link.client = second;
  link.clients.fire();
  first.changes.fire({ freshness: fresh });
  assert.equal(heard, 2);
  second.changes.fire({ freshness: fresh });
  assert.equal(heard, 3);
  listening.dispose();
  second.changes.fire({ freshness: fresh });
  link.clients.fire();
  assert.equal(heard, 3);
});
