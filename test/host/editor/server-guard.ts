/**
 * Runs a server so that neither it nor its folder can outlive the test that started it. The server leads its own process
 * group; the guard's standard input is a pipe from the test. When that pipe closes, because the test stopped or was
 * killed, the guard kills the whole group (the server, its extension hosts, its file watchers) and then removes the
 * folder.
 *
 * Arguments: the folder, the program, its arguments.
 */
import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

const graceful = 2_000; // ms between asking and killing
const dying = 50; // ms in which a killed process may still write

const [folder = "", command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
let stopping = false;

function signalAll(signal: "SIGTERM" | "SIGKILL"): void {
  if (server.pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(server.pid), "/T", "/F"]);
    return;
  }
  try {
    process.kill(-server.pid, signal);
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!gone) throw error;
  }
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  signalAll("SIGTERM");
  setTimeout(() => signalAll("SIGKILL"), graceful).unref();
}

function leave(): void {
  signalAll("SIGKILL");
  setTimeout(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    process.exit();
  }, dying);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
server.on("exit", leave);
server.on("error", (error) => {
  console.error(error);
  leave();
});
process.stdin.on("close", stop).resume();
