import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { GuardReplay } from "../../../src/engine/guard/answers.ts";
import { PastReplay } from "../../../src/extension/guard/past-replay.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import type { HostMessage } from "../../../src/webview/guard/protocol.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const nothing = { outputs: 0, written: 0, read: 0, usd: null, unpriced: 0 };
const replay: GuardReplay = {
  since: "2026-10-26T00:00:00.000Z",
  files: 3,
  sessions: 2,
  calls: 14,
  leftOut: { files: 0, families: ["facts"] },
  rules: [],
  outputs: { total: nothing, byRule: [], how: plainSentence("counted by words") },
};
const asked = { days: 30, family: null } as const;

/** A service that answers when the test decides. */
function scene() {
  const posted: HostMessage[] = [];
  let end: (answer: Result<{ replay: GuardReplay }, AskFailure>) => void = () => undefined;
  const service = new FakeConnection({ guardPlay: () => new Promise((resolve) => (end = resolve)) });
  const past = new PastReplay({
    service,
    t: (text, ...values) => text.replace("{0}", values.map(String).join()),
    post: (message) => posted.push(message),
    onProblem: () => undefined,
  });
  const kinds = () =>
    posted.splice(0).map((message) => (message.type === "replay" ? (message.state?.kind ?? "none") : ""));
  return { past, service, kinds, posted, end: (answer: Parameters<typeof end>[0]) => end(answer) };
}

test("A page hears that a replay begins, how far it is, and its result; one that starts later hears the result", async () => {
  const { past, service, kinds, posted, end } = scene();
  past.begin();
  assert.deepEqual(kinds(), []);
  const played = past.play(asked, 1000);
  // A second click sends no request.
  await past.play(asked, 1000);
  assert.deepEqual(
    service.asked.map(({ params }) => params),
    [{ since: 1000, family: null }],
  );
  service.notices.guardPlayed.fire({ files: 1, of: 3 });
  assert.deepEqual(posted.at(-1), {
    type: "replay",
    state: { kind: "playing", asked, far: { files: 1, of: 3 } },
  });
  end(succeed({ replay }));
  await played;
  assert.deepEqual(kinds(), ["playing", "playing", "done"]);
  past.begin();
  assert.deepEqual(posted, [{ type: "replay", state: { kind: "done", asked, replay } }]);
  past.dispose();
});

test("a cancelled replay keeps the last result, and a failed one gives the reason", async () => {
  const { past, kinds, posted, end } = scene();
  const first = past.play(asked, 1);
  end(succeed({ replay }));
  await first;
  const second = past.play({ days: 7, family: "safety" }, 2);
  past.cancel();
  end(succeed({ replay }));
  await second;
  assert.deepEqual(kinds(), ["playing", "done", "playing", "done"]);
  past.cancel();
  assert.deepEqual(kinds(), []);
  const third = past.play(asked, 3);
  end(fail("failed", plainSentence("the thread ended")));
  await third;
  assert.partialDeepStrictEqual(posted.at(-1), {
    state: { kind: "failed", message: "The replay failed: the thread ended" },
  });
  past.dispose();
});
