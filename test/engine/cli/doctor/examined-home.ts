import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { doctorJson, type Finding } from "../../../../src/engine/cli/doctor/doctor-schema.ts";
import type { CliHost } from "../../../../src/engine/cli/cli-ports.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { Scratch } from "../support/support.ts";

export const program = fileURLToPath(new URL("../../../../src/engine/service/main.ts", import.meta.url));
/** Not newer than the package, so its programs count as current. */
const version = "0.0.1";
export const isPosix = process.platform !== "win32";
/** Programs in the `PATH`, which are not run here. */
export const few = { node: "v24.1.0\n", claude: "2.1.330 (Claude Code)\n" };
export const usual = { ...few, codex: "codex-cli 0.169.0\n" };

/** A home in which `purser doctor` looks for faults. */
export class Doctor {
  readonly box: ServiceSandbox;
  readonly #scratch = new Scratch();
  said: Record<string, string> = usual;
  project: string;

  constructor(t: TestContext) {
    this.box = new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" });
    t.after(() => this.#scratch.dispose());
    this.project = path.join(this.box.folder, "argo");
    mkdirSync(path.join(this.project, ".git"), { recursive: true });
    mkdirSync(this.home.folder, { mode: 0o700 });
    // With a known address for hooks, installing them starts no service.
    const address = JSON.stringify({ port: 41_234, token: "a-token-nobody-may-see" });
    writeFileSync(this.home.hooks, address, { mode: 0o600 });
  }

  get home() {
    return this.box.home;
  }

  async serve(): Promise<void> {
    rmSync(this.home.hooks, { force: true });
    await this.box.client(version);
    await waitUntil(() => existsSync(this.home.hooks));
  }

  purser(argv: readonly string[], host: Partial<CliHost> = {}) {
    const { box } = this;
    return this.#scratch.purser(argv, {
      env: {
        ...box.env,
        PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
      },
      home: box.folder,
      cwd: this.project,
      now: () => Date.now(),
      version: () => version,
      service: { program, execPath: process.execPath, isElectron: false },
      run: (name) => Promise.resolve(this.said[name] ?? null),
      ...host,
    });
  }

  async install(agent: string, ...more: string[]): Promise<void> {
    const done = await this.purser(["hooks", "install", "--agent", agent, "--yes", ...more]);
    assert.equal(done.code, 0, done.stderr);
  }

  /** Asserts that nothing is changed by looking. */
  async findings(host: Partial<CliHost> = {}): Promise<Finding[]> {
    const before = this.#files();
    const { code, stdout, stderr } = await this.purser(["doctor", "--json"], host);
    assert.equal(stderr, "");
    const { problems, findings } = doctorJson.parse(JSON.parse(stdout));
    assert.equal(code, problems > 0 ? 1 : 0);
    assert.deepEqual(this.#files(), before);
    for (const { level, remedy } of findings)
      assert.equal(remedy === null || remedy.text === "", level === "ok");
    return findings;
  }

  /** Returns a function that puts back what is below the home as it is now. */
  keep(): () => void {
    const kept = this.#paths().map((file) => {
      const stats = statSync(file);
      return { file, mode: stats.mode, bytes: stats.isFile() ? readFileSync(file) : null };
    });
    return () => {
      const known = new Set(kept.map(({ file }) => file));
      for (const file of this.#paths()) if (!known.has(file)) rmSync(file, { recursive: true, force: true });
      for (const { file, mode, bytes } of kept) {
        if (bytes !== null && !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
        if (statSync(file).mode !== mode) chmodSync(file, mode & 0o777);
      }
    };
  }

  /** Files and modes below the home. */
  #files(): string[] {
    return this.#paths().map((file) => `${file} ${lstatSync(file).mode}`);
  }

  /** Files below the home, except those that a running service writes. */
  #paths(): string[] {
    return readdirSync(this.box.folder, { recursive: true, withFileTypes: true })
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .filter(
        (file) =>
          !/service\.(?:log|json)|\.tmp$|[\\/]run\b|\.lock$|[\\/]ledger|[\\/]journal|outputs$/u.test(file),
      )
      .sort();
  }
}

export const idsOf = (findings: readonly Finding[], ...levels: Finding["level"][]) =>
  findings.filter(({ level }) => levels.includes(level)).map(({ id }) => id);
