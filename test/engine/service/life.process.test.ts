import { plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../support/assert-texts.ts";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { fail } from "../../../src/engine/base/result.ts";
import { ensureService } from "../../../src/engine/service/ensure.ts";
import { ownerOf } from "../../../src/engine/base/lock.ts";
import { inProcessLauncher } from "./support/in-process-launcher.ts";
import { spawnLauncher } from "../../../src/engine/service/launch/launch.ts";
import type { Service } from "../../../src/engine/service/service.ts";
import { connectService, ServiceClient } from "../../../src/engine/service/client.ts";
import { readRecord, writeRecord, type ServiceRecord } from "../../../src/engine/service/service-record.ts";
import { waitUntil } from "../support/wait-until.ts";
import { protocolVersion } from "../../../src/engine/sessions/session-requests.ts";
import { ServiceSandbox, machine, serviceProgram } from "./support/box.ts";

const starter = fileURLToPath(new URL("support/start.ts", import.meta.url));

/** Writes a record as a service that no longer exists could have left it. */
function leave(box: ServiceSandbox, record: Partial<ServiceRecord>): void {
  mkdirSync(box.home.folder, { recursive: true, mode: 0o700 });
  const socket = path.join(box.home.sockets, "left.sock");
  const own = { ...ownerOf(process.pid, machine), socket, token: "left", version: "1.0.0" };
  writeRecord(box.home, { ...own, ...record });
}

function grow(box: ServiceSandbox, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(box.home.record, then, then);
}

describe("the service's process", { concurrency: 3 }, () => {
  it("is only one, when ten processes start it at once", async (t) => {
    const box = new ServiceSandbox(t);
    const starters = Array.from({ length: 10 }, () =>
      spawn(process.execPath, [starter, serviceProgram], { env: box.env, timeout: 30_000 }),
    );
    const messages = await Promise.all(starters.map(({ stdout }) => text(stdout)));
    assert.deepEqual(new Set(messages), new Set([String(box.record().pid)]));
    assert.equal(box.pids().length, 1);
  });

  it("starts again after it was killed", async (t) => {
    const box = new ServiceSandbox(t);
    const first = await box.client();
    const closed = new Promise<void>((resolve) => first.onClose(() => resolve()));
    process.kill(first.pid, "SIGKILL");
    await closed;
    assert.equal((await first.ask("status", {})).ok, false);
    const second = await box.client();
    assert.notEqual(second.pid, first.pid);
    assert.equal(readdirSync(box.home.sockets).length, 1, "the dead one's socket is gone");
  });

  it("hands over to a newer client's, after its writes, and serves an older client", async (t) => {
    const box = new ServiceSandbox(t);
    const writes = path.join(box.folder, "written");
    const old = await box.client("1.9.0", { PURSER_TEST_WRITES: writes });
    const young = await box.client("1.10.0");
    assert.equal(readFileSync(writes, "utf8"), "handover");
    assert.equal(old.farewell, "handover");
    assert.equal(old.isClosed, true);
    const again = await box.client("1.9.0");
    assert.deepEqual([again.version, again.pid], ["1.10.0", young.pid]);
    assert.equal((await again.ask("status", {})).ok, true);
  });

  it("ends when it is of no use, but not while a client is there", async (t) => {
    const box = new ServiceSandbox(t);
    const idle = { PURSER_IDLE_MINUTES: "0.004" };
    const client = await box.client("1.0.0", idle);
    const { pid } = client;
    const asked = performance.now();
    while (performance.now() - asked < 400) assert.equal((await client.ask("describe", {})).ok, true);
    client.dispose();
    await waitUntil(() => !machine.isAlive(pid));
    assert.match(box.log(), /ends: idle/u);
    assert.equal(existsSync(box.home.record), false);
  });

  it("takes no client while it ends, so that a client that came too late starts the next one", async (t) => {
    const box = new ServiceSandbox(t);
    const steps = new EventEmitter();
    const finish = async () => {
      steps.emit("begun");
      await once(steps, "written");
    };
    const client = await box.host({ finishers: [{ name: "writes", finish }] });
    const { socket, token } = box.record();
    const late = new ServiceClient(connect(socket), (message) => assert.fail(message));
    void client.shutdown("asked", 5000);
    await once(steps, "begun");
    const answer = await late.introduce({ token, version: "1.0.0", protocol: protocolVersion });
    assert.deepEqual([answer.ok, answer.ok || answer.detail], [false, "it is ending"]);
    steps.emit("written");
    late.dispose();
    const next = await box.client();
    assert.equal((await next.ask("describe", {})).ok, true);
  });

  it("finishes its writes when asked to end", async (t) => {
    const box = new ServiceSandbox(t);
    const writes = path.join(box.folder, "written");
    const { pid } = await box.client("1.0.0", { PURSER_TEST_WRITES: writes });
    process.kill(pid, "SIGTERM");
    await waitUntil(() => !machine.isAlive(pid));
    assert.equal(readFileSync(writes, "utf8"), "signal");
  });

  it(
    "keeps only needed variables of its first client's environment",
    { skip: process.platform !== "linux" },
    async (t) => {
      const box = new ServiceSandbox(t, {
        ANTHROPIC_API_KEY: "secret",
        NODE_OPTIONS: "--no-warnings",
        FOO: "1",
      });
      const { pid } = await box.client();
      const names = readFileSync(`/proc/${pid}/environ`, "latin1")
        .split("\0")
        .map((entry) => entry.split("=")[0]);
      assert.ok(names.includes("CLAUDE_CONFIG_DIR"));
      for (const name of ["ANTHROPIC_API_KEY", "NODE_OPTIONS", "FOO"]) assert.ok(!names.includes(name), name);
    },
  );
});

describe("a record that was left behind", { concurrency: 3 }, () => {
  async function isReplaced(box: ServiceSandbox): Promise<void> {
    const { pid } = await box.client();
    assert.equal(box.record().pid, pid);
    assert.notEqual(pid, process.pid);
  }

  it("of a process that ended is replaced", async (t) => {
    const box = new ServiceSandbox(t);
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => child.once("exit", resolve));
    leave(box, { pid: child.pid ?? 0 });
    await isReplaced(box);
  });

  it("with a process id that now belongs to another process is replaced", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, { startTime: "1" });
    await isReplaced(box);
  });

  it("with an invalid record is replaced", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, {});
    writeFileSync(box.home.record, "{");
    await isReplaced(box);
  });

  it("from before a restart of the machine is replaced", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, { machine: { ...machine.id, boot: "before" } });
    await isReplaced(box);
  });

  it("of another container is left while that lives, and replaced when it is silent", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, { machine: { ...machine.id, host: `${hostname()}-other` } });
    const found = await ensureService(box.ports());
    assert.ok(!found.ok && found.reason === "elsewhere", JSON.stringify(found));
    grow(box, 60);
    await isReplaced(box);
  });
});

