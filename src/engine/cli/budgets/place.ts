import { inWords, sentence, type Sentence, t } from "../../base/language.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { cleanText } from "../../base/text.ts";
import { gitBranch } from "../../budgets/git-branch.ts";
import { projectFolder } from "../../base/paths.ts";
import type { Asked } from "./budgets-actions.ts";
import type { BudgetService } from "./budgets-access.ts";

/** Decides the project and, by its branch, the convoy. */
export interface CallPlace {
  readonly from: "option" | "session" | "cwd";
  readonly folder: string;
  readonly branch: string | null;
  /** Why it is not the session's own place. */
  readonly why: Sentence | null;
}

export function needsSession({ options }: Pick<Asked, "options">): boolean {
  return options.has("session") && !options.has("cwd");
}

/** A session belongs to the project in which it began. `--cwd` overrides that. */
export async function placeOf(
  { options, folder, session }: Pick<Asked, "options" | "folder" | "session">,
  service: BudgetService | null,
): Promise<CallPlace> {
  const here = { folder, branch: gitBranch(folder) };
  if (options.has("cwd")) return { from: "option", ...here, why: null };
  const id = options.value("session");
  if (id === undefined) return { from: "cwd", ...here, why: null };
  const unknown = (why: Sentence): CallPlace => ({ from: "cwd", ...here, why });
  if (service === null) return unknown(sentence("purser's service cannot be reached"));
  const found = await service.whereSession(id);
  if (!found.ok) return unknown(found.detail);
  const began = found.value?.cwd ?? null;
  if (began === null || !path.isAbsolute(began))
    return unknown(sentence("the folder of session {0} is unknown", id));
  if (!existsSync(projectFolder(began)))
    return unknown(sentence("{0}, where session {1} began, is gone", began, id));
  // A call from inside the session uses the current folder: its branch may have changed since the last
  // response.
  const asks = id === session ? here.branch : null;
  const branch = asks ?? found.value?.branch ?? gitBranch(began);
  return { from: "session", folder: began, branch, why: null };
}

/** Names the project of a session's call. Empty without a session. */
export function describePlace(
  { from, why }: CallPlace,
  { options, project }: Pick<Asked, "options"> & { readonly project: string },
): string[] {
  const id = options.value("session");
  if (id === undefined) return [];
  switch (from) {
    case "option":
      return [cleanText(t("Project: {0} (from --cwd)", project))];
    case "session":
      return [cleanText(t("Project: {0} (session {1} started there)", project, id))];
    case "cwd":
      return [
        cleanText(
          t(
            "Project: {0} (the current folder's: {1})",
            project,
            why === null ? t("no session was given") : inWords(why),
          ),
        ),
      ];
  }
}
