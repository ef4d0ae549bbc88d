import path from "node:path";
import { readdir } from "node:fs/promises";
import { rethrowUnlessSystemError } from "../base/result.ts";

export { auditSuite, type TaskAudit } from "./golden/audit.ts";
export { draftFromSession } from "./golden/draft.ts";
export { draftHistory, readHistory, type HistoryProgress } from "./golden/history/draft-history.ts";
export { historyReasons, inWordsOf, type HistoryOutcome } from "./golden/history/history-outcome.ts";
export { planHistory, type HistoryPlan } from "./golden/history/plan-history.ts";
export { commandsOf } from "./golden/history/test-command.ts";
export { readDrafts, type GoldenDraft } from "./golden/drafts.ts";
export { writeDraft } from "./golden/write-draft.ts";

/**
 * Returns the agents for which a suite has finished tasks, by folder name; the tasks themselves are not read. Empty when there is
 * no suite.
 */
export async function agentsWithTasks(suiteFolder: string): Promise<string[]> {
  try {
    const tasks = path.join(suiteFolder, "tasks");
    const entries = await readdir(tasks, { withFileTypes: true, recursive: true });
    const isTask = (name: string) => name.endsWith(".md") && !name.endsWith(".draft.md");
    const folders = entries
      .filter((entry) => entry.isFile() && isTask(entry.name))
      .map(({ parentPath }) => path.relative(tasks, parentPath));
    return [...new Set(folders)].filter((folder) => folder !== "" && !folder.includes(path.sep)).sort();
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}
