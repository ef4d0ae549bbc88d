import path from "node:path";
import { agentsWithTasks } from "../bench/golden.ts";
import { hasSuite, workspaceSuiteFolder } from "../bench/suite.ts";
import type { RealRun } from "../ledger/rule-questions.ts";
import { agentDefinitions, agentFolders } from "./agent-definition.ts";
import { needsOf, type Need } from "./needs.ts";
import { claudeRoots } from "../transcripts/claude.ts";

export interface GoldenPlace {
  /** Folder of the suite that comes with purser. Without it only projects have golden tasks. */
  readonly golden?: string;
}

/** Returns what still prevents the rules of a run's agent from being measured and reaching it. */
export type AskNeeds = (run: Pick<RealRun, "agent" | "program" | "project">) => Promise<Need[]>;

export function createNeedsFinder({
  golden,
  env,
  userHome,
}: GoldenPlace & {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}): AskNeeds {
  return async ({ agent, program, project }) => {
    const isFolder = project !== null && path.isAbsolute(project);
    const projects = isFolder ? [project] : [];
    const roots = claudeRoots({ env, home: userHome });
    const suites = [
      ...projects.filter(hasSuite).map(workspaceSuiteFolder),
      ...(golden === undefined ? [] : [golden]),
    ];
    const withTasks = await Promise.all(suites.map(agentsWithTasks));
    const folders = [...new Set(roots.flatMap((root) => agentFolders(projects, root)))];
    return needsOf(
      { agent, program },
      { definitions: await agentDefinitions(folders), withTasks: new Set(withTasks.flat()) },
    );
  };
}
