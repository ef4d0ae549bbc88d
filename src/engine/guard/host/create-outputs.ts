import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import type { DisposableList } from "../../base/events.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { errorCode } from "../../base/result.ts";
import { type Clock, TtlCache } from "../../base/timing.ts";
import { anyShell } from "../../hooks/install.ts";
import { RepeatedProblems } from "../../hooks/hooks-handler.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { findRivalHooks, isFor } from "../output/rival-hooks.ts";
import type { FollowUpPorts } from "../output/follow-ups.ts";
import type { OutputGuardPorts } from "../output/output-handler.ts";
import { StoredOutputs } from "./stored-outputs.ts";

export interface OutputGuardInput {
  readonly home: Pick<PurserPaths, "outputs">;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** A program in the CLI's folder. */
  readonly learnWorker: string;
  readonly owned: Pick<DisposableList, "add">;
  readonly onProblem: (message: string) => void;
}

/** The ports of the guard on outputs that use files. */
export interface OutputFilePorts
  extends
    Pick<OutputGuardPorts, "compress" | "hasRival" | "store" | "elapsed" | "onProblem">,
    Pick<FollowUpPorts, "storedOutputsIn" | "hitOf"> {
  /** Loads the code that shortens outputs, so that the first long output does not wait for it. */
  readonly load: () => Promise<void>;
}

/** Cache lifetimes of settings files and of paths of programs. Milliseconds. */
const ttl = { rivals: 5000, programs: 60_000 };
/** Delays before old originals are removed, the first and the next. Milliseconds. */
const pruneAfter = { first: 10_000, next: 60 * 60_000 };

const load = async () => await import("../output/compress-from.ts");

export function createOutputGuard(
  { home, clock, env, userHome, platform, learnWorker, owned, onProblem: report }: OutputGuardInput,
  contextOf: (folder: string | null) => ShellContext,
): OutputFilePorts {
  const problems = new RepeatedProblems(report, () => clock.now());
  const onProblem = (message: string) => problems.add("outputs", message);
  const files = new StoredOutputs({ folder: home.outputs, now: () => clock.now() });
  const elapsed = () => performance.now();
  const rivals = new TtlCache(
    (folder) => findRivalHooks(folder === "" ? null : folder, { env, home: userHome }),
    { trust: ttl.rivals, now: elapsed },
  );
  const programs = new TtlCache((name) => isInPath(name, env, platform), {
    trust: ttl.programs,
    now: elapsed,
  });
  const cli = path.join(path.dirname(learnWorker), "cli.cjs");
  const prune = () => {
    files.prune().catch((error: unknown) => onProblem(`Kept outputs were not removed: ${String(error)}`));
  };
  const first = setTimeout(prune, pruneAfter.first).unref();
  const next = setInterval(prune, pruneAfter.next).unref();
  owned.add({
    dispose: () => {
      clearTimeout(first);
      clearInterval(next);
    },
  });
  return {
    load: async () => {
      await load();
    },
    compress: async (output, source, isSuccess) =>
      (await load()).compressFrom(output, source, contextOf(null), isSuccess),
    storedOutputsIn: async (command) => (await load()).storedOutputsIn(command, contextOf(null)),
    hasRival: (program, folder, tool) =>
      program === "claude-code" && rivals.get(folder ?? "").some(({ matcher }) => isFor(matcher, tool)),
    store: {
      keep: async (text, about) => {
        const stored = await files.keep(text, about);
        if (!stored.ok)
          onProblem(`Outputs are not shortened, as originals cannot be stored: ${stored.detail.text}`);
        return stored.ok ? stored.value : null;
      },
      forget: (id) => files.forget(id),
      place: (id) => {
        if (programs.get("purser")) return `purser output ${id} [--lines A-B]`;
        if (existsSync(cli) && programs.get("node"))
          return `node ${anyShell(cli)} output ${id} [--lines A-B]`;
        return files.fileOf(id);
      },
    },
    hitOf: async (id) => (await files.head(id))?.hit ?? null,
    elapsed,
    onProblem,
  };
}

function isInPath(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  const isWindows = platform === "win32";
  const names = isWindows ? [`${program}.exe`, `${program}.cmd`] : [program];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(isWindows ? ";" : ":");
  return folders.some(
    (folder) => folder !== "" && names.some((name) => isExecutable(path.join(folder, name))),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    errorCode(error);
    return false;
  }
}
