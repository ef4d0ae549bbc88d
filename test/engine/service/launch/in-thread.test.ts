import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { fail } from "../../../../src/engine/base/result.ts";
import { ensureService } from "../../../../src/engine/service/ensure.ts";
import type { Launcher } from "../../../../src/engine/service/launch/launch.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import { ServiceThread } from "../../../../src/engine/service/launch.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ServiceSandbox, machine, serviceProgram } from "../support/box.ts";

const forbidden: Launcher = () =>
  Promise.resolve(fail("forbidden", plainSentence("no process may be started")));

/** A host that cannot start processes. */
function hostOf(t: TestContext, { env = {}, program = serviceProgram }: HostOptions = {}) {
  const stops: (() => Promise<void>)[] = [];
  const clients: ServiceClient[] = [];
  // Teardown hooks run in order of registration: the thread ends before its folder is removed.
  t.after(async () => {
    for (const client of clients) client.dispose();
    for (const stop of stops) await stop();
  });
  const box = new ServiceSandbox(t);
  const thread = new ServiceThread({
    home: box.home,
    program,
    env: { ...box.env, PURSER_TEST_VERSION: "1.0.0", ...env },
    userHome: box.folder,
    pid: process.pid,
    machine,
    clock: systemClock,
  });
  stops.push(() => thread.stop());
  const connect = () => ensureService({ ...box.ports(), launchers: [forbidden, thread.launch] });
  const client = async (): Promise<ServiceClient> => {
    const found = await connect();
    assert.ok(found.ok, found.ok ? "" : found.detail.text);
    clients.push(found.value);
    return found.value;
  };
  return { box, thread, connect, client };
}

/** The source of a service program with a thread that dies once this file exists. */
function mortal(deadly: string): string {
  return `import { existsSync, rmSync } from "node:fs";
    const deadly = ${JSON.stringify(deadly)};
    setInterval(() => {
      if (!existsSync(deadly)) return;
      rmSync(deadly);
      throw new Error("broken");
    }, 10);
    await import(${JSON.stringify(serviceProgram)});`;
}

function closeOf(client: ServiceClient): Promise<void> {
  return new Promise((resolve) => client.onClose(() => resolve()));
}

interface HostOptions {
  readonly env?: Record<string, string>;
  readonly program?: string;
}

describe("the service in a thread of another process", () => {
  it("serves all, and when its host ends it writes its data, and another takes over", async (t) => {
    const writes = path.join(scratchFolder(t), "written");
    const { box, thread, client } = hostOf(t, { env: { PURSER_TEST_WRITES: writes } });
    const own = await client();
    assert.equal(own.pid, process.pid);
    assert.equal((await own.ask("status", {})).ok, true);
    const other = await box.client();
    assert.equal(other.pid, process.pid);
    // The thread may end before this one has received all its messages.
    const closed = Promise.all([closeOf(own), closeOf(other)]);
    await thread.stop();
    await closed;
    assert.equal(readFileSync(writes, "utf8"), "handover");
    assert.deepEqual([own.farewell, other.farewell], ["handover", "handover"]);
    assert.notEqual((await box.client()).pid, process.pid);
  });

  it("starts again after its thread died while its process lives", async (t) => {
    const folder = scratchFolder(t);
    const [program, deadly] = [path.join(folder, "dies.mts"), path.join(folder, "deadly")];
    writeFileSync(program, mortal(deadly));
    const { box, client } = hostOf(t, { program });
    const first = await client();
    const closed = closeOf(first);

    const { token } = box.record();
    writeFileSync(deadly, "");
    await closed;

    const second = await client();
    assert.equal(second.pid, process.pid);
    assert.notEqual(box.record().token, token);
  });

  it("reports why no thread could serve", async (t) => {
    const program = fileURLToPath(new URL("no-such-program.ts", import.meta.url));
    const { connect } = hostOf(t, { program });
    const found = await connect();
    assert.ok(!found.ok && found.reason === "failed");
    assert.match(found.detail.text, /no-such-program/u);
  });

  it("ends cleanly if none started, and starts none then", async (t) => {
    const { thread, connect } = hostOf(t);
    await thread.stop();
    const found = await connect();
    assert.ok(!found.ok && found.reason === "forbidden");
  });
});
