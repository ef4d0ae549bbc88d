import type { PurserPaths } from "../../base/disk/home.ts";
import type { Clock } from "../../base/timing/clock.ts";
import { TtlCache } from "../../base/ttl-cache.ts";
import type { CallGuardPorts } from "../../guard/calls/handler.ts";
import type { ShellContext } from "../../guard/commands/invocation.ts";
import type { OutputGuardPorts } from "../../guard/output/handler.ts";
import { LoadedRules } from "../../guard/user-rules/loaded-rules.ts";
import type { VoicePorts } from "../../guard/voice.ts";
import type { WasteGuardPorts } from "../../guard/waste/handler.ts";
import type { WorkPorts } from "../../guard/work/handler.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import { FolderTrust } from "./folder-trust.ts";
import { endedCallPorts, type EndedCallPorts } from "./after-calls.ts";
import { guardFileAt } from "./guard-file.ts";
import { lookForWaste } from "./look-for-waste.ts";
import { projectFilesAt } from "./project-files.ts";
import { createOutputGuard, type OutputGuardInput } from "./outputs/create.ts";
import { repositoryRoot } from "./repository-root.ts";
import type { WindowSettings } from "../../settings/editor-window.ts";
import type { LedgerHost } from "../ledger/host.ts";

interface CallGuardInput {
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly clock: Clock;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly temporary: string;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

interface GuardInput extends CallGuardInput, OutputGuardInput {
  readonly home: CallGuardInput["home"] & OutputGuardInput["home"];
}

/** The ports of the guards on calls, on outputs and on waste. */
interface GuardPorts {
  /** Takes what a window tells of its folders. */
  readonly setWindow: (window: WindowSettings) => void;
  /** Whether the user wants nothing of a rule on a text in a folder; for `GuardVoice`. */
  readonly isExcepted: VoicePorts["isExcepted"];
  readonly calls: Omit<CallGuardPorts, "memory" | "now" | "isOn" | "modeOf">;
  readonly outputs: Omit<OutputGuardPorts, "modeOf" | "now">;
  readonly ended: EndedCallPorts;
  /** Records the state of a session's turn, in the background. */
  readonly recordStates: WorkPorts["record"];
  readonly waste: Omit<WasteGuardPorts, "voice" | "memory" | "now" | "modeOf" | "isExcepted">;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Makes the ports of the guards on calls and on outputs. */
export function createGuards(input: GuardInput): GuardPorts {
  const guards = createCallGuards(input);
  const { isExcepted, calls } = guards;
  const outputs = { ...createOutputGuard(input, calls.contextOf), isExcepted, record: calls.record };
  return { ...guards, outputs };
}

/** Makes the ports of the guards on calls, which need no more than what tells the rules. */
export function createCallGuards({
  home,
  clock,
  userHome,
  platform,
  temporary,
  ledger,
  onProblem,
}: CallGuardInput): Omit<GuardPorts, "outputs"> {
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
  const recorder = (what: string) => (entries: readonly LedgerEntry[]) => {
    ledger.append(entries).then(
      (done) => {
        if (!done.ok) onProblem(`The ledger has not ${what}: ${done.detail}`);
      },
      (error: unknown) => onProblem(`The ledger has not ${what}: ${String(error)}`),
    );
  };
  const record = recorder("what guard rules did");
  const isExcepted: VoicePorts["isExcepted"] = (rule, text, folder) =>
    rules.isExcepted(rule, text, contextOf(folder));
  return {
    setWindow: (window) => folders.report(window),
    isExcepted,
    recordStates: recorder("the state of a session"),
    calls: { judge: (call, context) => rules.judge(call, context), contextOf, record },
    ended: endedCallPorts(contextOf, onProblem),
    waste: { ...lookForWaste(contextOf), record },
  };
}
