import { plainSentence, sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { it } from "node:test";
import * as z from "zod/mini";
import { fail } from "../../../src/engine/base/result.ts";
import { noticeKinds } from "../../../src/engine/jobs/all-requests.ts";
import { readEnvelope } from "../../../src/engine/protocol/envelope.ts";
import { Peer } from "../../../src/engine/protocol/peer.ts";
import { request } from "../../../src/engine/protocol/protocol-request.ts";
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
    admit: () => fail("malformed", plainSentence("nothing is said here")),
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

const renameAsked = request("rename", {
  params: z.object({ name: z.string() }),
  answer: z.object({}),
});

it("A refusal keeps its sentence on its way; one without a sentence is its text", async (t) => {
  const address = path.join(scratchFolder(t), "peer.sock");
  const server = createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const options = {
    limit: () => 1000,
    admit: readEnvelope,
    onRefused: () => undefined,
    onProblem: () => undefined,
  };
  const asking = new Peer(connect(address), options);
  const answering = new Peer(await accepted, options);
  t.after(() => asking.dispose());
  t.after(() => answering.dispose());
  const detail = sentence("{0} is taken: {1}", "plan", sentence("another has it"));
  answering.onRequest(renameAsked, ({ name }) => {
    if (name === "") throw new Error("no name");
    return fail("taken", detail);
  });
  for (const peer of [asking, answering]) peer.listen();
  const refused = await asking.sendRequest(renameAsked, { name: "plan" });
  assert.deepEqual(refused, { ok: false, reason: "refused", detail, code: -32_603 });
  const failed = await asking.sendRequest(renameAsked, { name: "" });
  assert.deepEqual(
    failed.ok ? null : failed.detail,
    plainSentence("rename failed; the service's log says why"),
  );
});
