import assert from "node:assert/strict";
import { chownSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, it } from "node:test";
import { writeHookServerAddress } from "../../../src/engine/hooks/server/address.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox } from "./support/box.ts";
import { hook } from "./support/hooks.ts";
import { announce, listening, place, run, silent, spooled } from "./support/run-shim.ts";

describe("the hooks' program and others who listen", { skip: process.platform === "win32" }, () => {
  const secret = "my secret";
  const input = hook("UserPromptSubmit", { prompt: secret });
  const answer = JSON.stringify({ hookSpecificOutput: { permissionDecision: "allow" } });

  it("sends nothing to a stranger at an ended service's port, and starts another service", async (t) => {
    const box = new ServiceSandbox(t, { PURSER_IDLE_MINUTES: "1" });
    const received: Buffer[] = [];
    let connections = 0;
    const impostor = createServer((socket) => {
      connections += 1;
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => received.push(chunk));
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    t.after(() => impostor.close());
    const address = impostor.address();
    assert.ok(typeof address === "object" && address !== null);
    mkdirSync(box.home.folder, { mode: 0o700 });
    writeHookServerAddress(box.home, { port: address.port, token: "a token nobody guesses" });
    const argument = "--purser-hook=claude-code:UserPromptSubmit";
    silent(await run({ env: box.env, input, argument }));
    await waitUntil(() => box.pids().length === 1);
    assert.deepEqual([connections, Buffer.concat(received).length], [0, 0]);
  });

  for (const [what, mode] of [
    ["which others may write to", 0o777],
    ["which others may look into", 0o755],
  ] as const)
    it(`gives not a byte to a socket in a folder ${what}`, async (t) => {
      const { env, home, folder } = place(t);
      let connections = 0;
      await listening(t, home, { folder: path.join(folder, "run"), mode }, () => (connections += 1));
      silent(await run({ env, input }));
      assert.equal(connections, 0);
      assert.equal(spooled(home.spool).length, 1);
    });

  it(
    "gives not a byte to a socket in another user's folder",
    { skip: process.getuid?.() !== 0 },
    async (t) => {
      const { env, home, folder } = place(t);
      const theirs = path.join(folder, "run");
      let connections = 0;
      await listening(t, home, { folder: theirs }, () => (connections += 1));
      chownSync(theirs, 65_534, 65_534);
      silent(await run({ env, input }));
      // Our own link to it is not trusted either.
      symlinkSync(theirs, path.join(folder, "link"));
      announce(home, path.join(folder, "link", "h.sock"));
      silent(await run({ env, input }));
      assert.equal(connections, 0);
      assert.equal(spooled(home.spool).length, 2);
    },
  );
});
