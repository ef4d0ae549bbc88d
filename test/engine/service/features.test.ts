import assert from "node:assert/strict";
import { Socket } from "node:net";
import { test } from "node:test";
import { requestKinds } from "../../../src/engine/jobs/all-requests.ts";
import { readEnvelope } from "../../../src/engine/protocol/envelope.ts";
import { Peer } from "../../../src/engine/protocol/peer.ts";
import { composeService } from "../../../src/engine/service/compose.ts";
import { ServiceSandbox } from "./support/box.ts";

/** A client's end that notes which requests are answered. */
class NotingPeer extends Peer {
  readonly methods: string[] = [];

  override onRequest: Peer["onRequest"] = (kind) => {
    this.methods.push(kind.method);
  };
}

test("each request that clients may send is answered once, with a ledger or without", (t) => {
  const { serve, features, owned } = composeService(new ServiceSandbox(t).servicePorts(), () => undefined);
  t.after(() => owned.dispose());
  const peer = new NotingPeer(new Socket(), {
    limit: () => 1000,
    admit: readEnvelope,
    onRefused: () => undefined,
    onProblem: () => undefined,
  });
  t.after(() => peer.dispose());
  for (const each of serve) each(peer);
  // The connection itself answers the first two, the process the others.
  const others = ["prove", "hello", "describe", "shutdown"];
  assert.deepEqual([...peer.methods, ...others].toSorted(), Object.keys(requestKinds).toSorted());
  assert.equal(new Set(features.map(({ name }) => name)).size, features.length);
});
