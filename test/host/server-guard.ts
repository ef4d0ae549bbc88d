/**
 * Runs a server so that it cannot outlive the test that started it. The guard leads a process group of its own; its
 * standard input is a pipe from the test. When that pipe closes, because the test stopped or was killed, the whole
 * group goes: the server, its extension hosts, its file watchers.
 */
import { spawn, spawnSync } from "node:child_process";

const graceful = 2_000; // ms between asking and killing

const [command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
let stopping = false;

function killAll(): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(server.pid), "/T", "/F"]);
    process.exit();
  }
  process.kill(-process.pid, "SIGKILL");
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  if (process.platform === "win32") killAll();
  setTimeout(killAll, graceful);
  process.kill(-process.pid, "SIGTERM");
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
server.on("exit", killAll);
server.on("error", (error) => {
  console.error(error);
  killAll();
});
process.stdin.on("close", stop).resume();
