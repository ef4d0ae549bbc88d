import { spawn, type ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import { postHook, readHookEndpoint } from "../hooks/server.ts";
import { purserPaths } from "../base/paths.ts";
import { parseJson } from "../base/parse.ts";

/**
 * The program of an agent's status line: `node status-line.cjs --purser-status-line=PAYLOAD`; see `hooks/install/settings/set-status-line.ts`. It
 * shows the output of the user's own command, and forwards the agent's input to the service. The command gets every byte of the input, its output
 * goes straight to the agent, and its exit code is passed on. A failure to forward never changes the user's line.
 */
const prefix = "--purser-status-line=";
const maxBodySize = 1024 * 1024; // bytes
/** The agent waits for the line. Milliseconds. */
const maxPostMs = 300;

function ownCommand(argument = ""): string {
  const payload = argument.startsWith(prefix) ? argument.slice(prefix.length) : "";
  const parsed = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const command: unknown =
    typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "command") : "";
  return typeof command === "string" ? command : "";
}

function begin(command: string): ChildProcess | null {
  if (command === "") return null;
  const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"] });
  // The command may ignore its input.
  child.stdin.on("error", () => undefined);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => {
      child.kill(signal);
    });
  return child;
}

function ended(child: ChildProcess | null): Promise<number> {
  if (child === null) return Promise.resolve(0);
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Passes input on as it arrives. Null if it is larger than any agent sends. */
function readInput(child: ChildProcess | null): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    process.stdin.on("data", (chunk: Buffer) => {
      child?.stdin?.write(chunk);
      size += chunk.length;
      if (size <= maxBodySize) chunks.push(chunk);
    });
    const end = () => {
      child?.stdin?.end();
      resolve(size > maxBodySize ? null : Buffer.concat(chunks));
    };
    process.stdin.once("end", end);
    process.stdin.once("error", end);
  });
}

/** As one of our hooks. Does not start a service, and does not spool. */
async function report(input: Buffer | null): Promise<void> {
  if (input === null) return;
  const status = parseJson(input.toString("utf8"));
  if (typeof status !== "object" || status === null) return;
  const endpoint = readHookEndpoint(purserPaths({ env: process.env, home: homedir() }).record);
  if (endpoint === null) return;
  const id = `line-${process.pid}-${Date.now().toString(36)}`;
  const body = Buffer.from(JSON.stringify({ ...status, hook_event_name: "StatusLine" }));
  await Promise.race([
    postHook(endpoint, { program: "claude-code", id, body, isCut: false, headers: [] }),
    late(maxPostMs),
  ]);
}

function late(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time).unref());
}

async function main(): Promise<void> {
  const child = begin(ownCommand(process.argv[2]));
  const exit = ended(child);
  // Failures to post are ignored.
  const reporting = readInput(child)
    .then(report)
    .catch(() => undefined);
  const code = await exit;
  await Promise.race([reporting, late(maxPostMs)]);
  process.exit(code);
}

void main();
