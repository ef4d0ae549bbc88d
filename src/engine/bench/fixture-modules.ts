import { mkdir, mkdtemp, rename, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { parseJson } from "../base/parse-json.ts";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import { cleanText, cutMiddle } from "../base/text.ts";
import { readFixtureFile } from "./fixture-files.ts";
import { draftPrefix, makeReadOnly, removeOldModules, removeReadOnly } from "./modules-cache.ts";
import { changedSince, keepStamps } from "./modules-stamps.ts";
import { runProgram } from "./run-program.ts";
import { sha256 } from "./sha256.ts";
import type { Fixture } from "./suite.ts";

export type ModulesFault = "no_lock" | "no_npm" | "offline" | "install_failed" | "not_writable" | "cancelled";

export interface ModulesPorts {
  /** Where installed packages are kept: `fixture` in purser's home. */
  readonly cache: string;
  /** The user's environment: which registry npm asks, and how, is the user's own setting. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Told while packages are installed, which is once a lock file. */
  readonly onProgress?: (progress: { readonly fetched: number; readonly packages: number }) => void;
  /** Told, in a sentence, why what was installed is not used, and is installed anew. */
  readonly onDamage?: (message: string) => void;
}

/** Of what is kept beside the packages: another one has folders of its own. */
const format = "2";
const installLimit = 10 * 60_000; // ms
const lockName = "package-lock.json";

/**
 * Installs what a fixture depends on, once for each lock file and kind of machine, into a folder that is not writable afterwards.
 * It is built beside its place and moved into it: what is there is whole, whoever was killed, and of two that install at once the slower
 * one takes the other's. No script of a package is run unless the suite says so. What was changed since it was installed, by a run that got
 * at it, is never used: it is installed anew.
 *
 * @returns the folder to be linked as `node_modules`; null for a fixture that depends on nothing
 */
export async function prepareFixtureModules(
  fixture: Pick<Fixture, "folder" | "manifest" | "installScripts">,
  ports: ModulesPorts,
): Promise<Result<string | null, ModulesFault>> {
  try {
    const wanted = await readWanted(fixture);
    if (wanted === null) return succeed(null);
    if (!wanted.files.has(lockName))
      return fail(
        "no_lock",
        `${fixture.folder} has no ${lockName}: without one nobody knows what is installed`,
      );
    const place = path.join(ports.cache, wanted.key);
    const modules = path.join(place, "node_modules");
    if ((await isFolder(modules)) && (await isWhole(place, ports))) {
      const now = new Date(ports.clock.now());
      // When it was used last.
      await utimes(place, now, now);
      return succeed(modules);
    }
    const made = await install(wanted, place, fixture.installScripts, ports);
    return made.ok ? succeed(modules) : made;
  } catch (error) {
    return fail("not_writable", `${ports.cache} cannot be used (${errorCode(error)})`);
  }
}

/** Takes what was changed out of its place, and says so. */
async function isWhole(place: string, { cache, onDamage }: ModulesPorts): Promise<boolean> {
  const changed = await changedSince(place);
  if (changed?.length === 0) return true;
  const what = changed === null ? "nobody knows how it was" : cutMiddle(cleanText(changed.join(", ")), 300);
  onDamage?.(
    `What the fixture depends on was changed after it was installed (${what}): it is installed again`,
  );
  const aside = await mkdtemp(path.join(cache, draftPrefix));
  try {
    await rename(place, path.join(aside, "changed"));
  } catch (error) {
    // Somebody else took it out already.
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await removeReadOnly(aside);
  return false;
}

/** What is installed, and the name of the folder it is kept in. */
interface Wanted {
  readonly key: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly packages: number;
}

const dependent = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
const locked = z.looseObject({ packages: z.record(z.string(), z.unknown()).default({}) });

async function readWanted({
  folder,
  manifest,
  installScripts,
}: Pick<Fixture, "folder" | "manifest" | "installScripts">): Promise<Wanted | null> {
  const names = ["package.json", lockName, ".npmrc"].filter((name) => manifest.has(name));
  const files = new Map<string, Buffer>();
  for (const name of names) files.set(name, await readFixtureFile(path.join(folder, name)));
  const { dependencies, devDependencies } = read(files.get("package.json"), dependent) ?? {};
  if (Object.keys({ ...dependencies, ...devDependencies }).length === 0) return null;
  const content = [...files].map(([name, bytes]) => `${name}\0${sha256(bytes)}`);
  const key = sha256([format, ...content, process.platform, process.arch, String(installScripts)].join("\0"));
  const packages = Object.keys(read(files.get(lockName), locked)?.packages ?? {}).length;
  return { key: key.slice(0, 16), files, packages: Math.max(0, packages - 1) };
}

/** Null where it is not there, or says something else; npm says what is wrong then. */
function read<Schema extends z.ZodType>(bytes: Buffer | undefined, schema: Schema): z.output<Schema> | null {
  if (bytes === undefined) return null;
  const checked = schema.safeParse(parseJson(bytes.toString("utf8")));
  return checked.success ? checked.data : null;
}

async function install(
  { files, packages }: Wanted,
  place: string,
  installScripts: boolean,
  ports: ModulesPorts,
): Promise<Result<null, ModulesFault>> {
  const { cache, clock } = ports;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await removeOldModules(cache, clock.now());
  const draft = await mkdtemp(path.join(cache, draftPrefix));
  try {
    for (const [name, bytes] of files) await writeFile(path.join(draft, name), bytes);
    const ran = await runNpm(draft, packages, installScripts, ports);
    if (!ran.ok) return ran;
    await makeReadOnly(path.join(draft, "node_modules"));
    await keepStamps(draft);
    await rename(draft, place);
    return succeed(null);
  } catch (error) {
    // Somebody else was quicker.
    if (await isFolder(path.join(place, "node_modules"))) return succeed(null);
    throw error;
  } finally {
    if (await isFolder(draft)) await removeReadOnly(draft);
  }
}

async function runNpm(
  folder: string,
  packages: number,
  installScripts: boolean,
  { env, signal, clock, onProgress }: ModulesPorts,
): Promise<Result<null, ModulesFault>> {
  let fetched = 0;
  const quiet = ["--no-audit", "--no-fund", "--no-progress", "--no-update-notifier", "--loglevel=http"];
  const scripts = installScripts ? "--ignore-scripts=false" : "--ignore-scripts";
  const { how, exitCode, output } = await runProgram({
    file: "npm",
    args: ["ci", scripts, "--include=dev", "--prefer-offline", ...quiet],
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
  if (how === "cancelled") return fail("cancelled", "It was cancelled");
  if (how === "not-started")
    return fail("no_npm", "npm is not installed, or not on the PATH; it comes with Node.js");
  if (how === "timeout") return fail("offline", "npm did not finish within ten minutes");
  return exitCode === 0 ? succeed(null) : whatNpmSays(output);
}

/** Which npm project started this process is nothing to npm in a fixture. */
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
      `npm could not reach its registry (${code}). What the fixture depends on is fetched once, and kept: try again with a connection`,
    );
  const said = output
    .split("\n")
    .filter((line) => /^npm (?:error|ERR!)/u.test(line) && !line.includes("_logs"));
  const words = said.map((line) => line.replace(/^npm (?:error|ERR!)\s*/u, "")).join(" ");
  return fail(
    "install_failed",
    `npm could not install what the fixture depends on: ${cutMiddle(cleanText(words), 500)}`,
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
