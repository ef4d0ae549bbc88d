import * as vscode from "vscode";
import { handoverIn } from "../../engine/continuity/handover/identity.ts";
import { displayNameOf } from "../../engine/continuity/handover/launch.ts";
import type { InstalledAgent } from "./installed-agents.ts";

const { t } = vscode.l10n;

interface LensPorts {
  readonly installed: () => Promise<readonly InstalledAgent[]>;
  /** The model that may summarize documents. Null for none. */
  readonly summingModel: () => Promise<string | null>;
}

/** Above a document that hands work over: one way to begin each installed agent with it, and to have it summed up where that is on. */
export class HandoverLenses implements vscode.CodeLensProvider {
  readonly #ports: LensPorts;

  constructor(ports: LensPorts) {
    this.#ports = ports;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const id = handoverIn(document.lineAt(0).text);
    if (id === null) return [];
    const range = new vscode.Range(0, 0, 0, 0);
    const agents = await this.#ports.installed();
    const model = await this.#ports.summingModel();
    const improve = {
      title: t("Summarize with {0}…", model ?? ""),
      tooltip: t("One call of your own Claude Code; what it costs at most is shown first"),
      command: "purser.improveHandover",
      arguments: [document.uri.toString()],
    };
    const starts = agents.map(
      ({ word }) =>
        new vscode.CodeLens(range, {
          title: t("Start with {0}", displayNameOf(word)),
          tooltip: t("Starts it in a terminal, in the same folder, with this document as it is now"),
          command: "purser.startHandover",
          arguments: [{ id, word }],
        }),
    );
    return model === null ? starts : [...starts, new vscode.CodeLens(range, improve)];
  }
}
