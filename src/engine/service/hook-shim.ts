import { homedir, tmpdir } from "node:os";
import path from "node:path";
import {
  callerOf,
  probeIn,
  probeText,
  entryHeader,
  hookPrograms,
  forwardedVariables,
  isJudgedBefore,
  type HookCaller,
  type HookProgram,
} from "../hooks/program.ts";
import { readBuildStamp } from "./build-stamp.ts";
import {
  type HookBody,
  parseBody,
  BodyGatherer,
  type SpooledHook,
  spoolHook,
  isReportedElsewhere,
  writeLatePrompt,
  postHook,
  readHookEndpoint,
  type HookEndpoint,
  type HookPost,
} from "../hooks/server.ts";
import { coldPromptEnd, isForPerson, limitOf, unansweredTimes } from "./launch/time-limits.ts";
import type { judgeUnanswered, Unanswered } from "../guard/unanswered.ts";
import { notJudged } from "../guard/unjudged-calls.ts";
import { purserPaths, type PurserPaths } from "../base/paths.ts";
import { isObject } from "../base/parse.ts";
import { mayBeHard, mayBeRequired } from "../settings/shape.ts";

/**
 * The program of command hooks: `node hook.cjs [--purser-hook=AGENT:EVENT [--patient] [--late] [--script]]`. It loads next to nothing. It always
 * exits with success, in time. It prints the service's answer, or what guard rules decide about a call that no service has judged.
 * `--patient`: the agent waits for 20 s. `--late`: the service was already waited for. `--script`: the caller is `hook.sh`, which wants to know of a call that was not judged.
 */

const lookForAgent = 2000;
/** Even if starting took all the time: on such a busy system the agent is slow too, and spooling is quick. Milliseconds. */
const minWaitMs = 250;
/** In the agents' own names. Hard limits apply to a prompt, whether or not a service ran before. */
const prompts = new Set(["UserPromptSubmit", "BeforeAgent"]);
/** When a prompt or a call no longer waits for a service that is just starting, so as to note that it was late. Milliseconds. */
const maxStartMs = 3200;
const lookAgain = 20;
const notJudgedCode = 3;
/** Agents treat it as a denial. */
const deniedCode = 2;
/** How long `hook.sh` waits for a service. Milliseconds. */
const lateMs = 3000;

interface Folders {
  readonly home: PurserPaths;
  readonly userHome: string;
}

interface HookArguments {
  readonly program: HookProgram;
  readonly event: string;
}

function argumentsIn(argument = ""): HookArguments {
  const { program, event = "" } =
    /^--purser-hook=(?<program>[\w-]+):(?<event>\w+)$/u.exec(argument)?.groups ?? {};
  return { program: hookPrograms.find((each) => each === program) ?? "claude-code", event };
}

const hookArguments = argumentsIn(process.argv[2]);

/** Since the agent started the hook. Milliseconds. */
function sinceStart(): number {
  return performance.now() + (process.argv.includes("--late") ? lateMs : 0);
}

/** The agent waits for long, and the call must be judged. */
const isPatient =
  process.argv.includes("--patient") && mayBeRequired(purserPaths({ env: process.env, home: homedir() }));

/** For the ledger: a call that no rule would have stopped, and one that is stopped unjudged. */
const unguarded = { outcome: "none", rule: null, hits: [] };
const denied = { outcome: "deny", rule: notJudged.alone, hits: [] };

/** Spools input that has been read and not yet delivered. */
let leave: (() => void) | undefined;
let isSent = false;
/** Whether the agent has, or needs, no answer about the call. */
let isSettled = !isJudgedBefore(hookArguments.event);

/** Whether the call is denied because nothing has judged it: by the script, or here. */
function isDenied(): boolean {
  return !isSettled && mayBeRequired(purserPaths({ env: process.env, home: homedir() }));
}

