import path from "node:path";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rename, stat, utimes, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { isThere, writeAtomically, nodeFiles } from "../base/files.ts";
import {
  readFixtureFiles,
  readFixtureFile,
  manifestHash,
  type FixtureManifest,
} from "./fixture/fixture-files.ts";
import { dependentManifest, lockKey } from "./fixture/lock-key.ts";
import { sentence, type Sentence } from "../base/language.ts";
import type { Clock } from "../base/timing.ts";
import {
  type Result,
  type Failure,
  succeed,
  fail,
  errorCode,
  rethrowUnlessSystemError,
} from "../base/result.ts";
import { cleanText, cutMiddle } from "../base/text.ts";
import {
  draftPrefix,
  makeReadOnly,
  removeOldModules,
  removeReadOnly,
  changedSince,
  keepStamps,
} from "./fixture/modules-stamps.ts";
import { runProgram } from "./execute/run-program.ts";
import { sha256Hex } from "../base/hash.ts";
import type { PlannedInstall } from "./plan.ts";
import type { Fixture } from "./suite/suite.ts";
import { readJson } from "../base/parse.ts";

export { manifestHash } from "./fixture/fixture-files.ts";

/**
 * Freezes a fixture by recording its files: from then on a suite whose fixture differs is refused. Baselines start over.
 *
 * @throws the system's error if something cannot be read or written
 */
export async function freezeFixture(
  fixture: string,
  manifest: string,
): Promise<{ files: number; hash: string }> {
  const found = await readFixtureFiles(fixture);
  const bytes = Buffer.from(manifestText(found));
  await writeAtomically(manifest, bytes, { files: nodeFiles, unique: () => randomUUID().slice(0, 8) });
  return { files: found.size, hash: manifestHash(found) };
}

