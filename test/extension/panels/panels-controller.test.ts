import { inWords, plainSentence, sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import { fail, succeed, type Failure } from "../../../src/engine/base/result.ts";
import { BasePanelController, type Own } from "../../../src/extension/panels/panels-controller.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import { german } from "../../engine/support/translation.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const messages = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("cancel") }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
type FromPage = z.infer<typeof messages>;
type ToPage = { type: "show"; id: string } | { type: "offline" | "error"; message: string };

/** The smallest feature with a panel. It records its calls. */
class TestController extends BasePanelController<FromPage, ToPage, "jobs" | "cancel"> {
  readonly posted: ToPage[];
  readonly did: string[];
  readonly service: FakeConnection;

  constructor() {
    const posted: ToPage[] = [];
    const did: string[] = [];
    const service = new FakeConnection();
    const ports = {
      service,
      t: (message: string) => message,
      post: (message: ToPage) => posted.push(message),
      showLog: () => did.push("log"),
      onProblem: (message: string) => did.push(message),
    };
    super(ports, { name: "Small", messages, updateInterval: 1 });
    this.posted = posted;
    this.did = did;
    this.service = service;
    this.owned.add(service.onChanged("benchChanged", (changed) => this.update(changed === undefined)));
  }

  show(id: string): void {
    this.postOnceStarted({ type: "show", id });
  }

  read(signal = new AbortController().signal): Promise<object | undefined> {
    return this.safely("jobs", this.service.ask("benchList", {}), signal);
  }

  protected override answer(message: Own<FromPage>): void {
    if (message.type === "ready") this.begin();
    else
      void this.perform("cancel", this.service.ask("benchCancel", { id: "b1" }), () =>
        this.did.push("cancelled"),
      );
  }

  protected override refresh(isAtOnce: boolean): void {
    this.did.push(isAtOnce ? "now" : "soon");
  }

  protected override failed({ detail }: Failure<AskFailure>, about: string): ToPage {
    return { type: "error", message: `${about}: ${inWords(detail)}` };
  }
}

const changed = (talk: TestController) => talk.service.notices.benchChanged.fire({ jobs: [] });

test("sends a page that has not started nothing, then only the latest content", () => {
  const talk = new TestController();
  changed(talk);
  talk.show("one");
  talk.show("other");
  assert.deepEqual([talk.posted, talk.did], [[], []]);
  talk.handleMessage({ type: "ready" });
  talk.show("third");
  talk.handleMessage({ type: "ready" });
  assert.deepEqual(talk.posted, [
    { type: "show", id: "other" },
    { type: "show", id: "third" },
  ]);
});

test("sends a hidden page the latest content once its script runs again", () => {
  const talk = new TestController();
  talk.handleMessage({ type: "ready" });
  talk.setVisible(false);
  talk.show("one");
  talk.setVisible(true);
  assert.deepEqual(talk.posted, []);
  talk.handleMessage({ type: "ready" });
  assert.deepEqual(talk.posted, [{ type: "show", id: "one" }]);
});

test("requests changes after a short wait, another service at once, and nothing for a hidden page", () => {
  const talk = new TestController();
  talk.handleMessage({ type: "ready" });
  changed(talk);
  talk.service.switchService();
  talk.setVisible(false);
  changed(talk);
  talk.service.switchService();
  assert.deepEqual(talk.did.splice(0), ["soon", "now"]);
  talk.setVisible(true);
  talk.setVisible(false);
  talk.setVisible(true);
  assert.deepEqual(talk.did, ["soon"], "what was missed is made up for once");
});

test("leaves the request to a script that starts again", () => {
  const talk = new TestController();
  talk.handleMessage({ type: "ready" });
  talk.setVisible(false);
  changed(talk);
  talk.handleMessage({ type: "ready" });
  talk.setVisible(true);
  assert.deepEqual(talk.did, []);
});

test("requests again after Retry once the page runs, and shows the log", async () => {
  const talk = new TestController();
  talk.handleMessage({ type: "retry" });
  talk.handleMessage({ type: "showLog" });
  talk.handleMessage({ type: "ready" });
  talk.handleMessage({ type: "retry" });
  await waitUntil(() => talk.did.includes("now"));
  assert.equal(talk.service.retried, 2);
  assert.equal(talk.did[0], "log");
});

test("shows a failure of a user's request, and others unless the service is starting", async () => {
  const outcomes = [];
  for (const reason of ["starting", "offline", "failed"] as const) {
    const talk = new TestController();
    talk.service.unreachable = fail(reason, plainSentence("why"));
    const read = await talk.read();
    const unawaited = talk.posted.splice(0);
    talk.handleMessage({ type: "cancel" });
    await waitUntil(() => talk.posted.length > 0);
    outcomes.push([read, unawaited, talk.posted]);
  }
  const offline = [{ type: "offline", message: "why" }];
  assert.deepEqual(outcomes, [
    [undefined, [], [{ type: "error", message: "cancel: why" }]],
    [undefined, offline, offline],
    [undefined, [{ type: "error", message: "jobs: why" }], [{ type: "error", message: "cancel: why" }]],
  ]);
});

test("drops the answer to a cancelled request", async () => {
  for (const answer of [succeed({ jobs: [] }), fail("failed", plainSentence("why"))] as const) {
    const talk = new TestController();
    Object.assign(talk.service.answersTo, { benchList: () => answer });
    assert.equal(await talk.read(AbortSignal.abort()), undefined);
    assert.deepEqual([talk.posted, talk.did], [[], []]);
  }
});

test("ignores events after disposal", () => {
  const talk = new TestController();
  talk.handleMessage({ type: "ready" });
  talk.dispose();
  changed(talk);
  assert.deepEqual(talk.did, []);
});

test("handles or logs every message of a page", () => {
  fc.assert(
    fc.property(fc.anything(), (said) => {
      const talk = new TestController();
      talk.handleMessage(said);
      const isUnderstood = messages.safeParse(said).success;
      const complaint = "The Small panel sent a message that is not understood.";
      assert.deepEqual(talk.did.includes(complaint), !isUnderstood);
    }),
  );
});

test("A page reads in its user's language why the service did not do something, and the log in English", async (t) => {
  installTranslation(german({ "this service plays no history": "dieser Dienst spielt keinen Verlauf ab" }));
  t.after(() => Reflect.deleteProperty(globalThis, translationKey));
  const talk = new TestController();
  talk.handleMessage({ type: "ready" });
  talk.service.answersTo.benchList = () => fail("failed", sentence("this service plays no history"));
  await talk.read();
  assert.deepEqual(talk.posted, [{ type: "error", message: "jobs: dieser Dienst spielt keinen Verlauf ab" }]);
  assert.match(talk.did.join(), /this service plays no history/u);
});
