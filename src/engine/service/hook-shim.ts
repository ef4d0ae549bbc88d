import { homedir } from "node:os";
import path from "node:path";
import { hookPrograms, forwardedVariables, type HookCaller, type HookProgram } from "../hooks/program.ts";
import { readBuildStamp } from "./build-stamp.ts";
import { callerOf } from "../hooks/caller.ts";
import { BodyGatherer, parseBody, type HookBody } from "../hooks/server/body.ts";
import { isPersonAsked, limitOf } from "./hooks/time-limits.ts";
import { postHook, readHookEndpoint, type HookEndpoint, type HookPost } from "../hooks/server/post.ts";
import { probeIn, probeText } from "../hooks/probe.ts";
import { spoolHook } from "../hooks/spool/spooling.ts";
import { isToldElsewhere } from "../hooks/told-elsewhere.ts";
import { purserPaths, type PurserPaths } from "../base/disk/home.ts";

/**
 * The program of hooks that must be commands: delivers the agent's input to the service, and the service's answer to the agent. It
 * starts for every such hook, so it loads next to nothing; and whatever happens it exits with success, in time, and prints nothing
 * that the service did not answer. `node hook.cjs [--purser-hook=AGENT:EVENT]`.
 */

/** How often a hook that waits for a person checks that the agent still runs. Milliseconds. */
const lookForAgent = 2000;
/**
 * Least time for a hook, even if starting took it all: on so busy a system the agent is slow too, and spooling is quick.
 * Milliseconds.
 */
const least = 250;
/**
 * Events that wait for a service that is just starting: limits apply to a prompt, and guard rules to a call, whether or not a service ran
 * before. In the agents' own names.
 */
const waiting = new Set([
  "UserPromptSubmit",
  "BeforeAgent",
  "PreToolUse",
  "BeforeTool",
  "PreSkillShellCommand",
]);
/** Time of their hooks that remains when they stop waiting, so as to note that the service was late and spool. Milliseconds. */
const reserve = 300;
const lookAgain = 20;

interface HookArguments {
  readonly program: HookProgram;
  readonly event: string;
}

function argumentsIn(argument = ""): HookArguments {
  const { program, event = "" } =
    /^--purser-hook=(?<program>[\w-]+):(?<event>\w+)$/u.exec(argument)?.groups ?? {};
  return { program: hookPrograms.find((each) => each === program) ?? "claude-code", event };
}

/** Spools the input that has been read and not yet delivered. */
let leave: (() => void) | undefined;

function end(): never {
  try {
    leave?.();
  } catch {
    // The hook is lost: the agent's session is worth more than our record of it.
  }
  process.exit(0);
}

async function main({ program, event }: HookArguments): Promise<void> {
  const userHome = homedir();
  const home = purserPaths({ env: process.env, home: userHome });
  const at = Date.now();
  const id = `${at.toString(36)}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const gatherer = new BodyGatherer();
  // If the agent is too slow to send everything, the beginning suffices to record that the hook happened.
  const spool = (hook: unknown, caller: HookCaller) => spoolHook(home.spool, { caller, hook, id, at });
  leave = () => spool(parseBody({ bytes: gatherer.end().bytes, isCut: true }), program);
  const told = await readInput(gatherer);
  const input = parseBody(told);
  const caller = callerOf(program, input, process.env);
  if (isToldElsewhere({ program, caller, hook: input }, { env: process.env, home: userHome })) return;
  leave = () => spool(input, caller);
  const hook = { program: caller, id, body: told.bytes, isCut: told.isCut, headers: ownHeaders() };
  const endpoint = readHookEndpoint(home.record);
  let answer = endpoint === null ? null : await postHook(endpoint, hook);
  const probe = probeIn(input);
  if (probe !== null) {
    await print(answer ?? probeText({ session: probe, caller, servicePid: null }));
    return;
  }
  if (answer === null && event !== "SessionEnd") {
    const isAwaited = await startService(home, userHome);
    if (isAwaited && waiting.has(event)) answer = await deliverToNext({ home, userHome }, hook, endpoint);
  }
  if (answer === null) leave();
  leave = undefined;
  if (answer === null) return;
  await print(answer);
  if (endpoint !== null && event !== "SessionEnd") await offerSuccessor(home, userHome, endpoint);
}

/**
 * Delivers the hook to the service that is just starting, recognized by a new address. Null when none starts in time. A service that ended
 * a moment after its start, with or without the hook, is started again as soon as that may be.
 */
async function deliverToNext(
  { home, userHome }: { readonly home: PurserPaths; readonly userHome: string },
  hook: HookPost,
  before: HookEndpoint | null,
): Promise<string | null> {
  const deadline = limitOf(hookArguments.event) - reserve;
  let asked = before?.address;
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, lookAgain));
    const endpoint = readHookEndpoint(home.record);
    if (endpoint === null || endpoint.address === asked) {
      await startService(home, userHome);
      continue;
    }
    const answer = await postHook(endpoint, hook);
    if (answer !== null) return answer;
    asked = endpoint.address;
  }
  const { noteLate } = await import("./hooks/start.ts");
  noteLate(home);
  return null;
}

/** Headers with the facts from the agent's environment that hooks posted by the agent itself carry too. */
function ownHeaders(): string[] {
  return Object.entries(forwardedVariables).flatMap(([header, name]) => {
    const value = process.env[name] ?? "";
    return /^[\w-]{1,40}$/u.test(value) ? [`${header}: ${value}`] : [];
  });
}

/** Reads standard input as a stream: a blocking read in one of Node's threads would keep the process from ending. */
function readInput(body: BodyGatherer): Promise<HookBody> {
  return new Promise((resolve, reject) => {
    process.stdin.on("data", (chunk: Buffer) => body.add(chunk));
    process.stdin.once("end", () => resolve(body.end()));
    process.stdin.once("error", reject);
  });
}

/** Opens standard output only to print something: that takes a while too. */
function print(answer: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (answer === "") {
      resolve();
      return;
    }
    process.stdout.once("error", reject);
    process.stdout.write(answer, () => resolve());
  });
}

/** Starts the service for the next hook. Returns whether it is worth waiting for. */
async function startService(home: PurserPaths, userHome: string): Promise<boolean> {
  const { beginService } = await import("./hooks/start.ts");
  return await beginService({ home, program: serviceProgram(), userHome, env: process.env, now: Date.now() });
}

/** Starts a successor if the running service is another build; it takes over if it is newer. The agent already has its answer. */
async function offerSuccessor(home: PurserPaths, userHome: string, { build }: HookEndpoint): Promise<void> {
  const own = readBuildStamp(path.dirname(import.meta.filename));
  if (own === null || own.hash === build) return;
  const { offerSuccessor: offer } = await import("./hooks/start.ts");
  const program = serviceProgram();
  await offer({ home, program, userHome, env: process.env, now: Date.now() }, `${own.hash} ${build ?? ""}`);
}

function serviceProgram(): string {
  const folder = path.dirname(import.meta.filename);
  return path.join(folder, import.meta.filename.endsWith(".ts") ? "main.ts" : "service.cjs");
}

const hookArguments = argumentsIn(process.argv[2]);
setTimeout(end, Math.max(least, limitOf(hookArguments.event) - performance.now()));
if (isPersonAsked(hookArguments.event)) {
  const agent = process.ppid;
  setInterval(() => {
    if (process.ppid !== agent) end();
  }, lookForAgent);
}
process.on("uncaughtException", end);
void main(hookArguments).then(end, end);
