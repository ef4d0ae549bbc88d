import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { Freshness } from "../../src/engine/ledger/answers.ts";
import { serviceLedgerSource } from "../../src/extension/service-ledger-source.ts";
import { fresh, makeOverview } from "../webview/fixtures.ts";

const filter = { since: null, until: null, project: null, program: null };
const { signal } = new AbortController();

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

test("without a service there is nobody to ask", async () => {
  const source = serviceLedgerSource({ client: undefined, onClient: () => ({ dispose: () => undefined }) });
  const answer = await source.overview(filter, signal);
  assert.equal(!answer.ok && answer.reason, "offline");
});

test("an answer is the service's; a connection that ended is nobody to ask", async () => {
  const source = serviceLedgerSource({
    client: makeClient(),
    onClient: () => ({ dispose: () => undefined }),
  });
  assert.ok((await source.overview(filter, signal)).ok);
  const page = await source.sessionPage("one", signal);
  assert.equal(!page.ok && page.reason, "offline");
});

test("the changes of the service there is are heard, and that there is another", () => {
  const clients = new Emitter<void>();
  const [first, second] = [makeClient(), makeClient()];
  const link = { client: first, onClient: (listener: () => void) => clients.on(listener) };
  let heard = 0;
  const listening = serviceLedgerSource(link).onChange(() => (heard += 1));
  first.changes.fire({ freshness: fresh });
  assert.equal(heard, 1);
  link.client = second;
  clients.fire();
  first.changes.fire({ freshness: fresh });
  assert.equal(heard, 2);
  second.changes.fire({ freshness: fresh });
  assert.equal(heard, 3);
  listening.dispose();
  second.changes.fire({ freshness: fresh });
  clients.fire();
  assert.equal(heard, 3);
});
