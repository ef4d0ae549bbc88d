import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { postHook, type HookEndpoint, type HookPost } from "../../../../src/engine/hooks/server/post.ts";
import { HookServer } from "../../../../src/engine/hooks/server/server.ts";
import { newChallenge, proofOf } from "../../../../src/engine/protocol/proof.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import { newToken } from "../../../../src/engine/protocol/endpoint.ts";
import { scratchFolder } from "../../support/scratch.ts";

const secret = "my secret prompt";
const post: HookPost = {
  program: "claude-code",
  id: "some-event-id",
  body: Buffer.from(JSON.stringify({ prompt: secret })),
  isCut: false,
  headers: [],
};

/** A service on an endpoint that proves nothing by its address, like a Windows pipe. */
async function serving(t: TestContext): Promise<{ endpoint: HookEndpoint; bodies: string[] }> {
  const folder = scratchFolder(t);
  const bodies: string[] = [];
  const server = new HookServer({
    home: purserPaths({ env: {}, home: folder }),
    answer: ({ bytes }) => Promise.resolve((bodies.push(bytes.toString()), "{}")),
    onProblem: () => undefined,
  });
  const token = newToken();
  const opened = await server.listenBeside({ address: path.join(folder, "s.sock") }, token, true);
  assert.ok(opened.ok);
  t.after(() => server.close());
  return { endpoint: { address: opened.value.address, token, build: null }, bodies };
}

/** An impostor at such an address. */
async function impostor(t: TestContext, hear: (reported: string, socket: Socket) => void) {
  const address = path.join(scratchFolder(t), "i.sock");
  let received = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received += chunk.toString();
      hear(chunk.toString(), socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  t.after(() => server.close());
  return { address, received: () => received };
}

function answered(text: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

describe("an address that anybody may have", { skip: process.platform === "win32" }, () => {
  it("gets a hook once each side has proved to have the token, which neither sends", async (t) => {
    const { endpoint, bodies } = await serving(t);
    const sent: string[] = [];
    // An eavesdropper with its own address receives what both sides send.
    const between = await impostor(t, (reported, socket) => {
      sent.push(reported);
      socket.end();
    });
    assert.equal(await postHook(endpoint, post, "unproven"), "{}");
    assert.deepEqual(bodies, [post.body.toString()]);
    assert.equal(await postHook({ ...endpoint, address: between.address }, post, "unproven"), null);
    assert.ok(!sent.join("").includes(endpoint.token) && !sent.join("").includes(secret));
  });

  it("gets nothing from a client without a proof, or with a wrong one", async (t) => {
    const { endpoint, bodies } = await serving(t);
    assert.equal(await postHook(endpoint, post, "own"), null, "it does not prove anything");
    assert.equal(await postHook({ ...endpoint, token: newToken() }, post, "unproven"), null);
    assert.deepEqual(bodies, []);
    // A challenge belongs to one connection: its proof is worthless on another.
    const { address, token } = endpoint;
    const proof = proofOf("client", { token, address, challenge: newChallenge() });
    const socket = connect(address);
    const text = await new Promise<string>((resolve) => {
      socket.once("data", (chunk) => resolve(chunk.toString()));
      socket.write(
        `POST /hook/claude-code HTTP/1.1\r\nHost: purser\r\nx-purser-proof: ${proof}\r\nContent-Length: 2\r\n\r\n{}`,
      );
    });
    socket.destroy();
    assert.match(text, /^HTTP\/1\.1 401 /u);
  });

  for (const [what, answer] of [
    ["nothing of use", "x"],
    ["what it was asked", "echo"],
    ["a proof of its own making", `${newChallenge()} ${newChallenge()}`],
    ["endlessly", "x".repeat(70_000)],
  ] as const)
    it(`gets no hook from us if it sends ${what}`, async (t) => {
      const { address, received } = await impostor(t, (reported, socket) => {
        const challenge = /x-purser-challenge: (\S+)/u.exec(reported)?.[1] ?? "";
        socket.write(answer === "echo" ? answered(`${challenge} ${challenge}`) : answered(answer));
      });
      const endpoint = { address, token: newToken(), build: null };
      assert.equal(await postHook(endpoint, post, "unproven"), null);
      assert.ok(received().startsWith("GET /proof "));
      assert.ok(
        !received().includes(secret) && !received().includes(endpoint.token) && !received().includes("POST"),
      );
    });

  it("gets no hook either if it passes on the service's own proof", async (t) => {
    const { endpoint } = await serving(t);
    const { address, received } = await impostor(t, (reported, socket) => {
      const service = connect(endpoint.address, () => service.write(reported));
      service.on("error", () => undefined);
      service.on("data", (chunk) => socket.write(chunk));
    });
    // The record states the service's address; a misdirected client has another one.
    assert.equal(await postHook({ ...endpoint, address }, post, "unproven"), null);
    assert.ok(!received().includes(secret));
  });
});
