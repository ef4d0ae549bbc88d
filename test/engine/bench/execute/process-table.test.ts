import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { after, describe, it } from "node:test";
import * as z from "zod";
import { linuxProcess } from "../../../../src/engine/base/process/system-commands.ts";
import { systemProcesses, type ProcessState } from "../../../../src/engine/bench/execute/process-table.ts";
import { waitUntil } from "../../support/wait-until.ts";

const skip = process.platform !== "linux" && "only Linux tells a process's environment";

describe("the system's processes", { skip }, () => {
  const begun: ChildProcess[] = [];
  after(() => begun.forEach((child) => child.kill("SIGKILL")));
  const table = () => {
    const found = systemProcesses();
    assert.ok(found !== null);
    return found;
  };
  const begin = async (command: string, env: Record<string, string>) => {
    const child = spawn("/bin/sh", ["-c", command], { env, stdio: ["ignore", "pipe", "ignore"] });
    begun.push(child);
    const [line] = z.tuple([z.instanceof(Buffer)]).parse(await once(child.stdout, "data"));
    return { child, said: Number(line.toString()) };
  };

  /** Until its program is loaded, a process has the environment it started with, or none that can be read. */
  const becomes = async (id: number, isSo: (now: ProcessState) => boolean) => {
    const deadline = performance.now() + 5000;
    for (let now = await table().inspect(id); !isSo(now); now = await table().inspect(id)) {
      assert.ok(performance.now() < deadline, JSON.stringify(now));
      await table().rest();
    }
  };

  it("are listed without this one", async () => {
    const { said } = await begin("echo $$; exec sleep 77", {});
    const ids = await table().ids();
    assert.ok(ids.includes(said) && !ids.includes(process.pid));
  });

  it("run with an environment, or an empty one", async () => {
    const path = process.env["PATH"] ?? "";
    const named = await begin("echo $$; exec sleep 77", { PATH: path, HARBOR: "tide=high" });
    const isNamed = (now: ProcessState) =>
      now.kind === "running" && now.environment.includes("HARBOR=tide=high");
    await becomes(named.said, isNamed);
    const bare = await begin("echo $$; exec env -i sleep 77", { PATH: path });
    await becomes(bare.said, (now) => now.kind === "running" && now.environment.length === 0);
  });

  it("have ended until their exit code is read, and are gone then", async () => {
    const parent = await begin("sleep 0.2 & echo $!; exec sleep 77", { PATH: process.env["PATH"] ?? "" });
    await waitUntil(() => linuxProcess(parent.said)?.state === "Z");
    assert.deepEqual(await table().inspect(parent.said), { kind: "ended" });
    parent.child.kill("SIGKILL");
    await once(parent.child, "exit");
    const { pid } = parent.child;
    assert.ok(pid !== undefined);
    assert.deepEqual(await table().inspect(pid), { kind: "gone" });
    assert.equal(table().kill(pid), true);
  });
});

it("are ignored on systems that do not show environments", () => {
  assert.equal(systemProcesses("darwin"), null);
  assert.equal(systemProcesses("win32"), null);
});
