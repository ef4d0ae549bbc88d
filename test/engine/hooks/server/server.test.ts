import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Agent, createServer } from "node:http";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { writeLatePrompt } from "../../../../src/engine/hooks/server.ts";
import { writeSpoolFile } from "../../../../src/engine/hooks/spool-file.ts";
import { writeHookServerAddress } from "../../../../src/engine/hooks/server/address.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { hook, TestHookService, post } from "../../service/support/hooks.ts";

describe("answering hooks over HTTP", () => {
  it("answers, and records the caller and its request", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    const answer = await post(
      endpoint,
      hook("PreToolUse", { tool_name: "Bash", tool_use_id: "toolu_1", agent_id: "a", unknown: [1] }),
    );
    assert.deepEqual(answer, { status: 200, body: "" });
    assert.deepEqual(await post(endpoint, hook("PostLunch")), { status: 200, body: "" });
    await waitUntil(() => hooks.recordedEntries.length === 2);
    const [first, second] = hooks.recordedEntries;
    assert.ok(first && second);
    const { id, at, durationMs, ...rest } = first;
    assert.deepEqual(rest, {
      kind: "hook-event",
      sessionId: "s-1",
      agentId: "a",
      event: "PreToolUse",
      tool: "Bash",
      call: "toolu_1",
      handler: null,
      outcome: "none",
      rule: null,
      injectedChars: 0,
    });
    assert.match(id, /^hook:/u);
    assert.ok(Number(at) > 1e12 && Number(durationMs) >= 0);
    assert.deepEqual([second.event, second.outcome], ["PostLunch", "unknown_event"]);
  });

  it("sends its answer to a prompt that could not wait once, with the session's next suitable hook", async (t) => {
    const hooks = new TestHookService(t);
    hooks.answerPrompt = (prompt) => ({ context: `Known: ${prompt}`, rule: "known" });
    const at = Date.now();
    const late = { caller: "codex", at, headers: ["x-purser-entry: cli"] } as const;
    const [first, second] = ["one", "two"].map((prompt) => hook("UserPromptSubmit", { prompt }));
    writeLatePrompt(hooks.home.prompts, { ...late, id: "prompt-one", body: first ?? "" });
    writeLatePrompt(hooks.home.prompts, { ...late, id: "prompt-two", body: second ?? "" });
    const endpoint = await hooks.begin();
    await waitUntil(() => hooks.recordedEntries.length === 2);
    assert.deepEqual(
      hooks.recordedEntries.map((entry) => [entry.id, entry.at, entry.outcome, entry.injectedChars]),
      [
        ["hook:prompt-one", at, "late", 0],
        ["hook:prompt-two", at, "late", 0],
      ],
    );
    assert.deepEqual(readdirSync(hooks.home.prompts), []);
    const call = hook("PostToolUse", { tool_name: "Bash" });
    assert.equal((await post(endpoint, hook("PostToolUse", { agent_id: "a" }))).body, "");
    assert.match((await post(endpoint, call)).body, /"additionalContext":"Known: one\\nKnown: two"/u);
    assert.equal((await post(endpoint, call)).body, "");
  });

  it("stores its answer to a prompt for an agent that stopped waiting", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    let isAsked = false;
    let answer: () => void = () => undefined;
    hooks.answerPrompt = async () => {
      isAsked = true;
      await new Promise<void>((resolve) => (answer = resolve));
      return { context: "Known." };
    };
    const socket = connect(endpoint.port, "127.0.0.1");
    const body = hook("UserPromptSubmit", { prompt: "one" });
    const head = [`POST /hook/claude-code HTTP/1.1`, `Host: 127.0.0.1:${endpoint.port}`];
    head.push(`Authorization: Bearer ${endpoint.token}`, `Content-Length: ${body.length}`);
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await waitUntil(() => isAsked);
    socket.destroy();
    // The service sees the end of the connection before it can answer another request.
    assert.equal((await post(endpoint, hook("Stop"))).body, "");
    answer();
    await waitUntil(() => hooks.recordedEntries.some(({ outcome }) => outcome === "late"));
    assert.match((await post(endpoint, hook("PreToolUse"))).body, /"additionalContext":"Known."/u);
  });

  it("refuses other callers than this user's agents, with a reason", async (t) => {
    const endpoint = await new TestHookService(t).begin();
    const body = hook("Stop");
    const refused = async (status: number, options: Parameters<typeof post>[2]) => {
      const answer = await post(endpoint, body, options);
      assert.equal(answer.status, status);
      assert.match(answer.body, /^\{"error":"\w+","detail":"[^"]+"\}$/u);
    };
    await refused(404, { path: "/" });
    await refused(404, { path: "/hook/claude-code?x=1" });
    await refused(405, { method: "GET" });
    await refused(403, { headers: { Host: `purser.example:${endpoint.port}` } });
    await refused(403, { headers: { Origin: "http://127.0.0.1" } });
    await refused(401, { headers: { Authorization: "" } });
    await refused(401, { headers: { Authorization: `Bearer ${endpoint.token}x` } });
    assert.equal((await post(endpoint, body, { path: "/hook/codex" })).status, 200);
    assert.equal(
      (await post(endpoint, body, { headers: { Host: `localhost:${endpoint.port}` } })).status,
      200,
    );
  });

  it("stores a bounded part of a body, and reads its leading members", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    hooks.answer = () => ({ permission: { decision: "deny", reason: "no room" } });
    const large = { tool_name: "Write", tool_input: { content: "a".repeat(9_000_000) }, tool_use_id: "t" };
    for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
      const answer = await post(endpoint, hook("PreToolUse", large), { headers });
      assert.equal(answer.status, 200);
      assert.match(answer.body, /"permissionDecision":"deny"/u);
    }
    await waitUntil(() => hooks.recordedEntries.length === 2);
    assert.deepEqual(
      hooks.recordedEntries.map(({ event, tool, sessionId }) => [event, tool, sessionId]),
      [
        ["PreToolUse", "Write", "s-1"],
        ["PreToolUse", "Write", "s-1"],
      ],
    );
    // A body that is not a hook is ignored, whatever its size.
    for (const nothing of [Buffer.alloc(9_000_000, "a"), Buffer.alloc(50_000_000, " ")])
      assert.deepEqual(await post(endpoint, nothing), { status: 200, body: "" });
    assert.equal((await post(endpoint, hook("Stop"))).status, 200);
  });

  it("answers with more silent connections than the maximum, and closes the oldest", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    const closed: number[] = [];
    const sockets = await Promise.all(
      Array.from({ length: 520 }, async (_, at) => {
        const socket = connect(endpoint.port, "127.0.0.1");
        socket.on("error", () => undefined);
        socket.once("close", () => closed.push(at));
        await new Promise<void>((resolve) => socket.once("connect", resolve));
        // Half of them start a request and never end it.
        if (at % 2 === 0) socket.write("POST /hooks/claude-code HTTP/1.1\r\nHost: ");
        return socket;
      }),
    );
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    assert.equal((await post(endpoint, hook("PreToolUse"))).status, 200);
    await waitUntil(() => closed.length >= 260);
    assert.ok(!closed.includes(519));
    // The rest has 2 s for its headers.
    await waitUntil(() => closed.length === 520);
  });

  it("keeps an agent's connection and answers at once while strangers connect again and again", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    await post(endpoint, hook("PreToolUse"), { agent });
    const [kept] = Object.values(agent.freeSockets).flat();
    assert.ok(kept !== undefined);
    let isOver = false;
    const strangers = new Set<Socket>();
    const flood = () => {
      const socket = connect(endpoint.port, "127.0.0.1");
      strangers.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        strangers.delete(socket);
        if (!isOver) setTimeout(flood, 20);
      });
    };
    for (let count = 0; count < 600; count += 1) flood();
    t.after(() => {
      isOver = true;
      for (const socket of strangers) socket.destroy();
    });
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await post(endpoint, hook("PreToolUse"), { agent })).status, 200);
      assert.equal((await post(endpoint, hook("PreToolUse"))).status, 200);
    }
    assert.equal(Object.values(agent.freeSockets).flat()[0], kept);
  });

  it("records a hook that comes while the ledger is being opened, though the service is killed then", async (t) => {
    const hooks = new TestHookService(t);
    let opened: () => void = () => undefined;
    hooks.opening = new Promise((resolve) => (opened = resolve));
    const endpoint = await hooks.begin();
    for (const event of ["SessionStart", "PreToolUse"])
      assert.equal((await post(endpoint, hook(event))).status, 200);
    // A killed service leaves what is on the disk when the agent has its answer.
    const left = readdirSync(hooks.home.spool).map((name) =>
      readFileSync(path.join(hooks.home.spool, name), "utf8"),
    );
    assert.deepEqual(left.length, 2);
    assert.match(left.join(""), /"event":"SessionStart"/u);
    assert.deepEqual(hooks.recordedEntries, []);
    opened();
    await waitUntil(() => readdirSync(hooks.home.spool).length === 0);
    assert.deepEqual(hooks.recordedEntries.map(({ event, outcome }) => [event, outcome]).toSorted(), [
      ["PreToolUse", "none"],
      ["SessionStart", "none"],
    ]);
  });

  it("keeps its port and its token, and its file readable by the user only", async (t) => {
    const hooks = new TestHookService(t);
    const first = await hooks.begin();
    if (process.platform !== "win32") assert.equal(statSync(hooks.home.hooks).mode & 0o777, 0o600);
    await hooks.finish();
    await assert.rejects(post(first, hook("Stop")));
    assert.deepEqual(await hooks.begin(), first);
  });

  it("changes port and token if its port is taken, and reports it", async (t) => {
    const hooks = new TestHookService(t);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    t.after(() => other.close());
    const address = other.address();
    assert.ok(typeof address === "object" && address !== null);
    const before = { port: address.port, token: "the token of before" };
    writeHookServerAddress(hooks.home, before);
    const endpoint = await hooks.begin();
    assert.notEqual(endpoint.port, before.port);
    assert.notEqual(endpoint.token, before.token);
    assert.match(
      hooks.log(),
      new RegExp(`has port ${before.port}: .*mended where they are the user's own`, "u"),
    );
    assert.equal((await post(endpoint, hook("Stop"))).status, 200);
  });

  it("has written everything to the ledger when it ends, and answers no longer", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    for (let count = 0; count < 20; count += 1) await post(endpoint, hook("Stop"), { agent });
    await hooks.finish();
    assert.equal(hooks.recordedEntries.length, 20);
    await assert.rejects(post(endpoint, hook("Stop")));
  });

  it("reads once what was spooled while it was away", async (t) => {
    const hooks = new TestHookService(t);
    const entry = { kind: "hook-event", id: "hook:away", sessionId: "s", event: "Stop", at: 5 };
    writeSpoolFile(hooks.home.spool, "5-away", [JSON.stringify(entry)]);
    await hooks.begin();
    await waitUntil(() => hooks.recordedEntries.length === 1);
    assert.equal(hooks.recordedEntries[0]?.id, "hook:away");
  });

  it("gives a hook the id that its sender gave it", async (t) => {
    const hooks = new TestHookService(t);
    const endpoint = await hooks.begin();
    await post(endpoint, hook("Stop"), { headers: { "X-Purser-Event": "abc-123-def" } });
    await post(endpoint, hook("Stop"), { headers: { "X-Purser-Event": "../../x y" } });
    await waitUntil(() => hooks.recordedEntries.length === 2);
    assert.equal(hooks.recordedEntries[0]?.id, "hook:abc-123-def");
    assert.match(hooks.recordedEntries[1]?.id ?? "", /^hook:[\da-f-]{36}$/u);
  });
});