/** One line per file, sorted by name, so that git shows what changed. */
function manifestText(found: FixtureManifest): string {
  const files = Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ schema: 1, files }, null, 2)}\n`;
}

type ModulesFault = "no_lock" | "no_npm" | "offline" | "install_failed" | "not_writable" | "cancelled";

export interface ModulesPorts {
  /** Folder of installed packages: `fixture` in purser's home. */
  readonly cache: string;
  /** The user's environment: npm uses the user's own registry settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called while packages are installed, which happens once per lock file. */
  readonly onProgress?: (progress: { readonly fetched: number; readonly packages: number }) => void;
  /** Receives a sentence on why an existing install is not used and packages are installed again. */
  readonly onDamage?: (message: Sentence) => void;
}

/** Version of the files stored next to the packages. Each version has its own folders. */
const format = "3";
const installLimit = 10 * 60_000; // ms
const lockName = "package-lock.json";
/** With the peers of projects that other programs installed, npm looks for minutes, and may then refuse its own lock file. */
const withoutPeers = "--legacy-peer-deps";

/**
 * Installs a fixture's dependencies, once for each lock file and kind of machine, into a folder that is read-only afterwards. The install
 * is built in a draft folder and moved into place: an existing one is always complete, even after a crash, and of two concurrent installs
 * the slower one uses the other's. Packages run no scripts unless the suite allows it. An install that has changed since, for example by a
 * run that got at it, is never used: it is made again.
 *
 * @returns the folder to link as `node_modules`; null for a fixture without dependencies
 */
export async function prepareFixtureModules(
  fixture: Pick<Fixture, "folder" | "manifest" | "installScripts" | "lock">,
  ports: ModulesPorts,
): Promise<Result<string | null, ModulesFault>> {
  try {
    const wanted = await readWanted(fixture);
    if (wanted === null) return succeed(null);
    if (!wanted.files.has(lockName))
      return fail(
        "no_lock",
        sentence("{0} has no {1}: without one nobody knows what is installed", fixture.folder, lockName),
      );
    const cached = path.join(ports.cache, wanted.key);
    const modules = path.join(cached, "node_modules");
    if ((await isFolder(modules)) && (await verifyOrDiscard(cached, ports))) {
      const now = new Date(ports.clock.now());
      // Marks the last use.
      await utimes(cached, now, now);
      return succeed(modules);
    }
    const made = await install(wanted, cached, fixture.installScripts, ports);
    return made.ok ? succeed(modules) : made;
  } catch (error) {
    return fail("not_writable", sentence("{0} cannot be used ({1})", ports.cache, errorCode(error)));
  }
}

/**
 * Returns what `prepareFixtureModules` would install now. Null if nothing, or if it cannot. Changes nothing.
 * @param cache see `ModulesPorts`
 */
export async function pendingInstall(
  fixture: Pick<Fixture, "folder" | "manifest" | "installScripts" | "lock">,
  cache: string,
): Promise<PlannedInstall | null> {
  try {
    const wanted = await readWanted(fixture);
    if (wanted?.files.has(lockName) !== true) return null;
    const cached = path.join(cache, wanted.key);
    const isThere =
      (await isFolder(path.join(cached, "node_modules"))) && (await changedSince(cached))?.length === 0;
    return isThere ? null : { packages: wanted.packages };
  } catch (error) {
    // The run itself reports the problem, and how to repair it.
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** Returns whether an install is unchanged. Moves a changed one away, reports and removes it. */
async function verifyOrDiscard(cached: string, { cache, onDamage }: ModulesPorts): Promise<boolean> {
  const changed = await changedSince(cached);
  if (changed?.length === 0) return true;
  onDamage?.(
    sentence(
      "The test project's dependencies were changed after they were installed ({what}), so they are installed again",
      {
        what: changed === null ? sentence("unknown how") : cutMiddle(cleanText(changed.join(", ")), 300),
      },
    ),
  );
  const aside = await mkdtemp(path.join(cache, draftPrefix));
  try {
    await rename(cached, path.join(aside, "changed"));
  } catch (error) {
    // Another process has already moved it away.
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await removeReadOnly(aside);
  return false;
}

interface Wanted {
  readonly key: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Null for an unreadable lock file. */
  readonly packages: number | null;
  /** Whether the lock file is the suite's own (`writeLock`). */
  readonly isOwnLock: boolean;
}

const locked = z.looseObject({ packages: z._default(z.record(z.string(), z.unknown()), {}) });

async function readWanted({
  folder,
  manifest,
  installScripts,
  lock: ownLock = null,
}: Pick<Fixture, "folder" | "manifest" | "installScripts" | "lock">): Promise<Wanted | null> {
  const names = ["package.json", lockName, ".npmrc"].filter((name) => manifest.has(name));
  const files = new Map<string, Buffer>();
  for (const name of names) files.set(name, await readFixtureFile(path.join(folder, name)));
  const dependencies = lockKey(files.get("package.json")?.toString("utf8") ?? null);
  if (dependencies === null) return null;
  const isOwnLock = !files.has(lockName) && ownLock !== null && isThere(ownLock);
  if (isOwnLock) {
    files.set(lockName, await readFixtureFile(ownLock));
    files.set(
      "package.json",
      Buffer.from(dependentManifest(files.get("package.json")?.toString("utf8") ?? "")),
    );
  }
  const lock = readJson(locked, files.get(lockName)?.toString("utf8"));
  // The project itself is one of them, by the empty path.
  const packages = lock === null ? null : Object.entries(lock.packages).filter(([at]) => at !== "");
  // A new version or script of the project changes none of its packages.
  const content = [
    dependencies,
    packages === null ? sha256Hex(files.get(lockName) ?? "") : sha256Hex(JSON.stringify(packages)),
    files.get(".npmrc")?.toString("utf8") ?? "",
  ];
  const key = sha256Hex(
    [format, ...content, process.platform, process.arch, String(installScripts)].join("\0"),
  );
  return { key: key.slice(0, 16), files, packages: packages?.length ?? null, isOwnLock };
}

async function install(
  { files, packages, isOwnLock }: Wanted,
  cached: string,
  installScripts: boolean,
  ports: ModulesPorts,
): Promise<Result<null, ModulesFault>> {
  const { cache, clock } = ports;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await removeOldModules(cache, clock.now());
  const draft = await mkdtemp(path.join(cache, draftPrefix));
  try {
    for (const [name, bytes] of files) await writeFile(path.join(draft, name), bytes);
    const scripts = installScripts ? "--ignore-scripts=false" : "--ignore-scripts";
    const peers = isOwnLock ? [withoutPeers] : [];
    const args = ["ci", scripts, "--include=dev", "--prefer-offline", ...peers];
    const ran = await runNpm(draft, args, packages ?? 0, ports);
    if (!ran.ok) return ran;
    await makeReadOnly(path.join(draft, "node_modules"));
    await keepStamps(draft);
    await rename(draft, cached);
    return succeed(null);
  } catch (error) {
    // Another process was faster.
    if (await isFolder(path.join(cached, "node_modules"))) return succeed(null);
    throw error;
  } finally {
    if (await isFolder(draft)) await removeReadOnly(draft);
  }
}

/**
 * Writes the suite's lock file for a project that has none: the versions that npm would have installed at that time.
 * @param before the time, in ISO 8601
 */
export async function writeLock(
  { folder, manifest, lock = null }: Pick<Fixture, "folder" | "manifest" | "lock">,
  before: string,
  ports: ModulesPorts,
): Promise<Result<null, ModulesFault>> {
  if (lock === null || isThere(lock) || manifest.has(lockName)) return succeed(null);
  await mkdir(ports.cache, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(path.join(ports.cache, draftPrefix));
  try {
    const text = (await readFixtureFile(path.join(folder, "package.json"))).toString("utf8");
    await writeFile(path.join(draft, "package.json"), dependentManifest(text));
    if (manifest.has(".npmrc"))
      await writeFile(path.join(draft, ".npmrc"), await readFixtureFile(path.join(folder, ".npmrc")));
    const args = ["install", "--package-lock-only", "--ignore-scripts", withoutPeers];
    const atThatTime = await runNpm(draft, [...args, `--before=${before}`], 0, ports);
    // Not every registry knows when a version was published.
    const isUnknown = !atThatTime.ok && atThatTime.reason === "install_failed";
    const ran = isUnknown ? await runNpm(draft, args, 0, ports) : atThatTime;
    if (!ran.ok) return ran;
    await mkdir(path.dirname(lock), { recursive: true });
    await writeFile(lock, await readFixtureFile(path.join(draft, lockName)));
    return succeed(null);
  } catch (error) {
    return fail("not_writable", sentence("{0} cannot be used ({1})", lock, errorCode(error)));
  } finally {
    await removeReadOnly(draft);
  }
}

async function runNpm(
  folder: string,
  args: readonly string[],
  packages: number,
  { env, signal, clock, onProgress }: ModulesPorts,
): Promise<Result<null, ModulesFault>> {
  let fetched = 0;
  const quiet = ["--no-audit", "--no-fund", "--no-progress", "--no-update-notifier", "--loglevel=http"];
  const { how, exitCode, output } = await runProgram({
    file: "npm",
    // A project may have switched lock files off.
    args: [...args, "--package-lock=true", ...quiet],
    cwd: folder,
    env: npmEnvironment(env),
    timeout: installLimit,
    signal,
    clock,
    onOutput: (text) => {
      const count = text.split("\n").filter((line) => line.includes(".tgz")).length;
      if (count === 0) return;
      fetched = Math.min(packages, fetched + count);
      onProgress?.({ fetched, packages });
    },
  });
  if (how === "cancelled") return fail("cancelled", sentence("It was cancelled"));
  if (how === "not-started")
    return fail("no_npm", sentence("npm is not installed, or not on the PATH; it comes with Node.js"));
  if (how === "timeout") return fail("offline", sentence("npm did not finish within ten minutes"));
  return exitCode === 0 ? succeed(null) : whatNpmSays(output);
}

/** Hides from npm which npm project started this process. */
function npmEnvironment(env: ModulesPorts["env"]): Record<string, string> {
  const own =
    /^(?:npm_(?:lifecycle|package|command|execpath|node_execpath)|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$)/u;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || own.test(name) ? [] : [[name, value]],
    ),
  );
}

const noConnection =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/u;

function whatNpmSays(output: string): Failure<"offline" | "install_failed"> {
  const [, code] = noConnection.exec(output) ?? [];
  if (code !== undefined)
    return fail(
      "offline",
      sentence(
        "npm could not reach its registry ({0}). The test project's dependencies are fetched only once; try again when you are online",
        code,
      ),
    );
  const messages = output
    .split("\n")
    .filter((line) => /^npm (?:error|ERR!)/u.test(line) && !line.includes("_logs"));
  const words = messages.map((line) => line.replace(/^npm (?:error|ERR!)\s*/u, "")).join(" ");
  return fail(
    "install_failed",
    sentence("npm could not install the test project's dependencies: {0}", cutMiddle(cleanText(words), 500)),
  );
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
