import { sessionRoots, type SessionRoot } from "../../../../src/engine/transcripts/agents.ts";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { ensureService, type StarterPorts } from "../../../../src/engine/service/ensure.ts";
import { inProcessLauncher } from "./in-process-launcher.ts";
import { spawnLauncher, type Launcher } from "../../../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../../../src/engine/base/disk/home.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import type { ServicePorts } from "../../../../src/engine/service/service-ports.ts";
import type { Service } from "../../../../src/engine/service/service.ts";
import { FileLog } from "../../../../src/engine/base/log.ts";
import { readRecord, type ServiceRecord } from "../../../../src/engine/service/service-record.ts";
import { childEnv } from "../../support/child-env.ts";
import { programs } from "../../support/programs.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { readTestBuild } from "./test-build.ts";

export const serviceProgram = fileURLToPath(new URL("serve.ts", import.meta.url));
export const machine = thisMachine();

/** A user's home with its own purser. After the test, every service started in it must have ended, or is killed. */
export class ServiceSandbox {
  readonly folder: string;
  readonly root: string;
  /** As clients send it. */
  readonly roots: SessionRoot[];
  readonly home;
  readonly env: Record<string, string>;
  readonly #clients: ServiceClient[] = [];
  readonly #hosted: Service[] = [];

  constructor(test: Pick<TestContext, "after">, env: Record<string, string> = {}) {
    // Teardown hooks run in order of registration: services end before their folder is removed.
    test.after(() => this.#leaveNothing());
    this.folder = scratchFolder(test);
    this.root = path.join(this.folder, ".claude");
    this.env = {
      ...childEnv,
      HOME: this.folder,
      CLAUDE_CONFIG_DIR: this.root,
      PURSER_HOME: path.join(this.folder, ".purser"),
      // If a test is killed, what it started ends soon.
      PURSER_IDLE_MINUTES: "2",
      ...env,
    };
    this.roots = sessionRoots({ env: this.env, home: this.folder });
    this.home = purserPaths({ env: this.env, home: this.folder });
  }

  ports(version = "1.0.0", env: Record<string, string> = {}): StarterPorts {
    return {
      home: this.home,
      machine,
      clock: systemClock,
      version,
      pid: process.pid,
      onProblem: (message) => assert.fail(message),
      build: () => readTestBuild(env["PURSER_TEST_BUILD"]),
      launchers: [this.#launcher(version, env, false)],
    };
  }

  /** A launcher that takes over from an older service, as hooks of a newer purser start it. */
  successor(version: string, env: Record<string, string>): Launcher {
    return this.#launcher(version, env, true);
  }

  #launcher(version: string, env: Record<string, string>, isSuccessor: boolean): Launcher {
    return spawnLauncher({
      home: this.home,
      program: serviceProgram,
      execPath: process.execPath,
      isElectron: false,
      env: { ...this.env, PURSER_TEST_VERSION: version, ...env },
      userHome: this.folder,
      isSuccessor,
    });
  }

  /** Writes a transcript of a session in this project. */
  transcript(name: string, text: string): string {
    const file = path.join(this.root, "projects", "-argo", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Ports for a service in the test's own process. */
  servicePorts(): ServicePorts {
    return {
      home: this.home,
      env: this.env,
      userHome: this.folder,
      temporary: os.tmpdir(),
      platform: process.platform,
      pid: process.pid,
      machine,
      clock: systemClock,
      version: "1.0.0",
      log: new FileLog(this.home.log, systemClock),
      learnWorker: programs.learnWorker,
      idleAfter: null,
      finishers: [],
    };
  }

  /** Hosts the service in the test's own process until the test is over. */
  async host(ports: Partial<ServicePorts> = {}): Promise<ServiceClient> {
    const all = { ...this.servicePorts(), ...ports };
    const launchers = [inProcessLauncher(all, (service) => this.#hosted.push(service))];
    return await this.#ensure({ ...this.ports(), launchers });
  }

  async client(version?: string, env?: Record<string, string>): Promise<ServiceClient> {
    return await this.#ensure(this.ports(version, env));
  }

  async #ensure(ports: StarterPorts): Promise<ServiceClient> {
    const client = await ensureService(ports);
    assert.ok(client.ok, client.ok ? "" : `${client.reason}: ${client.detail.text}`);
    this.#clients.push(client.value);
    return client.value;
  }

  record(): ServiceRecord {
    const record = readRecord(this.home);
    assert.ok(record.ok && record.value !== null);
    return record.value;
  }

  /** Lines of the log that report a fault. A late handler only shows a busy machine. */
  faults(): readonly string[] {
    const isWrong = (line: string) =>
      / (?:warn|error) /u.test(line) && !/ took more than \d+ ms$/u.test(line);
    return this.log().split("\n").filter(isWrong);
  }

  log(): string {
    return existsSync(this.home.log) ? readFileSync(this.home.log, "utf8") : "";
  }

  /** Pids of all processes that logged that they serve. */
  pids(): number[] {
    return Array.from(this.log().matchAll(/serves as process (\d+)/gu), ([, pid]) => Number(pid));
  }

  async #leaveNothing(): Promise<void> {
    for (const client of this.#clients) client.dispose();
    await Promise.all(this.#hosted.map((service) => service.stop("asked")));
    const left = this.pids().filter((pid) => pid !== process.pid && machine.isAlive(pid));
    for (const pid of left) process.kill(pid, "SIGTERM");
    // On a busy machine, a service that has a ledger to close takes its time.
    await waitUntil(() => !left.some((pid) => machine.isAlive(pid)));
  }
}
