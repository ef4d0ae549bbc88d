import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { serviceJson } from "../../../../src/engine/cli/service/service-outcome.ts";
import { statusJson } from "../../../../src/engine/cli/sessions/sessions-outcome.ts";
import { ServiceSandbox, machine, serviceProgram } from "../../service/support/box.ts";
import { readRecordings } from "../../support/recordings.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { responseRow, Scratch, type Printed } from "../support/support.ts";

interface ServiceSetup {
  readonly box: ServiceSandbox;
  readonly purser: (argv: readonly string[], root?: string) => Promise<Printed>;
}

function placeFor(t: TestContext): ServiceSetup {
  const [box, scratch] = [new ServiceSandbox(t), new Scratch()];
  t.after(() => scratch.dispose());
  const host = {
    home: box.folder,
    now: () => Date.now(),
    version: () => "1.0.0",
    service: { program: serviceProgram, execPath: process.execPath, isElectron: false },
  };
  const purser = (argv: readonly string[], root = box.root) =>
    scratch.purser(argv, { ...host, env: { ...box.env, CLAUDE_CONFIG_DIR: root } });
  return { box, purser };
}

describe("purser service", { concurrency: true }, () => {
  it("reports that none runs, and starts none", async (t) => {
    const { purser } = placeFor(t);
    assert.deepEqual(await purser(["service", "status"]), { code: 0, stdout: "not running\n", stderr: "" });
    const { stdout } = await purser(["service", "status", "--json"]);
    const json = serviceJson.parse(JSON.parse(stdout));
    assert.deepEqual([json.running, json.service], [false, null]);
    assert.deepEqual(await purser(["service", "stop"]), {
      code: 0,
      stdout: "The service is not running\n",
      stderr: "",
    });
    assert.equal((await purser(["service", "logs"])).code, 1);
  });

  it("restarts it, shows its state and work, and stops it", async (t) => {
    const { box, purser } = placeFor(t);
    const first = await purser(["service", "restart"]);
    assert.match(first.stdout, /^The service is not running\npurser 1\.0\.0 is running as process \d+\n$/u);
    const { pid } = box.record();
    const { stdout } = await purser(["service", "status", "--json"]);
    const { service } = serviceJson.parse(JSON.parse(stdout));
    assert.deepEqual([service?.pid, service?.version, service?.clients], [pid, "1.0.0", 0]);
    assert.match(
      (await purser(["service", "status"])).stdout,
      /^process +\d+\nversion +1\.0\.0\nrunning for +\d/u,
    );
    const second = await purser(["service", "restart"]);
    assert.match(
      second.stdout,
      new RegExp(`^Stopped process ${pid}\npurser 1\\.0\\.0 is running as process`, "u"),
    );
    assert.match((await purser(["service", "logs"])).stdout, /serves as process \d+ .+\n.+ends: asked\n/u);
    const last = box.record().pid;
    assert.equal((await purser(["service", "stop"])).stdout, `Stopped process ${last}\n`);
    await waitUntil(() => !machine.isAlive(last));
  });

  it("starts it once, and reports a failure", async (t) => {
    const { box, purser } = placeFor(t);
    const first = await purser(["service", "start"]);
    const { pid } = box.record();
    assert.deepEqual(first, { code: 0, stdout: `purser 1.0.0 is running as process ${pid}\n`, stderr: "" });
    const again = await purser(["service", "start"]);
    assert.equal(again.stdout, `purser 1.0.0 is already running as process ${pid}\n`);
    const other = new ServiceSandbox(t);
    const service = { program: "/no-service", execPath: "/no-runtime", isElectron: false };
    const scratch = new Scratch();
    t.after(() => scratch.dispose());
    const failed = await scratch.purser(["service", "start"], {
      env: other.env,
      home: other.folder,
      service,
    });
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /^purser service: \/no-runtime: ENOENT\n$/u);
  });

  it(
    "kills one that does not answer only with --force",
    { skip: process.platform !== "linux" },
    async (t) => {
      const { box, purser } = placeFor(t);
      const { pid } = await box.client();
      process.kill(pid, "SIGSTOP");
      const [refused, forced] = await Promise.all([
        purser(["service", "stop"]),
        purser(["service", "stop", "--force"]),
      ]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /process \d+, said: .+; --force stops it anyway\n$/u);
      assert.equal(forced.stdout, `Stopped process ${pid}\n`);
      assert.equal(machine.isAlive(pid), false);
    },
  );

  it("prints one line with exit code 2 for wrong arguments", async (t) => {
    const { purser } = placeFor(t);
    for (const argv of [["begin"], ["status", "--nope"], ["stop", "--json"]]) {
      const { code, stdout, stderr } = await purser(["service", ...argv]);
      assert.deepEqual([code, stdout], [2, ""], argv.join(" "));
      assert.match(stderr, /^purser service.*: .+\n$/u);
    }
  });
});

describe("purser status through the service", () => {
  it("prints the same JSON as without it", async (t) => {
    const { box, purser } = placeFor(t);
    // Only recordings of the newer agent; each root costs the service a learning thread.
    const recordings = readRecordings().filter(({ generation }) => generation === "2.1.332");
    const print = async () => {
      const all: Printed[] = [];
      for (const { root } of recordings) all.push(await purser(["status", "--all", "--json"], root));
      return all;
    };
    const alone = await print();
    const client = await box.host();
    const through = await print();
    assert.deepEqual(through, alone);
    const described = await client.ask("describe", {});
    assert.ok(described.ok);
    assert.ok(described.value.views >= recordings.length, "the service was asked");
    assert.ok(alone.some(({ stdout }) => statusJson.parse(JSON.parse(stdout)).sessions.length > 0));
  });

  it("continues when the service ends while it watches", async (t) => {
    const { box, purser } = placeFor(t);
    const file = box.transcript("s-1.jsonl", responseRow({ id: "1", input: 1 }));
    const client = await box.host();
    const interrupt = new AbortController();
    const scratch = new Scratch();
    t.after(() => scratch.dispose());
    t.after(() => interrupt.abort());
    let printed = "";
    const watching = scratch.purser(["status", "--all", "--json", "--watch"], {
      env: box.env,
      home: box.folder,
      now: () => Date.now(),
      signal: interrupt.signal,
      stdout: { write: (text) => (printed += String(text)) },
    });
    await waitUntil(() => printed.includes(`"output":10`));
    assert.equal((await purser(["service", "stop"])).code, 0);
    assert.equal(client.farewell, "asked");
    appendFileSync(file, responseRow({ id: "2", input: 2 }));
    await waitUntil(() => printed.includes(`"output":20`));
    interrupt.abort();
    assert.equal((await watching).code, 0);
  });
});
