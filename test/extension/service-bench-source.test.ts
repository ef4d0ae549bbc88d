import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { JobSummary } from "../../src/engine/service/bench-view.ts";
import { serviceBenchSource } from "../../src/extension/service-bench-source.ts";
import { ask, choices, makePage, makeSummary, makeView, plan } from "../webview/bench/fixtures.ts";

/** A window's way to a service that is made up. */
function begin() {
  const clients = new Emitter<void>();
  const states = new Emitter<{ kind: "starting" } | { kind: "failed"; reason: string }>();
  const changed = new Emitter<readonly JobSummary[]>();
  const told: unknown[] = [];
  const noted = <Answer>(asked: unknown[], answer: Answer) => {
    told.push(asked);
    return Promise.resolve(succeed(answer));
  };
  const benches = {
    onChanged: changed.on,
    choices: (workspace: string | null) => noted(["choices", workspace], choices),
    plan: () => noted(["plan"], { plan }),
    start: (_: unknown, env: object, project: string | null) => noted(["start", env, project], { id: "b9" }),
    cancel: () => Promise.resolve(fail("closed", "the connection is over")),
    resume: () => Promise.resolve(fail("refused", "there is nothing to resume")),
    list: () => noted(["list"], { jobs: [makeSummary()] }),
    read: () => noted(["read"], { view: makeView() }),
    runPage: () => noted(["run"], { page: makePage() }),
    change: (id: string, runId: string, file: string) =>
      noted(["change", id, runId, file], { change: { before: null, after: "new\n" } }),
    dispose: () => undefined,
  };
  interface Link {
    client: { benches: typeof benches } | undefined;
    state: { kind: "starting" } | { kind: "failed"; reason: string };
    readonly onClient: typeof clients.on;
    readonly onChange: typeof states.on;
    readonly retry: () => Promise<void>;
  }
  const link: Link = {
    client: undefined,
    state: { kind: "starting" },
    onClient: clients.on,
    onChange: states.on,
    retry: () => Promise.resolve(),
  };
  const window = {
    workspace: () => "/home/mara/harbor",
    isTrusted: () => true,
    env: () => ({ ANTHROPIC_API_KEY: "secret" }),
  };
  const connect = () => {
    link.client = { benches };
    clients.fire();
  };
  return { source: serviceBenchSource(link, window), link, told, changed, connect, states };
}

test("without a connection it is starting, or offline in the user's words", async () => {
  const { source, link } = begin();
  const starting = await source.list();
  assert.equal(starting.ok ? "" : starting.reason, "starting");
  link.state = { kind: "failed", reason: "Reload the window." };
  const offline = await source.list();
  assert.deepEqual(offline.ok ? [] : [offline.reason, offline.detail], ["offline", "Reload the window."]);
});

test("what is begun is told the window's keys, and the folder whose budgets hold", async () => {
  const { source, connect, told } = begin();
  connect();
  await source.choices();
  await source.start(ask);
  assert.deepEqual(told, [
    ["choices", "/home/mara/harbor"],
    ["start", { ANTHROPIC_API_KEY: "secret" }, "/home/mara/harbor"],
  ]);
});

test("a connection that ends is one that begins anew; a refusal says why", async () => {
  const { source, connect } = begin();
  connect();
  const [cancelled, resumed] = [await source.cancel("b3"), await source.resume("b3")];
  assert.equal(cancelled.ok ? "" : cancelled.reason, "starting");
  assert.deepEqual(resumed.ok ? [] : [resumed.reason, resumed.detail], [
    "failed",
    "there is nothing to resume",
  ]);
});

test("who waits for somebody to ask is told when there is, or when it is known that there is not", async () => {
  const first = begin();
  const ready = first.source.ready();
  first.connect();
  await ready;
  await first.source.ready();
  const second = begin();
  const known = second.source.ready();
  second.link.state = { kind: "failed", reason: "Reload the window." };
  second.states.fire(second.link.state);
  await known;
});

test("changes of every client are heard, and that there is another", () => {
  const { source, connect, changed } = begin();
  const heard: (number | undefined)[] = [];
  const listening = source.onChange((jobs) => heard.push(jobs?.length));
  connect();
  changed.fire([makeSummary()]);
  listening.dispose();
  changed.fire([makeSummary()]);
  assert.deepEqual(heard, [undefined, 1]);
});
