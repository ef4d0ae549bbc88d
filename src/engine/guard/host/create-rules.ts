import { type PurserPaths, repositoryRoot } from "../../base/paths.ts";
import { type Clock, TtlCache } from "../../base/timing.ts";
import type { Sentence } from "../../base/language.ts";
import type { CallGuardPorts } from "../calls/calls-handler.ts";
import type { ChangedScriptPorts } from "../calls/changed-scripts.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { LoadedRules } from "../user-rules/loaded-rules.ts";
import { FolderTrust } from "../../settings/folder-trust.ts";
import { projectFilesAt, guardFileAt } from "./project-files.ts";
import { ScriptLooks } from "./script-looks.ts";
import { namesInFolder, projectTextReader, scriptTextReader } from "./script-text.ts";

export interface RuleJudgeInput {
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly clock: Clock;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly temporary: string;
  readonly onProblem: (message: Sentence) => void;
  /** Whether scripts and files of statements are read. False during a replay, when they may have changed. */
  readonly readsFiles?: boolean | undefined;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed?: () => number;
}

interface RuleJudge {
  readonly rules: LoadedRules;
  readonly folders: FolderTrust;
  readonly calls: Pick<CallGuardPorts, "judge" | "contextOf"> & Pick<ChangedScriptPorts, "changedSince">;
}

/** Cache lifetime of a folder's project. Milliseconds. */
const projectTtl = 60_000;

/** Creates what judges calls by purser's rules, the user's, and those of the call's project. */
export function createRuleJudge({
  home,
  clock,
  userHome,
  platform,
  temporary,
  onProblem,
  readsFiles = false,
  elapsed = () => performance.now(),
}: RuleJudgeInput): RuleJudge {
  const looks = new ScriptLooks(elapsed);
  const folders = new FolderTrust({ file: home.trustedFolders, platform, onProblem });
  const isTrusted = (root: string): boolean => folders.isTrusted(root);
  const rules = new LoadedRules({
    file: guardFileAt(home.guardRules),
    projectFiles: (root) => projectFilesAt(root, { userHome, ownFile: home.guardRules, isTrusted }),
    now: () => clock.now(),
    elapsed,
    onProblem,
  });
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), {
    trust: projectTtl,
    now: elapsed,
  });
  return {
    rules,
    folders,
    calls: {
      judge: (call, context, by) => {
        if (!readsFiles) return rules.judge(call, context);
        if (by !== undefined) looks.note(by.session, context.folder, call);
        const readText = projectTextReader(context.project);
        const isOwnScript = (file: string) => by !== undefined && looks.isWritten(by.session, file);
        const stored = scriptTextReader(elapsed, isOwnScript);
        const readScript = readOnce((file) => {
          const text = stored(file);
          if (by === undefined) return text;
          if (by.use !== undefined) looks.look(by.use, file, text);
          return looks.textOf(by.session, file, text);
        });
        const namesIn = readOnce(namesInFolder);
        return rules.judge(call, { ...context, readText, readScript, isOwnScript, namesIn });
      },
      changedSince: (use) => looks.changedSince(use, scriptTextReader(elapsed)),
      contextOf: (folder): ShellContext => ({
        folder,
        home: userHome,
        project: folder === null ? null : projects.get(folder),
        temporary,
      }),
    },
  };
}

/** Returns a function that reads each name once. */
function readOnce<Read>(read: (name: string) => Read): (name: string) => Read {
  const known = new Map<string, { readonly value: Read }>();
  return (name) => {
    const found = known.get(name) ?? { value: read(name) };
    known.set(name, found);
    return found.value;
  };
}
