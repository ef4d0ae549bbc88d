import type { Sentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { EventEmitter, once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { ownerOf } from "../../../src/engine/base/lock.ts";
import { succeed } from "../../../src/engine/base/result.ts";
import { readEnvelope, serviceLimit } from "../../../src/engine/protocol/envelope.ts";
import { Peer } from "../../../src/engine/protocol/peer.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import { writeRecord } from "../../../src/engine/service/service-record.ts";
import { protocolVersion } from "../../../src/engine/sessions/session-requests.ts";
import { requestKinds } from "../../../src/engine/jobs/all-requests.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox, machine } from "./support/box.ts";

const onProblem = (message: Sentence | string) =>
  assert.fail(typeof message === "string" ? message : message.text);

test("a connection to an older service that does not end is closed", async (t) => {
  const box = new ServiceSandbox(t);
  const asked = new EventEmitter();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const peer = new Peer(socket, {
      limit: () => serviceLimit,
      admit: readEnvelope,
      onRefused: onProblem,
      onProblem,
    });
    const hello = { version: "1.0.0", pid: process.pid, protocol: protocolVersion };
    peer.onRequest(requestKinds.hello, () => succeed(hello));
    peer.onRequest(requestKinds.shutdown, () => {
      asked.emit("shutdown");
      return succeed({});
    });
    peer.listen();
  });
  const socket = path.join(box.home.sockets, "old.sock");
  mkdirSync(box.home.sockets, { recursive: true, mode: 0o700 });
  server.listen(socket);
  await once(server, "listening");
  t.after(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  writeRecord(box.home, { ...ownerOf(process.pid, machine), socket, token: "t", version: "1.0.0" });

  t.mock.timers.enable({ apis: ["setTimeout"] });
  const ensured = ensureService(box.ports("2.0.0"));
  await once(asked, "shutdown");
  t.mock.timers.tick(15_000);
  const found = await ensured;
  t.mock.timers.reset();
  assert.ok(!found.ok && found.reason === "unresponsive", JSON.stringify(found));
  await waitUntil(() => sockets.size === 0);
});

test("a folder that refuses the lock of starting is an answer, not an error of the program", async (t) => {
  const box = new ServiceSandbox(t);
  mkdirSync(path.join(box.home.folder, "start.1.lock"), { recursive: true, mode: 0o700 });
  const found = await ensureService(box.ports("2.0.0"));
  assert.ok(!found.ok && found.reason === "unwritable");
  assert.equal(found.detail, `the service cannot start: ${box.home.folder}: EISDIR`);
});