describe("hooks of any kind", () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .tuple(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom("Stop", "PreToolUse", "PostToolBatch", "SessionStart", "x"),
      )
      .map(([more, event]) => Buffer.from(hook(event, more))),
    fc
      .tuple(fc.constantFrom("PreToolUse", "PostToolBatch"), fc.nat(120))
      .map(([event, cut]) => Buffer.from(hook(event, { tool_name: "Bash", tool_calls: [{}] }).slice(0, cut))),
  );

  it("get a success and nothing else, and none is lost", async (t) => {
    const hooks = new TestHookService(t);
    const address = await hooks.begin();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    t.after(() => agent.destroy());
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.constantFrom("claude-code", "codex", "copilot"),
        async (body, program) => {
          assert.deepEqual(await post(address, body, { agent, path: `/hook/${program}` }), {
            status: 200,
            body: "",
          });
          if (isHook(body)) sent += 1;
        },
      ),
      { numRuns: 400 },
    );
    await waitUntil(() => hooks.recordedEntries.length >= sent);
    assert.equal(new Set(hooks.recordedEntries.map(({ id }) => id)).size, sent);
  });

  it("survives input that is not HTTP", async (t) => {
    const address = await new TestHookService(t).begin();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, isLate) => {
        await new Promise<void>((resolve) => {
          const socket = connect(address.port, "127.0.0.1", () => {
            if (isLate) socket.write("POST /hook/claude-code HTTP/1.1\r\n");
            socket.end(bytes);
          });
          socket.on("error", () => undefined);
          socket.on("close", () => resolve());
          socket.resume();
        });
      }),
      { numRuns: 60 },
    );
    assert.equal((await post(address, hook("Stop"))).status, 200);
  });
});

/** Whether any JSON reader would recognize a hook. */
function isHook(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString());
    const reported = typeof value === "object" && value !== null ? value : {};
    const session = "session_id" in reported ? reported.session_id : "";
    const event = "hook_event_name" in reported ? reported.hook_event_name : "";
    const isText = (text: unknown) => typeof text === "string" && text !== "" && text.length < 100;
    return isText(session) && isText(event);
  } catch {
    return false;
  }
}
