import { type PurserPaths, repositoryRoot } from "../../base/paths.ts";
import { type Clock, TtlCache } from "../../base/timing.ts";
import type { Sentence } from "../../base/language.ts";
import type { CallGuardPorts } from "../calls/calls-handler.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { LoadedRules } from "../user-rules/loaded-rules.ts";
import { FolderTrust } from "../../settings/folder-trust.ts";
import { projectFilesAt, guardFileAt } from "./project-files.ts";
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
}

interface RuleJudge {
  readonly rules: LoadedRules;
  readonly folders: FolderTrust;
  readonly calls: Pick<CallGuardPorts, "judge" | "contextOf">;
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
}: RuleJudgeInput): RuleJudge {
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
    trust: projectTtl,
    now: () => performance.now(),
  });
  return {
    rules,
    folders,
    calls: {
      judge: (call, context) => {
        if (!readsFiles) return rules.judge(call, context);
        const readText = projectTextReader(context.project);
        const readScript = scriptTextReader(() => performance.now());
        return rules.judge(call, { ...context, readText, readScript, namesIn: namesInFolder });
      },
      contextOf: (folder): ShellContext => ({
        folder,
        home: userHome,
        project: folder === null ? null : projects.get(folder),
        temporary,
      }),
    },
  };
}
