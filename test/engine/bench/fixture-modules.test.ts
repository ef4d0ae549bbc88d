import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { prepareFixtureModules, type ModulesPorts } from "../../../src/engine/bench/fixture-modules.ts";
import { scratchFolder, suiteAt, writeFiles, writeSuite } from "./disk-suite.ts";
import { freezeFixture } from "../../../src/engine/bench/freeze-fixture.ts";

const posix = process.platform !== "win32";

/** A fixture with a dependency, and an npm that is a script of ours: it installs one package, and writes down how it was called. */
async function place(t: TestContext, npm = "", lock = true) {
  const root = await scratchFolder(t);
  const places = await writeSuite(t);
  const packages = { "": {}, "node_modules/a": {}, "node_modules/b": {} };
  await writeFiles(places.fixture, {
    "package.json": JSON.stringify({ name: "sum", dependencies: { a: "1.0.0" } }),
    ...(lock ? { "package-lock.json": JSON.stringify({ packages }) } : {}),
  });
  await freezeFixture(places.fixture, path.join(places.folder, "fixture.json"));
  const bin = path.join(root, "bin");
  await mkdir(bin);
  const usual =
    'mkdir -p node_modules/a && echo "exports.a = 1" > node_modules/a/index.js; echo "npm http cache a.tgz" >&2; echo "npm http cache b.tgz" >&2';
  await writeFile(
    path.join(bin, "npm"),
    `#!/bin/sh\necho "$@" >> ${root}/calls\n${npm === "" ? usual : npm}\n`,
  );
  await chmod(path.join(bin, "npm"), 0o755);
  const env = {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`,
    NODE_ENV: "production",
  };
  const cache = path.join(root, "cache");
  const ports: ModulesPorts = {
    cache,
    env,
    signal: new AbortController().signal,
    clock: { now: () => Date.now() },
  };
  const { fixture } = await suiteAt(places);
  const calls = async () => (await readFile(path.join(root, "calls"), "utf8")).trim().split("\n");
  return { fixture, ports, cache, calls };
}

describe(
  "what a fixture depends on",
  { concurrency: true, skip: !posix && "npm is a script of the shell here" },
  () => {
    it("is installed once, without scripts, and is not writable then", async (t) => {
      const { fixture, ports, cache, calls } = await place(t);
      const told: unknown[] = [];
      const first = await prepareFixtureModules(fixture, {
        ...ports,
        onProgress: (progress) => told.push(progress),
      });
      const again = await prepareFixtureModules(fixture, ports);
      assert.ok(first.ok && first.value !== null);
      assert.deepEqual(again, first);
      assert.match((await calls()).join(), /^ci --ignore-scripts --include=dev[^,]+$/u);
      assert.deepEqual(told.at(-1), { fetched: 2, packages: 2 });
      assert.equal((await stat(path.join(first.value, "a"))).mode & 0o222, 0);
      assert.equal((await stat(path.join(first.value, "a/index.js"))).mode & 0o222, 0);
      assert.equal((await readdir(cache)).length, 1);
    });

    it("is installed by two at once, and one is kept", async (t) => {
      const { fixture, ports, cache } = await place(t);
      const both = await Promise.all([1, 2].map(() => prepareFixtureModules(fixture, ports)));
      assert.ok(both.every(({ ok }) => ok));
      assert.deepEqual(both[0], both[1]);
      assert.equal((await readdir(cache)).length, 1);
    });

    it("runs scripts where the suite says so, in another place", async (t) => {
      const { fixture, ports, cache, calls } = await place(t);
      await prepareFixtureModules(fixture, ports);
      await prepareFixtureModules({ ...fixture, installScripts: true }, ports);
      assert.match((await calls())[1] ?? "", /--ignore-scripts=false/u);
      assert.equal((await readdir(cache)).length, 2);
    });

    it("is nothing for a project that depends on nothing; and needs a lock file", async (t) => {
      const { fixture } = await suiteAt(await writeSuite(t));
      const { ports } = await place(t);
      assert.deepEqual(await prepareFixtureModules(fixture, ports), { ok: true, value: null });
      const unlocked = await place(t, "", false);
      const refused = await prepareFixtureModules(unlocked.fixture, unlocked.ports);
      assert.equal(refused.ok ? "" : refused.reason, "no_lock");
    });

    it("says what is wrong when npm fails, and leaves nothing", async (t) => {
      const cases: readonly [npm: string, reason: string, said: RegExp][] = [
        ['echo "npm error code ENOTFOUND" >&2; exit 1', "offline", /ENOTFOUND.+try again with a connection/u],
        [
          'echo "npm error code EUSAGE" >&2; echo "npm error not in sync" >&2; exit 1',
          "install_failed",
          /EUSAGE not in sync/u,
        ],
      ];
      for (const [npm, reason, said] of cases) {
        const { fixture, ports, cache } = await place(t, npm);
        const failed = await prepareFixtureModules(fixture, ports);
        assert.ok(!failed.ok);
        assert.equal(failed.reason, reason);
        assert.match(failed.detail, said);
        assert.deepEqual(await readdir(cache), []);
      }
      const { fixture, ports } = await place(t);
      const none = await prepareFixtureModules(fixture, { ...ports, env: { PATH: "/nowhere" } });
      assert.equal(none.ok ? "" : none.reason, "no_npm");
      const file = path.join(fixture.folder, "package.json");
      const blocked = await prepareFixtureModules(fixture, { ...ports, cache: path.join(file, "cache") });
      assert.equal(blocked.ok ? "" : blocked.reason, "not_writable");
    });

    it("is given up when nobody waits for it", async (t) => {
      const { fixture, ports, cache } = await place(t, "sleep 60");
      const given = await prepareFixtureModules(fixture, { ...ports, signal: AbortSignal.timeout(200) });
      assert.equal(given.ok ? "" : given.reason, "cancelled");
      assert.deepEqual(await readdir(cache), []);
    });

    it("is installed again where anything of it was changed since, and that is said", async (t) => {
      const { fixture, ports, cache, calls } = await place(t);
      const said: string[] = [];
      const prepare = async () => {
        const made = await prepareFixtureModules(fixture, {
          ...ports,
          onDamage: (message) => said.push(message),
        });
        assert.ok(made.ok && made.value !== null);
        return made.value;
      };
      const modules = await prepare();
      const file = path.join(modules, "a", "index.js");
      const changes: readonly [string, () => Promise<void>][] = [
        ["index.js", () => writeFile(file, "exports.a = 2")],
        ["added.js", () => writeFile(path.join(modules, "a", "added.js"), "")],
        ["index.js", () => rm(file)],
        // Whoever puts the times back cannot put back when the file was changed.
        [
          "index.js",
          async () => {
            const { atime, mtime } = await stat(file);
            await writeFile(file, "exports.a = 7".slice(0, (await readFile(file)).length));
            await utimes(file, atime, mtime);
          },
        ],
      ];
      for (const [name, change] of changes) {
        await chmod(path.dirname(file), 0o755);
        await chmod(file, 0o644);
        await prepare();
        await chmod(path.dirname(file), 0o755);
        await chmod(file, 0o644);
        said.length = 0;
        await change();
        assert.equal(await prepare(), modules);
        assert.match(said.join(), new RegExp(`was changed after it was installed .*${name}`, "u"));
        assert.equal(await readFile(file, "utf8"), "exports.a = 1\n");
      }
      // What tools work out beside packages is no change of them; where nobody knows, it is not used.
      const installed = (await calls()).length;
      await chmod(modules, 0o755);
      await writeFiles(modules, { ".vite/deps.json": "{}" });
      await prepare();
      assert.equal((await calls()).length, installed);
      await writeFile(path.join(path.dirname(modules), "stamps.json"), "{");
      await prepare();
      assert.equal((await calls()).length, installed + 1);
      assert.deepEqual(await readdir(cache), [path.basename(path.dirname(modules))]);
    });

    it("is removed when it was not used for long, as is what a killed process left", async (t) => {
      const { fixture, ports, cache } = await place(t);
      const long = new Date(Date.now() - 70 * 86_400_000);
      for (const name of ["0000", ".draft-old", ".draft-new"]) {
        const folder = path.join(cache, name);
        await writeFiles(folder, { "node_modules/a/index.js": "" });
        await chmod(path.join(folder, "node_modules/a"), 0o555);
        if (name !== ".draft-new") await utimes(folder, long, long);
      }
      const made = await prepareFixtureModules(fixture, ports);
      assert.ok(made.ok && made.value !== null);
      const key = path.basename(path.dirname(made.value));
      assert.deepEqual((await readdir(cache)).sort(), [".draft-new", key].sort());
    });
  },
);
