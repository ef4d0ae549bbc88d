import { plainSentence } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import { fail, type Result } from "../../engine/base/result.ts";
import type { BenchChoices } from "../../engine/jobs/bench-answers.ts";
import { benchWindow } from "./asked-with.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";

const { t } = vscode.l10n;

/**
 * `cancelled`: the user did not wait. `nothing`: nothing can be measured with, and the detail gives the
 * reason.
 */
export type NoChoices = AskFailure | "cancelled" | "nothing";

/**
 * Reads what can be measured with. Shows a busy list at once, in which the questions follow.
 * @param title of the questions
 */
export async function readChoices(
  service: ServiceConnection,
  title: string,
): Promise<Result<BenchChoices, NoChoices>> {
  const pick = vscode.window.createQuickPick();
  pick.title = title;
  pick.placeholder = t("Reading golden tasks…");
  pick.busy = true;
  pick.ignoreFocusOut = true;
  const gone = new Promise<undefined>((resolve) => pick.onDidHide(() => resolve(undefined)));
  pick.show();
  const choices = await Promise.race([ask(service), gone]);
  pick.dispose();
  if (choices === undefined) return fail("cancelled", plainSentence(""));
  if (!choices.ok) return choices;
  const { suites } = choices.value;
  if (suites.some(({ agents }) => agents.length > 0)) return choices;
  const problem = suites.find((suite) => suite.problem !== null)?.problem;
  return fail("nothing", problem ?? plainSentence(t("There is no golden suite.")));
}

async function ask(service: ServiceConnection): Promise<Result<BenchChoices, AskFailure>> {
  await service.ready();
  return await service.ask("benchChoices", { workspace: benchWindow.workspace(), env: benchWindow.env() });
}