/** Tells the script that nothing has judged the call, which may have to be denied then. Agents would show it as an error. */
function exitCode(): number {
  if (isSettled) return 0;
  if (process.argv.includes("--script")) return notJudgedCode;
  if (!isDenied()) return 0;
  process.stderr.write(
    "Context Purser could not judge this call, and a guard is required. Find out why: purser doctor\n",
  );
  return deniedCode;
}

function end(): never {
  try {
    leave?.();
  } catch {
    // The hook is lost: the agent's session is worth more than our record of it.
  }
  process.exit(exitCode());
}

async function main({ program, event }: HookArguments): Promise<void> {
  const userHome = homedir();
  const home = purserPaths({ env: process.env, home: userHome });
  const startedAt = Date.now();
  const id = `${startedAt.toString(36)}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const gatherer = new BodyGatherer();
  // If the agent is too slow to send everything, the beginning suffices to record that the hook happened.
  const spool = (hook: unknown, by: HookCaller, judged?: SpooledHook["judged"]) =>
    spoolHook(home.spool, {
      caller: by,
      hook,
      id,
      at: startedAt,
      judged: judged ?? (isDenied() ? denied : undefined),
    });
  leave = () => spool(parseBody({ bytes: gatherer.end().bytes, isCut: true }), program);
  const hookInput = await readInput(gatherer);
  const input = parseBody(hookInput);
  // A service that ended in the middle of its answer took the input with it.
  if (!isObject(input)) {
    leave = undefined;
    if (hookArguments.event !== "SessionEnd") await startService(home, userHome);
    return;
  }
  const caller = callerOf(program, input, process.env);
  if (isReportedElsewhere({ program, caller, hook: input }, { env: process.env, home: userHome })) {
    isSettled = true;
    return;
  }
  const hook = { program: caller, id, body: hookInput.bytes, isCut: hookInput.isCut, headers: ownHeaders() };
  const probe = probeIn(input);
  leave = () => {
    if (probe !== null) return;
    const isLate = prompts.has(event) && !isSent && !hookInput.isCut && isObject(input);
    if (!isLate) spool(input, caller);
    else
      writeLatePrompt(home.prompts, {
        ...hook,
        caller,
        at: startedAt,
        body: hookInput.bytes.toString("utf8"),
      });
  };
  const endpoint = readHookEndpoint(home.record);
  if (probe !== null) {
    const answer = endpoint === null ? null : await postHook(endpoint, hook);
    isSettled = true;
    await print(answer ?? probeText({ session: probe, caller, servicePid: null }));
    return;
  }
  // If no service can start, as on a full disk, none answers.
  const delivered = deliver({ home, userHome }, hook, endpoint).catch(() => null);
  let answer = await (isJudgedBefore(event)
    ? Promise.race([delivered, at(unansweredTimes.from)])
    : delivered);
  if (answer === null && isJudgedBefore(event)) {
    const entry = process.env[forwardedVariables[entryHeader]];
    const own = judgeAlone({ home, userHome, caller, input, entry });
    // A failure counts only if the service does not answer in the meantime.
    own.catch(() => undefined);
    answer = await Promise.race([delivered, at(unansweredTimes.service)]);
    const judged = answer === null ? await own : null;
    isSettled = true;
    if (answer === null) leave = () => spool(input, caller, judged ?? unguarded);
    if (judged !== null) await print(judged.text);
  }
  if (answer === null) leave();
  else isSettled = true;
  leave = undefined;
  if (answer === null) return;
  await print(answer);
  if (endpoint !== null && event !== "SessionEnd") await offerSuccessor(home, userHome, endpoint);
}

async function deliver(
  folders: Folders,
  hook: HookPost,
  endpoint: HookEndpoint | null,
): Promise<string | null> {
  const { event } = hookArguments;
  const answer = endpoint === null ? null : await postHook(endpoint, hook);
  if (answer !== null || event === "SessionEnd") return answer;
  const isAwaited = await startService(folders.home, folders.userHome);
  if (!isAwaited || !(prompts.has(event) || isJudgedBefore(event))) return null;
  const next = deliverToNext(folders, hook, endpoint);
  return prompts.has(event) && !mayBeHard(folders.home)
    ? await Promise.race([next, at(coldPromptEnd(performance.nodeTiming.bootstrapComplete))])
    : await next;
}

async function judgeAlone(
  call: Folders & Pick<Unanswered, "caller" | "input" | "entry">,
): ReturnType<typeof judgeUnanswered> {
  const { judgeUnanswered: judge } = await import("../guard/unanswered.ts");
  const program = programBeside("call-worker.cjs", "../guard/host/call-worker.ts");
  return await judge({
    ...call,
    temporary: tmpdir(),
    program,
    isOver: at(isPatient ? unansweredTimes.patientEnd : unansweredTimes.end),
  });
}

/** Null at a time since the process started. Milliseconds. */
function at(time: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), Math.max(0, time - sinceStart())));
}

/**
 * A new address shows the starting service. Null if none starts in time. A service that ends right after its start, with or without the hook, is
 * started again as soon as allowed.
 */
async function deliverToNext(
  { home, userHome }: Folders,
  hook: HookPost,
  before: HookEndpoint | null,
): Promise<string | null> {
  let asked = before?.address;
  while (sinceStart() < maxStartMs) {
    await new Promise((resolve) => setTimeout(resolve, lookAgain));
    const endpoint = readHookEndpoint(home.record);
    if (endpoint === null || endpoint.address === asked) {
      await startService(home, userHome);
      continue;
    }
    isSent = true;
    const answer = await postHook(endpoint, hook);
    if (answer !== null) return answer;
    isSent = false;
    asked = endpoint.address;
  }
  const { noteLate } = await import("./launch/start-for-hook.ts");
  noteLate(home);
  return null;
}

/** Facts from the agent's environment that hooks posted by the agent itself carry too. */
function ownHeaders(): string[] {
  return Object.entries(forwardedVariables).flatMap(([header, name]) => {
    const value = process.env[name] ?? "";
    return /^[\w-]{1,40}$/u.test(value) ? [`${header}: ${value}`] : [];
  });
}

/** As a stream: a blocking read in one of Node's threads would keep the process from ending. */
function readInput(body: BodyGatherer): Promise<HookBody> {
  return new Promise((resolve, reject) => {
    process.stdin.on("data", (chunk: Buffer) => body.add(chunk));
    process.stdin.once("end", () => resolve(body.end()));
    process.stdin.once("error", reject);
  });
}

/** Standard output is opened only to print something: that takes a while too. */
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

/** For the next hook. Returns whether it is worth waiting for. */
async function startService(home: PurserPaths, userHome: string): Promise<boolean> {
  const { beginService } = await import("./launch/start-for-hook.ts");
  return await beginService({ home, program: serviceProgram(), userHome, env: process.env, now: Date.now() });
}

/** A successor takes over if the running service is an older build. The agent already has its answer. */
async function offerSuccessor(home: PurserPaths, userHome: string, { build }: HookEndpoint): Promise<void> {
  const own = readBuildStamp(path.dirname(import.meta.filename));
  if (own === null || own.hash === build) return;
  const { offerSuccessor: offer } = await import("./launch/start-for-hook.ts");
  const program = serviceProgram();
  await offer({ home, program, userHome, env: process.env, now: Date.now() }, `${own.hash} ${build ?? ""}`);
}

function serviceProgram(): string {
  return programBeside("service.cjs", "main.ts");
}

function programBeside(bundle: string, source: string): string {
  const folder = path.dirname(import.meta.filename);
  return path.join(folder, import.meta.filename.endsWith(".ts") ? source : bundle);
}

setTimeout(end, Math.max(minWaitMs, limitOf(hookArguments.event, isPatient) - sinceStart()));
if (isForPerson(hookArguments.event)) {
  const agent = process.ppid;
  setInterval(() => {
    if (process.ppid !== agent) end();
  }, lookForAgent);
}
process.on("uncaughtException", end);
void main(hookArguments).then(end, end);