describe("a client", () => {
  it("is reported if its living process does not answer", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, {});
    const found = await connectService(box.ports());
    assert.ok(!found.ok && found.reason === "unresponsive");
    assert.match(found.detail.text, /cannot be reached: ENOENT/u);
  });

  it("takes no record for as fresh as the one that replaces it", async (t) => {
    const box = new ServiceSandbox(t);
    leave(box, { machine: { ...machine.id, host: `${hostname()}-other` } });
    grow(box, 60);
    // Another client's service starts at this very moment.
    const now = () => {
      leave(box, {});
      return Date.now();
    };
    const found = await connectService({ ...box.ports(), clock: { now } });
    assert.ok(!found.ok && found.reason === "unresponsive", JSON.stringify(found));
  });

  it("is not started by a mere query", async (t) => {
    const box = new ServiceSandbox(t);
    const found = await connectService(box.ports());
    assert.ok(!found.ok && found.reason === "not_running");
    assert.equal(existsSync(box.home.folder), false);
  });

  it("hosts the service if no process may be started", async (t) => {
    const box = new ServiceSandbox(t);
    const hosted: Service[] = [];
    const forbidden = spawnLauncher({
      ...forbiddenSpawn,
      home: box.home,
      env: box.env,
      userHome: box.folder,
    });
    const inside = inProcessLauncher(box.servicePorts(), (service) => hosted.push(service));
    const client = await ensureService({ ...box.ports(), launchers: [forbidden, inside] });
    assert.ok(client.ok);
    assert.equal(client.value.pid, process.pid);
    const other = await box.client();
    assert.equal(other.pid, process.pid);
    await hosted[0]?.stop("asked");
    assert.deepEqual(readRecord(box.home), { ok: true, value: null });
    assert.notEqual((await box.client()).pid, process.pid);
  });

  it("is neither started nor ended by an aborted client", async (t) => {
    const box = new ServiceSandbox(t);
    let launches = 0;
    const launcher = () => {
      launches += 1;
      return Promise.resolve(fail("forbidden", plainSentence("as the test says")));
    };
    const ports = { ...box.ports("2.0.0"), launchers: [launcher], signal: AbortSignal.abort() };
    const none = await ensureService(ports);
    assert.ok(!none.ok && none.reason === "cancelled");
    const older = await box.host();
    const found = await ensureService(ports);
    assert.ok(!found.ok && found.reason === "cancelled");
    assert.equal(launches, 0);
    assert.ok((await older.ask("status", {})).ok);
  });

  it("is reported with a reason if it could not start", async (t) => {
    const box = new ServiceSandbox(t);
    const nowhere = spawnLauncher({ ...forbiddenSpawn, home: box.home, env: box.env, userHome: box.folder });
    const missing = await ensureService({ ...box.ports(), launchers: [nowhere] });
    assert.ok(!missing.ok && missing.reason === "forbidden");
    const broken = spawnLauncher({
      ...forbiddenSpawn,
      execPath: process.execPath,
      home: box.home,
      env: box.env,
      userHome: box.folder,
    });
    const failed = await ensureService({ ...box.ports(), launchers: [broken] });
    assert.ok(!failed.ok && failed.reason === "failed");
    assert.match(failed.detail.text, /ended with 1; see .+service\.log/u);
    assert.match(box.log(), /no-such-program/u);
  });
});

const forbiddenSpawn = { program: "/no-such-program.cjs", execPath: "/no-such-runtime", isElectron: false };
