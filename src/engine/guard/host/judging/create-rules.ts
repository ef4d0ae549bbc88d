import { type PurserPaths, repositoryRoot } from "../../../base/paths.ts";
import { type Clock, TtlCache } from "../../../base/timing.ts";
import type { Sentence } from "../../../base/language.ts";
import type { CallGuardPorts } from "../../calls/calls-handler.ts";
import type { ShellContext } from "../../commands/invocation.ts";
import { LoadedRules } from "../../user-rules/loaded-rules.ts";
import { FolderTrust } from "../../../settings/folder-trust.ts";
import { projectFilesAt, guardFileAt } from "../project-files.ts";
import { scriptTextReader, projectTextReader } from "../script-text.ts";

export interface RuleJudgeInput {
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly clock: Clock;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly temporary: string;
  readonly onProblem: (message: Sentence) => void;
  /** Whether files of statements and scripts that a command is given are read: not where the past is judged, with other files. */
  readonly readsFiles?: boolean | undefined;
}

interface RuleJudge {
  readonly rules: LoadedRules;
  readonly folders: FolderTrust;
  readonly calls: Pick<CallGuardPorts, "judge" | "contextOf">;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Makes what judges calls by the rules that come with purser, the user's, and those of the project that a call is in. */
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
    trust,
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
        return rules.judge(call, { ...context, readText, readScript });
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
