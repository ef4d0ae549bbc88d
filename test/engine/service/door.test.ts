import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { ErrorCodes } from "vscode-jsonrpc/node";
import { hello, protocolVersion } from "../../../src/engine/sessions/session-requests.ts";
import { clientLimits } from "../../../src/engine/protocol/envelope.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import { quickAsk } from "../../../src/engine/service/quick-ask.ts";
import { connectService, type ServiceClient } from "../../../src/engine/service/client.ts";
import { writeRecord } from "../../../src/engine/service/service-record.ts";
import { requestKinds } from "../../../src/engine/jobs/all-requests.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox } from "./support/box.ts";

function frame(message: unknown): string {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A client that only has the socket's path. */
class Stranger {
  heard = "";
  isClosed = false;
  readonly #socket: Socket;

  constructor(box: ServiceSandbox) {
    this.#socket = connect(box.record().socket);
    this.#socket.on("data", (data) => (this.heard += data.toString("utf8")));
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => (this.isClosed = true));
  }

  /** Sends the token and waits for the answer, as every client must. */
  async enter(token: string): Promise<void> {
    this.send(frame(helloOf(token)));
    await waitUntil(() => this.heard.includes(`"pid":`));
  }

  send(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  leave(): void {
    this.#socket.end();
  }
}

/** Parameters that every request with any of these names rejects. */
const impossibleParams = {
  id: 0,
  asked: {},
  root: 0,
  agent: 0,
  folder: 0,
  folders: 0,
  reason: 0,
  challenge: 0,
  token: 0,
  env: 0,
  runs: 0,
  receipt: 0,
  file: 0,
  by: 0,
  roots: 0,
  project: 0,
  sessionId: 0,
  agentId: 0,
};

function helloOf(token: string, id = 1) {
  const params = { token, version: "1.0.0", protocol: protocolVersion };
  return { jsonrpc: "2.0", id, method: hello.method, params };
}

async function hosted(t: TestContext): Promise<{ box: ServiceSandbox; client: ServiceClient }> {
  const box = new ServiceSandbox(t);
  return { box, client: await box.host() };
}

async function isWell(client: ServiceClient): Promise<void> {
  const answer = await client.ask("describe", {});
  assert.ok(answer.ok, answer.ok ? "" : answer.detail.text);
}

describe("the service's door", () => {
  const refused: Record<string, { data: string; why: RegExp }> = {
    "a second token after a wrong one": {
      data: frame(helloOf("wrong")) + frame(helloOf("wrong", 2)),
      why: /showed a token before the first was looked at/u,
    },
    "a question before the token": {
      data: frame({ jsonrpc: "2.0", id: 1, method: "status", params: {} }),
      why: /did not show the token first/u,
    },
    "a second question for its proof": {
      data: [1, 2]
        .map((id) => frame({ jsonrpc: "2.0", id, method: "prove", params: { challenge: "c" } }))
        .join(""),
      why: /did not show the token first/u,
    },
    "a notification before the token": {
      data: frame({ jsonrpc: "2.0", method: "exit", params: {} }),
      why: /did not show the token first/u,
    },
    "a long message before the token": {
      data: frame("x".repeat(clientLimits.stranger + 1)),
      why: /a message of 4097 bytes is too long/u,
    },
    "what is no JSON": { data: frame("{"), why: /a message is no JSON/u },
    "what is no message": { data: frame([1]), why: /none of the protocol's/u },
    "a header without an end": { data: "x".repeat(513), why: /a header is too long/u },
    "a header without a length": { data: "Content-Type: x\r\n\r\n", why: /does not tell a length/u },
    "a header with a length that is none": {
      data: "Content-Length: -1\r\n\r\n",
      why: /does not tell a length/u,
    },
    "another protocol": { data: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", why: /does not tell a length/u },
  };
  for (const [name, { data, why }] of Object.entries(refused))
    it(`is closed to ${name}, which is logged`, async (t) => {
      const { box, client } = await hosted(t);
      const stranger = new Stranger(box);
      stranger.send(data);
      await waitUntil(() => stranger.isClosed);
      assert.match(box.log(), why);
      await isWell(client);
    });

  it("answers every request of the list, and no other", async (t) => {
    const { box } = await hosted(t);
    const stranger = new Stranger(box);
    await stranger.enter(box.record().token);
    const names = [...Object.keys(requestKinds), "nobodyKnows"];
    // None of them accepts such parameters: each rejects them in its own way.
    for (const [index, method] of names.entries())
      stranger.send(frame({ jsonrpc: "2.0", id: 100 + index, method, params: { ...impossibleParams } }));
    const codes = () =>
      [...stranger.heard.matchAll(/"id":(\d+),"(?:error":\{"code":(-?\d+)|result")/gu)].map(
        ([, id = "", code = ""]) => ({ name: names[Number(id) - 100], code }),
      );
    await waitUntil(() => codes().filter(({ name }) => name !== undefined).length === names.length);
    const unknown = codes().filter(({ code }) => code === String(ErrorCodes.MethodNotFound));
    assert.deepEqual(unknown, [{ name: "nobodyKnows", code: "-32601" }]);
  });

  const impossible: Record<string, unknown> = {
    "a message over the limit": "x".repeat(clientLimits.known + 1),
    "a request without an id that can be answered": {
      jsonrpc: "2.0",
      id: null,
      method: "status",
      params: {},
    },
    "a cancellation of nothing": { jsonrpc: "2.0", method: "$/cancelRequest", params: {} },
    "parameters by position": { jsonrpc: "2.0", id: 2, method: "status", params: [] },
  };
  for (const [name, message] of Object.entries(impossible))
    it(`is closed to a known client for ${name}`, async (t) => {
      const { box, client } = await hosted(t);
      const known = new Stranger(box);
      await known.enter(box.record().token);
      known.send(frame(message));
      await waitUntil(() => known.isClosed);
      assert.match(box.log(), /A client was refused: /u);
      await isWell(client);
    });

  it("answers a known client's wrong or unknown requests", async (t) => {
    const { box } = await hosted(t);
    const known = new Stranger(box);
    const ask = (id: number, method: string, params: unknown) =>
      known.send(frame({ jsonrpc: "2.0", id, method, params }));
    await known.enter(box.record().token);
    ask(2, "nothing", {});
    ask(3, "configure", { roots: 7 });
    ask(4, "describe", {});
    await waitUntil(() => known.heard.includes(`"id":4`));
    assert.match(known.heard, /"id":2,"error":\{"code":-32601/u);
    assert.match(known.heard, /"id":3,"error":\{"code":-32602/u);
    assert.match(known.heard, /"id":4,"result":/u);
    known.leave();
  });

  it("survives any input", async (t) => {
    const { box, client } = await hosted(t);
    const { token } = box.record();
    const message = fc.oneof(
      fc.string().map(frame),
      fc.jsonValue().map(frame),
      fc
        .record(
          {
            jsonrpc: fc.constant("2.0"),
            id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
            method: fc.constantFrom(
              "hello",
              "status",
              "configure",
              "subscribe",
              "$/cancelRequest",
              "$/progress",
            ),
            params: fc.jsonValue(),
          },
          { requiredKeys: ["jsonrpc"] },
        )
        .map(frame),
      fc.uint8Array({ maxLength: 600 }),
      fc.constant(frame("[".repeat(3000))),
    );
    const visit = fc.record({ isKnown: fc.boolean(), messages: fc.array(message, { maxLength: 6 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 8 }), async (visits) => {
        const visitors = await Promise.all(
          visits.map(async ({ isKnown, messages }) => {
            const visitor = new Stranger(box);
            if (isKnown) await visitor.enter(token);
            for (const each of messages) visitor.send(each);
            visitor.leave();
            return visitor;
          }),
        );
        await waitUntil(() => visitors.every(({ isClosed }) => isClosed));
        await isWell(client);
      }),
      { numRuns: 60 },
    );
  });

  it("reports to a client that its record's token is not the service's", async (t) => {
    const { box } = await hosted(t);
    const held = box.record();
    writeRecord(box.home, { ...held, token: "other" });
    const found = await connectService(box.ports());
    writeRecord(box.home, held);
    assert.ok(!found.ok && found.reason === "refused");
    assert.match(box.log(), /showed a wrong token/u);
  });

  it("lets no other user in: its folder, record and socket are the owner's alone", async (t) => {
    const box = new ServiceSandbox(t);
    mkdirSync(box.home.folder, { mode: 0o755 });
    await box.host();
    const { socket, token } = box.record();
    const modes = [box.home.folder, box.home.record, box.home.log, box.home.sockets, socket].map(
      (file) => statSync(file).mode & 0o777,
    );
    assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o700, 0o600]);
    assert.equal(Buffer.from(token, "base64url").length, 32);
    assert.ok(!readFileSync(box.home.log, "utf8").includes(token));
  });

  it("proves to a client that it is the service, on an address that proves nothing", async (t) => {
    const { box } = await hosted(t);
    const trust = () => "unproven" as const;
    const ports = { ...box.ports(), trust };
    const found = await connectService(ports);
    assert.ok(found.ok);
    await isWell(found.value);
    found.value.dispose();
    const asked = { home: box.home, version: "1.0.0", method: "describe", params: {}, within: 5000 };
    assert.notEqual(await quickAsk(asked, trust), undefined);
  });

  it("is not confused with another listener, which receives no token", async (t) => {
    const { box } = await hosted(t);
    const { token, ...held } = box.record();
    const received: string[] = [];
    const address = path.join(box.home.sockets, "other.sock");
    const other = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        received.push(data.toString());
        socket.write(
          frame({ jsonrpc: "2.0", id: 0, result: { proof: "x", pid: 1, protocol: 1, version: "9" } }),
        );
      });
    });
    await new Promise<void>((resolve) => other.listen(address, resolve));
    t.after(() => other.close());
    writeRecord(box.home, { ...held, token, socket: address });
    const trust = () => "unproven" as const;
    const found = await connectService({ ...box.ports(), trust });
    assert.ok(!found.ok && found.reason === "unsafe_place", JSON.stringify(found));
    assert.match(found.detail.text, /is not the service/u);
    const asked = { home: box.home, version: "1.0.0", method: "status", params: {}, within: 5000 };
    assert.equal(await quickAsk(asked, trust), undefined);
    assert.ok(
      received.length >= 2 && !received.join("").includes(token) && !received.join("").includes("hello"),
    );
    const [before, folder] = [received.length, path.join(box.folder, "open")];
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeRecord(box.home, { ...held, token, socket: path.join(folder, "s.sock") });
    const open = await connectService(box.ports());
    assert.ok(!open.ok && open.reason === "unsafe_place");
    assert.equal(await quickAsk(asked), undefined);
    assert.equal(received.length, before);
    writeRecord(box.home, { ...held, token });
  });

  it("trusts no record that another user could have written", async (t) => {
    const { box } = await hosted(t);
    chmodSync(box.home.record, 0o644);
    const found = await connectService(box.ports());
    assert.ok(!found.ok && found.reason === "unsafe_place");
    assert.match(found.detail.text, /is open to other users; remove it/u);
  });

  it("does not start in an invalid folder", async (t) => {
    const box = new ServiceSandbox(t);
    writeFileSync(box.home.folder, "");
    const found = await ensureService(box.ports());
    assert.ok(!found.ok && found.reason === "unsafe_place", JSON.stringify(found));
    assert.match(found.detail.text, /is not a folder/u);
  });

  it("has its socket elsewhere when the home's path is too long for one", async (t) => {
    const runtime = new ServiceSandbox(t).folder;
    const home = path.join(runtime, "d".repeat(100));
    const box = new ServiceSandbox(t, { PURSER_HOME: home, XDG_RUNTIME_DIR: runtime });
    await box.host();
    const { socket } = box.record();
    assert.equal(path.dirname(path.dirname(socket)), runtime);
    assert.equal(lstatSync(path.dirname(socket)).mode & 0o777, 0o700);
  });
});
