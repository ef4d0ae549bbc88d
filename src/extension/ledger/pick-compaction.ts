import * as vscode from "vscode";
import type { CompactionHead } from "../../engine/ledger/answers.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";
import { warn } from "../editor/notices.ts";
import { inWords } from "../../engine/base/language.ts";

const { t } = vscode.l10n;

/** Compactions that are offered, the newest. */
const maxCompactions = 50;
/** Characters. */
const [maxTitleLength, maxPathLength] = [80, 160];

/**
 * Asks for one of the compactions in the ledger. A single one is returned without a question. Undefined for
 * none.
 */
export async function pickCompaction({
  service,
}: Pick<Services, "service">): Promise<CompactionHead | undefined> {
  const asked = await service.ask("recentCompactions", { asked: maxCompactions });
  if (!asked.ok) {
    await warn(t("The ledger could not answer: {0}", inWords(asked.detail)));
    return undefined;
  }
  const [first, ...others] = asked.value.answer;
  if (first === undefined) {
    const none = t(
      "No compaction has been compared yet. Install purser's hooks; the next compaction will be.",
    );
    const install = t("Install Hooks…");
    if ((await vscode.window.showInformationMessage(none, install)) === install)
      await vscode.commands.executeCommand("purser.installHooks");
    return undefined;
  }
  if (others.length === 0) return first;
  const items = [first, ...others].map((compaction) => ({
    label: withoutIcons(compaction.title ?? compaction.sessionId, maxTitleLength),
    description: describe(compaction),
    detail: withoutIcons(compaction.cwd ?? "", maxPathLength),
    compaction,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: t("Which compaction?"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.compaction;
}

function describe({ at, kept, lost, back }: CompactionHead): string {
  const counts =
    back === 0
      ? t("{0} kept, {1} lost", kept, lost)
      : t("{0} kept, {1} lost, {2} put back", kept, lost, back);
  if (at === null) return counts;
  const time = new Date(at).toLocaleString(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
  return `${time} · ${counts}`;
}
