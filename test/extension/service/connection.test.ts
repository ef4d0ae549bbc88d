import { plainSentence } from "../../../src/engine/base/language.ts";
import { test } from "node:test";
import { assert } from "../../engine/support/assert-texts.ts";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import type { NoticeName, NoticeParams, RequestName } from "../../../src/engine/jobs/all-requests.ts";
import { serviceConnection, type ConnectionLink } from "../../../src/extension/service/connection.ts";
import { fresh } from "../../webview/ledger/fixtures.ts";
import { FakeConnection } from "../support/fake-connection.ts";

type State = ConnectionLink["state"];
type Client = NonNullable<ConnectionLink["client"]>;

/** A client. Its service only answers how many rules wait. */
class FakeClient implements Client {
  readonly heard = new FakeConnection().notices;
  readonly asked: RequestName[] = [];
  failure: ReturnType<typeof fail<"closed" | "refused">> | null = null;

  ask: Client["ask"] = (name, params, signal) => {
    this.asked.push(name);
    if (name === "shutdown") return Promise.reject(new Error("a bug"));
    if (this.failure !== null) return Promise.resolve(this.failure);
    const answered = new FakeConnection({ rulesNudge: () => succeed({ waiting: 3 }) });
    return answered
      .ask(name, params, signal)
      .then((answer) => (answer.ok ? answer : fail("refused", plainSentence("no"))));
  };

  on<Name extends NoticeName>(name: Name, listener: (reported: NoticeParams<Name>) => void) {
    return this.heard[name].on((reported) => {
      if (reported !== undefined) listener(reported);
    });
  }
}

/** A window's connection to a service, controlled by the test. */
function begin(first?: FakeClient) {
  const clients = new Emitter<void>();
  const states = new Emitter<State>();
  const reported: { client: FakeClient | undefined; state: State; retried: number } = {
    client: first,
    state: { kind: "starting" },
    retried: 0,
  };
  const link: ConnectionLink = {
    get client() {
      return reported.client;
    },
    get state() {
      return reported.state;
    },
    onClient: clients.on,
    onChange: states.on,
    retry: () => Promise.resolve(void (reported.retried += 1)),
  };
  const connect = (client: FakeClient | undefined) => {
    reported.client = client;
    clients.fire();
  };
  const become = (state: State) => {
    reported.state = state;
    states.fire(state);
  };
  return { service: serviceConnection(link), reported, connect, become };
}

test("without a connection it is starting, or offline in the user's words", async () => {
  const { service, reported, become } = begin();
  const starting = fail("starting", plainSentence("the service is not connected yet"));
  assert.deepEqual(await service.ask("rulesNudge", {}), starting);
  become({ kind: "failed", reason: "Reload the window." });
  assert.deepEqual(await service.ask("rulesNudge", {}), fail("offline", plainSentence("Reload the window.")));
  await service.retry();
  assert.equal(reported.retried, 1);
});

test("returns the service's answer, reconnects when the connection ends, and gives the reason of a refusal or a bug", async () => {
  const client = new FakeClient();
  const { service } = begin(client);
  assert.deepEqual(await service.ask("rulesNudge", {}), succeed({ waiting: 3 }));
  client.failure = fail("closed", plainSentence("the connection is over"));
  assert.deepEqual(
    await service.ask("rulesNudge", {}),
    fail("starting", plainSentence("the connection is over")),
  );
  client.failure = fail("refused", plainSentence("there is nothing to resume"));
  assert.deepEqual(
    await service.ask("rulesNudge", {}),
    fail("failed", plainSentence("there is nothing to resume")),
  );
  assert.deepEqual(
    await service.ask("shutdown", { reason: "asked" }),
    fail("failed", plainSentence("a bug")),
  );
});

test("ends a wait when a service arrives, or when it is known that there is none", async () => {
  const first = begin();
  const ready = first.service.ready();
  first.connect(new FakeClient());
  await ready;
  await first.service.ready();
  const second = begin();
  const known = second.service.ready();
  second.become({ kind: "failed", reason: "Reload the window." });
  await known;
});

test("ends a wait in vain after a while", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { service } = begin();
  const ready = service.ready();
  t.mock.timers.tick(20_000);
  await ready;
});

test("passes on the current service's notices, and reports another service or none", () => {
  const [first, second] = [new FakeClient(), new FakeClient()];
  const { service, connect, become } = begin(first);
  const received: (string | undefined)[] = [];
  const listening = service.onChanged("ledgerChanged", (reported) =>
    received.push(reported === undefined ? undefined : "told"),
  );
  const tell = (client: FakeClient) => client.heard.ledgerChanged.fire({ freshness: fresh });
  tell(first);
  connect(second);
  tell(first);
  tell(second);
  become({ kind: "ready" });
  become({ kind: "failed", reason: "It is away." });
  connect(undefined);
  assert.deepEqual(received, ["told", undefined, "told", undefined, undefined]);
  listening.dispose();
  connect(second);
  tell(second);
  assert.equal(received.length, 5);
});
