import os from "node:os";
import * as vscode from "vscode";
import { plainSentence, t } from "../../engine/base/language.ts";
import { fail } from "../../engine/base/result.ts";
import { claudeRoot } from "../../engine/transcripts/claude.ts";
import { runInTerminal } from "../editor/purser-terminal.ts";
import { readEnvironment } from "../editor/settings.ts";
import { trustedFolder, windowFolders } from "../editor/window-files.ts";
import { goldenAgentFile } from "../instructions/file-kind.ts";
import type { Services } from "../services.ts";
import { chooseFile } from "./chosen-file.ts";
import type { FormPorts } from "./experiments-controller.ts";
import { copyOfPrompt, promptOffers } from "./prompts.ts";

/** Returns the form's access to this window. */
export function formPorts({ context }: Services): FormPorts {
  return {
    root: () => claudeRoot({ env: readEnvironment(), home: os.homedir() }),
    prompts: () => promptOffers(windowFolders()),
    onPrompts: (listener) =>
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith(".md")) listener();
      }),
    copyPrompt: async (agent, file) => {
      const [project] = windowFolders();
      if (project === undefined)
        return fail("no_folder", plainSentence(t("Open a folder first: the copy is kept in it.")));
      const source = file ?? (await goldenAgentFile(agent, windowFolders(), context));
      if (source === null)
        return fail("no_prompt", plainSentence(t("The prompt of {0} is in no golden suite.", agent)));
      const copied = await copyOfPrompt({ agent, source, project }, t);
      if (copied.ok)
        await vscode.window.showTextDocument(vscode.Uri.file(copied.value), {
          viewColumn: vscode.ViewColumn.Beside,
        });
      return copied;
    },
    openFile: (file) =>
      void vscode.window.showTextDocument(vscode.Uri.file(file), {
        viewColumn: vscode.ViewColumn.Beside,
      }),
    chooseFile,
    openRules: (page, agent) =>
      void (page === "guards"
        ? vscode.commands.executeCommand("purser.showGuard")
        : agent === null
          ? vscode.commands.executeCommand("purser.reviewRules")
          : vscode.commands.executeCommand(
              page === "rules" ? "purser.selectRules" : "purser.tryRules",
              agent,
            )),
    draftTasks: () => void vscode.commands.executeCommand("purser.draftGoldenTasks"),
    // The terminal shows the price, and asks first.
    shorten: (agent) =>
      runInTerminal(
        {
          words: ["shorten-prompt", agent],
          name: t("Shorten the prompt of {0}", agent),
          icon: "beaker",
          folder: trustedFolder() ?? undefined,
          isHeldOpen: true,
        },
        context,
      ),
  };
}
