import { homedir } from "node:os";
import path from "node:path";
import { hookPrograms, toldVariables, type HookProgram } from "../guard/hook-program.ts";
import { postHook, readHookAddress } from "./hook-post.ts";
import { spoolHook } from "./hook-spooling.ts";
import { purserHome, type PurserHome } from "./purser-home.ts";

/**
 * The program of a hook that must be a command: hands what the agent tells to the service, and its answer to the agent. It
 * starts for every such hook, so it loads next to nothing; and whatever happens it ends well, in time, and says nothing that
 * the service did not say. `node hook.cjs [--purser-hook=AGENT:EVENT]`.
 */
const longestBody = 8 * 1024 * 1024; // bytes

/** What is left of the time that an agent gives its hooks. Unknown events may be `SessionEnd`. Milliseconds since the process began. */
const limits = { brief: 700, usual: 3500 };
/** A system that is so busy that starting took all of it is busy for the agent too: leaving the hook takes a moment. Milliseconds. */
const least = 250;

interface Told {
  readonly program: HookProgram;
  readonly event: string;
}

function toldBy(argument = ""): Told {
  const { program, event = "" } =
    /^--purser-hook=(?<program>[\w-]+):(?<event>\w+)$/u.exec(argument)?.groups ?? {};
  return { program: hookPrograms.find((each) => each === program) ?? "claude-code", event };
}

/** Leaves in the spool what was heard and nobody has taken. */
let leave: (() => void) | undefined;

function end(): never {
  try {
    leave?.();
  } catch {
    // Then it is lost: the agent's session is worth more than our record of it.
  }
  process.exit(0);
}

async function main({ program, event }: Told): Promise<void> {
  const userHome = homedir();
  const home = purserHome({ env: process.env, home: userHome });
  const body = await readInput();
  const id = `${Date.now().toString(36)}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const at = Date.now();
  leave = () => spoolHook(home.spool, { body, id, at });
  const address = readHookAddress(home.hooks);
  const answer =
    address === null ? null : await postHook({ ...address, program, id, body, told: toldHeaders() });
  if (answer === null) leave();
  leave = undefined;
  if (answer !== null) await print(answer);
  else if (event !== "SessionEnd") await startService(home, userHome);
}

/** What of the agent's environment a hook that is posted by the agent itself would tell. */
function toldHeaders(): string[] {
  return Object.entries(toldVariables).flatMap(([header, name]) => {
    const value = process.env[name] ?? "";
    return /^[\w-]{1,40}$/u.test(value) ? [`${header}: ${value}`] : [];
  });
}

/** As a stream: a read that waits in one of Node's threads would keep the process from ending. */
function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    process.stdin.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > longestBody) end();
      chunks.push(chunk);
    });
    process.stdin.once("end", () => resolve(Buffer.concat(chunks)));
    process.stdin.once("error", reject);
  });
}

/** Opened only where there is something to say: that takes a while too. */
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

/** The next hook is answered; this one does not wait for it. */
async function startService(home: PurserHome, userHome: string): Promise<void> {
  const { beginService } = await import("./hook-start.ts");
  const place = path.dirname(import.meta.filename);
  const program = path.join(place, import.meta.filename.endsWith(".ts") ? "main.ts" : "service.cjs");
  await beginService({ home, program, userHome, env: process.env, now: Date.now() });
}

const told = toldBy(process.argv[2]);
const isBrief = told.event === "" || told.event === "SessionEnd";
setTimeout(end, Math.max(least, (isBrief ? limits.brief : limits.usual) - performance.now()));
process.on("uncaughtException", end);
void main(told).then(end, end);
