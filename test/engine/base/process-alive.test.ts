import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { isProcessAlive } from "../../../src/engine/base/process-alive.ts";
import { asOrdinaryUser } from "../support/ordinary-user.ts";

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
    "of somebody else is alive",
    { skip: process.platform === "win32" && "Windows has no such rights" },
    (t) => {
      asOrdinaryUser(t, () => assert.equal(isProcessAlive(1), true));
    },
  );

  it("of an impossible id is not", () => {
    for (const pid of [2 ** 30, 2 ** 32, 2 ** 32 + process.pid, Number.MAX_SAFE_INTEGER, 1.5, Number.NaN])
      assert.equal(isProcessAlive(pid), false, `${pid}`);
  });
});
