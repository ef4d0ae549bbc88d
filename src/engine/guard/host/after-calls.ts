import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { SessionMemory } from "../../base/per-session.ts";
import { errorCode } from "../../base/result.ts";
import { TtlCache } from "../../base/timing.ts";
import type { HookService } from "../../hooks/dispatch.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { FindingDelivery } from "../delivery.ts";
import { Loops, type LoopPorts } from "../loops/loops-handler.ts";
import { noDebt, type VerificationDebt } from "../verification/debt.ts";
import {
  projectChecks,
  projectFiles,
  type ProjectCheck,
  type ProjectTexts,
} from "../verification/project-checks.ts";
import { Verification, type VerificationPorts } from "../verification/verification-handler.ts";
import type { ReadCommand } from "../work/command-facts.ts";
import type { AdaptedParameters } from "../work/measures.ts";

/** The text of a larger file is not read. Bytes. */
const maxBytes = 512 * 1024;
/** Cache lifetime of a folder's checks. Milliseconds. */
const checksTtl = 30_000;

interface ChecksInput {
  /** Returns the root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string | null;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Returns a function that finds the checks of a folder: its own, then those of its project's root. */
export function checksOnDisk({
  projectOf,
  elapsed,
  onProblem,
}: ChecksInput): (folder: string | null) => Promise<readonly ProjectCheck[]> {
  const known = new TtlCache((folder: string) => readProject(folder, onProblem).then(projectChecks), {
    trust: checksTtl,
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

/** Returns null unless the path is a file. A pipe is never opened. */
async function textOf(
  file: string,
  isRead: boolean,
  onProblem: ChecksInput["onProblem"],
): Promise<string | null> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return null;
    return isRead && found.size <= maxBytes ? await readFile(file, "utf8") : "";
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      onProblem(`The checks of a project are not known: ${file}: ${code}`);
    return null;
  }
}

/** What guards on ended calls need from the machine. */
export interface EndedCallPorts {
  readonly read: ReadCommand;
  /** Whether a command line runs a check of the project; false while the code that reads it is loaded. */
  readonly isCheck: (command: string) => boolean;
  readonly checksOf: VerificationPorts["checksOf"];
}

/** Creates these ports. The code that reads command lines is loaded with the first one. */
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

export const noEndedCallGuards: EndedCallGuards = {
  loopOf: () => null,
  debtOf: () => noDebt,
  checksOf: () => Promise.resolve([]),
};

/** Registers the guards on ended calls. Returns what other handlers ask them. */
export function registerEndedCallGuards(
  hooks: Pick<HookService, "register">,
  ports: Omit<EndedCallPorts, "isCheck"> & {
    readonly delivery: FindingDelivery;
    readonly memory: Pick<SessionMemory, "part">;
    /** The mode of rules on loops for sessions of a folder. */
    readonly modeOf: LoopPorts["modeOf"];
    /** The thresholds for a session's state. */
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
