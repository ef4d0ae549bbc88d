import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { it } from "node:test";
import { fail } from "../../../src/engine/base/result.ts";
import { noticeKinds } from "../../../src/engine/jobs/all-requests.ts";
import { Peer } from "../../../src/engine/protocol/peer.ts";
import { scratchFolder } from "../support/scratch.ts";

it("A connection stores nothing of repeated notices", async (t) => {
  const address = path.join(scratchFolder(t), "peer.sock");
  const server = createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const other = connect(address);
  other.resume();
  const socket = await accepted;
  const peer = new Peer(socket, {
    limit: () => 1000,
    admit: () => fail("malformed", "nothing is said here"),
    onRefused: () => undefined,
    onProblem: () => undefined,
  });
  peer.listen();
  const before = socket.listenerCount("close");
  for (let count = 0; count < 50; count += 1)
    await peer.sendNotification(noticeKinds.messageSettled, { id: String(count), outcome: "asked" });
  assert.equal(socket.listenerCount("close"), before);
  peer.dispose();
  other.destroy();
});
