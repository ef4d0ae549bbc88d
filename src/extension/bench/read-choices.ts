import * as vscode from "vscode";
import type { Result } from "../../engine/base/result.ts";
import type { BenchChoices } from "../../engine/jobs/answers/bench.ts";
import { benchWindow } from "./asked-with.ts";
import type { ServiceConnection } from "../service/connection.ts";

const { t } = vscode.l10n;

/**
 * What there is to measure with, read with a progress indicator; or a sentence that says why there is nothing.
 */
export async function readChoices(service: ServiceConnection): Promise<Result<BenchChoices>> {
  const choices = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t("Reading golden tasks…") },
    async () => {
      await service.ready();
      return await service.ask("benchChoices", {
        workspace: benchWindow.workspace(),
        env: benchWindow.env(),
      });
    },
  );
  if (!choices.ok) return choices;
  const { suites } = choices.value;
  if (suites.some(({ agents }) => agents.length > 0)) return choices;
  const problem = suites.find((suite) => suite.problem !== null)?.problem;
  return { ok: false, reason: "nothing", detail: problem ?? t("There is no golden suite.") };
}
