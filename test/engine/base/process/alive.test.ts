import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import * as z from "zod";
import { isProcessAlive, linuxProcess } from "../../../../src/engine/base/process/system-commands.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { waitUntil } from "../../support/wait-until.ts";

describe("a process", () => {
  it("of our own is alive", () => assert.equal(isProcessAlive(process.pid), true));

  it("is alive until it ends", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const { pid } = child;
    assert.ok(pid !== undefined);
    assert.equal(isProcessAlive(pid), true);
    child.stdin.end();
    await once(child, "exit");
    assert.equal(isProcessAlive(pid), false);
  });

  it(
    "another user's process is alive",
    { skip: process.platform === "win32" && "Windows has no such rights" },
    (t) => {
      asOrdinaryUser(t, () => assert.equal(isProcessAlive(1), true));
    },
  );

  it(
    "an ended process that its parent has not reaped is not alive",
    { skip: process.platform !== "linux" && "only Linux tells" },
    async () => {
      // The shell becomes a program that never waits for its child, before the child ends.
      const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 30"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      try {
        const [line] = z.tuple([z.instanceof(Buffer)]).parse(await once(parent.stdout, "data"));
        const pid = Number(line.toString());
        await waitUntil(() => linuxProcess(pid)?.state === "Z");
        assert.equal(isProcessAlive(pid), false);
      } finally {
        parent.kill();
      }
    },
  );

  it("of an impossible id is not", () => {
    for (const pid of [2 ** 30, 2 ** 32, 2 ** 32 + process.pid, Number.MAX_SAFE_INTEGER, 1.5, Number.NaN])
      assert.equal(isProcessAlive(pid), false, `${pid}`);
  });
});
