import path from "node:path";
import type { SessionMemory } from "../../base/per-session.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { Loops, type LoopPorts } from "../loops/loops-handler.ts";
import { noDebt, type VerificationDebt } from "../verification/debt.ts";
import { Verification, type VerificationPorts } from "../verification/verification-handler.ts";
import type { FindingDelivery } from "../delivery.ts";
import type { AdaptedParameters } from "../work/parameters.ts";
import type { ReadCommand } from "../work/command-facts.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../base/result.ts";
import { TtlCache } from "../../base/timing.ts";
import {
  projectChecks,
  projectFiles,
  type ProjectCheck,
  type ProjectTexts,
} from "../verification/project-checks.ts";

/** A longer file counts as one that is only there. Bytes. */
const longest = 512 * 1024;
/** Time for which a folder is not read again. Milliseconds. */
const trust = 30_000;

interface ChecksInput {
  /** Returns the root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string | null;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Returns a function that finds the checks of the project of a folder: those of the folder itself, then those of the project's root. */
export function checksOnDisk({
  projectOf,
  elapsed,
  onProblem,
}: ChecksInput): (folder: string | null) => Promise<readonly ProjectCheck[]> {
  const known = new TtlCache((folder: string) => readProject(folder, onProblem).then(projectChecks), {
    trust,
    now: elapsed,
  });
  return async (folder) => {
    if (folder === null || !path.isAbsolute(folder)) return [];
    const root = projectOf(folder);
    const own = await known.get(folder);
    const above = root === null || root === folder ? [] : await known.get(root);
    return [...own, ...above.filter(({ kind }) => !own.some((each) => each.kind === kind))];
  };
}

async function readProject(folder: string, onProblem: ChecksInput["onProblem"]): Promise<ProjectTexts> {
  const found = await Promise.all(
    Object.entries(projectFiles).map(async ([name, part]) => {
      const text = await textOf(path.join(folder, name), part === "text", onProblem);
      return text === null ? [] : [[name, text] as const];
    }),
  );
  return new Map(found.flat());
}

/** Returns null for what is no file. A pipe with such a name is never opened. */
async function textOf(
  file: string,
  isRead: boolean,
  onProblem: ChecksInput["onProblem"],
): Promise<string | null> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return null;
    return isRead && found.size <= longest ? await readFile(file, "utf8") : "";
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      onProblem(`The checks of a project are not known: ${file}: ${code}`);
    return null;
  }
}

/** What guards that compare ended calls need of the machine. */
export interface EndedCallPorts {
  readonly read: ReadCommand;
  /** Whether a command line runs a check of the project; no check is known while the code that reads them is loaded. */
  readonly isCheck: (command: string) => boolean;
  readonly checksOf: VerificationPorts["checksOf"];
}

/** Makes these ports. The code that reads command lines is loaded with the first of them. */
export function endedCallPorts(
  contextOf: (folder: string | null) => ShellContext,
  onProblem: (message: string) => void,
): EndedCallPorts {
  let loaded: typeof import("../work/read-command.ts").readCommand | null = null;
  const load = async () => {
    const { readCommand } = await import("../work/read-command.ts");
    loaded = readCommand;
    return readCommand;
  };
  return {
    read: (command, folder, shell) =>
      loaded === null
        ? load().then((readCommand) => readCommand(command, contextOf(folder), shell))
        : loaded(command, contextOf(folder), shell),
    isCheck: (command) => {
      if (loaded !== null) return loaded(command, contextOf(null), "posix").checks.length > 0;
      load().catch((error: unknown) => onProblem(String(error)));
      return false;
    },
    checksOf: checksOnDisk({
      projectOf: (folder) => contextOf(folder).project,
      elapsed: () => performance.now(),
      onProblem,
    }),
  };
}

export interface EndedCallGuards {
  /** Returns the rule of the loop that a session is in; null for none. */
  readonly loopOf: (session: string) => string | null;
  readonly debtOf: (session: string) => VerificationDebt;
  readonly checksOf: VerificationPorts["checksOf"];
}

/** Without guards nothing is known to be unverified. */
export const noEndedCallGuards: EndedCallGuards = {
  loopOf: () => null,
  debtOf: () => noDebt,
  checksOf: () => Promise.resolve([]),
};

/** Registers the guards that compare ended calls. Returns what other handlers ask them. */
export function registerEndedCallGuards(
  hooks: Pick<HookService, "register">,
  ports: Omit<EndedCallPorts, "isCheck"> & {
    readonly delivery: FindingDelivery;
    readonly memory: Pick<SessionMemory, "part">;
    /** The mode of rules on loops for sessions of a folder. */
    readonly modeOf: LoopPorts["modeOf"];
    /** The thresholds that the state of a session asks for. */
    readonly parametersOf: (session: string) => AdaptedParameters;
  },
): EndedCallGuards {
  const verification = new Verification({
    ...ports,
    threshold: (session) => ports.parametersOf(session).editsBeforeTelling,
  });
  hooks.register(verification.handler);
  const loops = new Loops({
    ...ports,
    thresholds: (session) => {
      const { repeatsBeforeTelling: repeats, readsBeforeTelling: looks } = ports.parametersOf(session);
      // One more try after a failure is work in any phase.
      return { repeats: Math.max(3, repeats), looks };
    },
  });
  hooks.register(loops.handler);
  return {
    loopOf: (session) => loops.of(session),
    debtOf: (session) => verification.of(session),
    checksOf: ports.checksOf,
  };
}
