import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { describe, it, type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fail } from "../../../src/engine/base/result.ts";
import { ensureService, type EnsureFailure } from "../../../src/engine/service/ensure.ts";
import { inProcessLauncher } from "../../engine/service/support/in-process-launcher.ts";
import type { Service } from "../../../src/engine/service/service.ts";
import type { PartialSettings } from "../../../src/engine/settings/shape.ts";
import {
  ServiceLink,
  type LinkState,
  explainFailure,
  type LinkFailure,
} from "../../../src/extension/service/link.ts";
import { until } from "../../engine/sessions/support/until.ts";
import { response, lines } from "../../engine/sessions/support/rows.ts";
import { ServiceSandbox } from "../../engine/service/support/box.ts";
import { windowSettingsOf } from "../../engine/service/support/window-settings.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { withRefusalRemedy } from "../../../src/engine/base/disk/refusal-remedy.ts";
import { t } from "../support/session.ts";

/** A link that is not started, and the service it would start in this process. `failures` come first. */
function linkOf(test: TestContext, failures: EnsureFailure[] = [], longPause = 60_000) {
  const stops: (() => Promise<void>)[] = [];
  test.after(async () => {
    for (const stop of stops) await stop();
  });
  const box = new ServiceSandbox(test);
  const hosted: Service[] = [];
  const begun: Promise<unknown>[] = [];
  const messages: string[] = [];
  const own = { attempts: 0, loads: 0, settings: windowSettingsOf({}) };
  const launchers = [inProcessLauncher(box.servicePorts(), (service) => hosted.push(service))];
  const say = (message: string) => void messages.push(message);
  const link = new ServiceLink({
    log: { info: say, warn: say, error: say },
    pauses: [20, 40],
    longPause,
    explain: ({ reason }) => ({ reason, remedy: reason === "outdated" ? "reload" : "retry" }),
    load: () => {
      own.loads += 1;
      return Promise.resolve({
        connect: async (signal) => {
          own.attempts += 1;
          const reason = failures.shift();
          if (reason !== undefined) return fail(reason, plainSentence("as the test says"));
          const ensured = ensureService({ ...box.ports(), launchers, signal });
          begun.push(ensured);
          return await ensured;
        },
        configuration: () => ({ roots: box.roots, env: {}, folders: [], settings: own.settings }),
        stop: async () => {
          // A service that is being started would otherwise live on in this process after its folder is gone.
          await Promise.allSettled(begun);
          for (const service of hosted) await service.stop("handover");
        },
      });
    },
  });
  stops.push(() => link.stop());
  const states: string[] = [];
  link.onChange(({ kind }) => states.push(kind));
  const look = (settings: PartialSettings) => {
    own.settings = windowSettingsOf(settings);
    link.configure();
  };
  return { box, link, hosted, messages, own, states, look };
}

function is(kind: LinkState["kind"]) {
  return (state: LinkState) => state.kind === kind;
}

function fillsWith(box: ServiceSandbox, input: number): void {
  const now = new Date().toISOString();
  box.transcript("s-1.jsonl", lines([{ ...response({ id: "a", input }), timestamp: now }]));
}

function adviceIn(state: LinkState) {
  return state.kind === "ready" ? state.snapshot.sessions[0]?.advice : undefined;
}

