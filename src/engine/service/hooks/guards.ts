import type { PurserPaths } from "../../base/disk/home.ts";
import type { Clock } from "../../base/timing/clock.ts";
import { TtlCache } from "../../base/ttl-cache.ts";
import type { CallGuardPorts } from "../../guard/calls/handler.ts";
import type { ShellContext } from "../../guard/commands/invocation.ts";
import type { OutputObserverPorts } from "../../guard/output/observer.ts";
import { LoadedRules } from "../../guard/user-rules/loaded-rules.ts";
import type { VoicePorts } from "../../guard/voice.ts";
import { FolderTrust } from "./folder-trust.ts";
import { endedCallPorts, type EndedCallPorts } from "./after-calls.ts";
import { guardFileAt } from "./guard-file.ts";
import { projectFilesAt } from "./project-files.ts";
import { repositoryRoot } from "./repository-root.ts";
import type { WindowSettings } from "../../settings/editor-window.ts";
import type { LedgerHost } from "../ledger/host.ts";

export interface GuardInput {
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly clock: Clock;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly temporary: string;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** The ports of the guards on calls and on outputs. */
interface GuardPorts {
  /** Takes what a window tells of its folders. */
  readonly setWindow: (window: WindowSettings) => void;
  /** Whether the user wants nothing of a rule on a text in a folder; for `GuardVoice`. */
  readonly isExcepted: VoicePorts["isExcepted"];
  readonly calls: Omit<CallGuardPorts, "memory" | "now" | "isOn" | "modeOf">;
  readonly outputs: Pick<OutputObserverPorts, "compress" | "record" | "onProblem">;
  readonly ended: EndedCallPorts;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Makes the ports of the guards on calls and on outputs. */
export function createGuards({
  home,
  clock,
  userHome,
  platform,
  temporary,
  ledger,
  onProblem,
}: GuardInput): GuardPorts {
  const folders = new FolderTrust({ file: home.trustedFolders, platform, onProblem });
  const isTrusted = (root: string): boolean => folders.isTrusted(root);
  const rules = new LoadedRules({
    file: guardFileAt(home.guardRules),
    projectFiles: (root) => projectFilesAt(root, { userHome, ownFile: home.guardRules, isTrusted }),
    now: () => clock.now(),
    elapsed: () => performance.now(),
    onProblem,
  });
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), {
    trust,
    now: () => performance.now(),
  });
  const contextOf = (folder: string | null): ShellContext => ({
    folder,
    home: userHome,
    project: folder === null ? null : projects.get(folder),
    temporary,
  });
  const record: CallGuardPorts["record"] = (entries) => {
    ledger.append(entries).then(
      (done) => {
        if (!done.ok) onProblem(`The ledger has not what guard rules did: ${done.detail}`);
      },
      (error: unknown) => onProblem(`The ledger has not what guard rules did: ${String(error)}`),
    );
  };
  return {
    setWindow: (window) => folders.report(window),
    isExcepted: (rule, text, folder) => rules.isExcepted(rule, text, contextOf(folder)),
    calls: { judge: (call, context) => rules.judge(call, context), contextOf, record },
    outputs: {
      compress: async (output, command) =>
        (await import("../../guard/output/compress-command.ts")).compressCommand(
          output,
          command,
          contextOf(null),
        ),
      record,
      onProblem,
    },
    ended: endedCallPorts(contextOf, onProblem),
  };
}
