/**
 * Prepares a fresh clone, on whatever Node is there (20.19 or newer): installs the packages when they are missing or
 * differ from the lock file, and finds the project's own Node among them. Imports nothing from `node_modules`.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");

/** Installs what is missing and returns the path of the Node that runs everything else. */
export function prepare() {
  if (!isInstalled()) {
    console.log("Installing packages…");
    // Not `npm ci`: it rejects a lock file that was written where a registry lacks other platforms' optional packages.
    // This installs the lock file's versions; those few are pinned by the packages that depend on them.
    runNpm("install", "--no-save", "--no-audit", "--no-fund");
  }
  let node = projectNode();
  if (node === undefined) {
    // npm runs no install scripts here, but one of them installs this binary.
    runNpm("rebuild", "--ignore-scripts=false", "node", "esbuild");
    node = projectNode();
  }
  if (node === undefined)
    stop("The package `node` has no binary for this machine. Use Node 24: https://nodejs.org");
  return node;
}

/** Runs a script of this repository on the given Node with this process's terminal, and exits with its exit code. */
export function become(node, script, args) {
  const bins = path.join(root, "node_modules", ".bin");
  const search = [path.dirname(node), bins, process.env.PATH ?? ""].join(path.delimiter);
  const child = spawn(node, [path.join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, PATH: search },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => stop(`${node} could not be started: ${error.message}`));
  child.on("exit", (status) => process.exit(status ?? 1));
}

/** Whether every package of the lock file that this machine needs is installed in its version. */
function isInstalled() {
  const wanted = readLock(path.join(root, "package-lock.json"));
  const found = readLock(path.join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined)
    stop("package-lock.json is missing or damaged. Restore it: git checkout package-lock.json");
  if (found === undefined) return false;
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (place === "") return true;
    const there = found[place];
    return there === undefined ? optional === true : there.version === version;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined; // missing, or half-written by an interrupted install
  }
}

function projectNode() {
  const folder = path.join(root, "node_modules", "node", "bin");
  return ["node.exe", "node"].map((name) => path.join(folder, name)).find((file) => existsSync(file));
}

function runNpm(...args) {
  const started = process.env.npm_execpath;
  const viaNode = started?.endsWith(".js") === true;
  const { status, error } = viaNode
    ? spawnSync(process.execPath, [started, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] })
    : spawnSync("npm", args, {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit"],
        shell: process.platform === "win32",
      });
  if (error !== undefined) stop(`npm could not be started: ${error.message}`);
  if (status !== 0) stop(`npm ${args[0]} failed; its message is above.`);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