describe("a window's link to the service", { concurrency: true }, () => {
  it("reports the sessions, with the current settings", async (t) => {
    const { box, link, own, look } = linkOf(t);
    fillsWith(box, 90_000);
    const calm = until(link.onChange, (state) => adviceIn(state) === "CONTINUE");
    link.start();
    await calm;
    assert.equal(link.client?.pid, process.pid);
    const anxious = until(link.onChange, (state) => adviceIn(state) === "END_TURN");
    look({ wrapUpAt: 90, endTurnAt: 80 });
    await anxious;
    assert.deepEqual([own.attempts, own.loads], [1, 1]);
  });

  it("goes over to the service that takes over, and what was known stays shown", async (t) => {
    const { link, hosted, states } = linkOf(t);
    link.start();
    await until(link.onChange, is("ready"));
    const clients: boolean[] = [];
    link.onClient((client) => clients.push(client !== undefined));
    await hosted[0]?.stop("handover");
    await until(link.onChange, is("ready"));
    assert.deepEqual([clients, hosted.length], [[false, true], 2]);
    assert.deepEqual(new Set(states), new Set(["ready"]));
  });

  it("connects again when the service is gone without a word", async (t) => {
    const { link, own, messages } = linkOf(t);
    link.start();
    await until(link.onChange, is("ready"));
    link.client?.dispose();
    await until(link.onChange, is("ready"));
    assert.equal(own.attempts, 2);
    assert.ok(messages.some((message) => message.includes("ended unexpectedly")));
  });

  it("reconnects after the service was asked to end, without counting that as a failure", async (t) => {
    const { link, hosted, states } = linkOf(t);
    link.start();
    for (const service of [0, 1, 2, 3]) {
      await until(link.onChange, is("ready"));
      await hosted[service]?.stop("asked");
    }
    await until(link.onChange, is("ready"));
    assert.deepEqual(new Set(states), new Set(["ready"]));
  });

  it("reports failure after three attempts, not earlier, and keeps trying occasionally", async (t) => {
    const { link, own, states } = linkOf(t, ["failed", "refused", "forbidden"], 30);
    link.start();
    const failed = await until(link.onChange, is("failed"));
    assert.deepEqual([failed, own.attempts], [{ kind: "failed", reason: "forbidden", remedy: "retry" }, 3]);
    await until(link.onChange, is("ready"));
    assert.deepEqual(states.slice(0, 2), ["failed", "ready"]);
  });

  for (const reason of ["elsewhere", "outdated", "unresponsive", "unsafe_place", "unwritable"] as const)
    it(`reports failure at once if waiting a little changes nothing: ${reason}`, async (t) => {
      const { link, own } = linkOf(t, [reason]);
      link.start();
      const failed = await until(link.onChange, is("failed"));
      assert.ok(failed.kind === "failed" && failed.reason === reason);
      assert.equal(failed.remedy, reason === "outdated" ? "reload" : "retry");
      assert.equal(own.attempts, 1);
    });

  it("starts again at the user's request, and resolves with the result", async (t) => {
    const { link, states, own } = linkOf(t, ["elsewhere", "outdated"]);
    link.start();
    await until(link.onChange, is("failed"));
    await link.retry();
    assert.deepEqual(states, ["failed", "starting", "failed"]);
    await link.retry();
    assert.equal(link.state.kind, "ready");
    await link.retry();
    assert.equal(own.attempts, 3, "a service that is well is asked to read again");
  });

  it("takes what is thrown on the way for a failure", async (t) => {
    const { link, messages } = linkOf(t);
    const broken = new ServiceLink({
      log: { info: () => undefined, warn: () => undefined, error: (message) => messages.push(message) },
      pauses: [1],
      longPause: 60_000,
      explain: ({ detail }) => ({ reason: detail.text, remedy: "retry" }),
      load: () => Promise.reject(new Error("its code is not there")),
    });
    t.after(() => broken.dispose());
    broken.start();
    const failed = await until(broken.onChange, is("failed"));
    assert.ok(failed.kind === "failed" && failed.reason.includes("its code is not there"));
    link.dispose();
  });

  it("ends with its window, in any state", async (t) => {
    const { link, hosted, own } = linkOf(t);
    link.start();
    await waitUntil(() => own.attempts === 1);
    await link.stop();
    link.start();
    assert.deepEqual([link.client, own.attempts], [undefined, 1]);
    for (const service of hosted) assert.equal(await service.stopped, "handover");
  });

  it("reaches for no service when its window ends while the code for it is loaded", async () => {
    const loading = new EventEmitter();
    let reached = 0;
    const link = new ServiceLink({
      log: { info: () => undefined, warn: () => undefined, error: (message) => assert.fail(message) },
      pauses: [1],
      longPause: 60_000,
      explain: ({ detail }) => ({ reason: detail.text, remedy: "retry" }),
      load: async () => {
        await once(loading, "loaded");
        return {
          connect: () => {
            reached += 1;
            return Promise.resolve(fail("cancelled", plainSentence("as the test says")));
          },
          configuration: () => ({ roots: [], env: {}, folders: [], settings: windowSettingsOf({}) }),
          stop: () => Promise.resolve(),
        };
      },
    });
    link.start();
    await link.stop();
    loading.emit("loaded");
    await nextTurn();
    assert.equal(reached, 0);
  });
});

const reasons: readonly LinkFailure[] = [
  ...(["outdated", "elsewhere", "unresponsive", "unsafe_place", "unwritable"] as const),
  ...(["refused", "forbidden", "ended", "failed"] as const),
];

test("words every failure differently, with its cause and what to do", () => {
  const words = reasons.map((reason) =>
    explainFailure({ ok: false, reason, detail: plainSentence("process 7 on argo") }, t),
  );
  assert.equal(new Set(words.map(({ reason }) => reason)).size, reasons.length);
  for (const { reason } of words) {
    assert.match(reason, /\(process 7 on argo\)/u);
    assert.ok(reason.length < 300, reason);
  }
  const toReload = reasons.filter((_, index) => words[index]?.remedy === "reload");
  assert.deepEqual(toReload, ["outdated"]);
});

test("a full disk is named with its own remedy, not with permissions", () => {
  const detail = withRefusalRemedy(plainSentence("the service cannot start: /home/a/.purser: ENOSPC"));
  const { reason, remedy } = explainFailure({ ok: false, reason: "unwritable", detail }, t);
  assert.match(reason, /ENOSPC\. What to do: free some space/u);
  assert.doesNotMatch(reason, /writable/u);
  assert.equal(remedy, "retry");
});
