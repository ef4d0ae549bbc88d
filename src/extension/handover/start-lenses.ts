import * as vscode from "vscode";
import { handoverIn } from "../../engine/continuity/handover/identity.ts";
import { displayNameOf } from "../../engine/continuity/handover/launch.ts";
import type { InstalledAgent } from "./installed-agents.ts";

const { t } = vscode.l10n;

/** Above a document that hands work over: one way to begin each installed agent with it. */
export class HandoverLenses implements vscode.CodeLensProvider {
  readonly #agents: () => Promise<readonly InstalledAgent[]>;

  constructor(agents: () => Promise<readonly InstalledAgent[]>) {
    this.#agents = agents;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const id = handoverIn(document.lineAt(0).text);
    if (id === null) return [];
    const range = new vscode.Range(0, 0, 0, 0);
    const agents = await this.#agents();
    return agents.map(
      ({ word }) =>
        new vscode.CodeLens(range, {
          title: t("Start with {0}", displayNameOf(word)),
          tooltip: t("Begins it in a terminal, in the same folder, with this document as it stands"),
          command: "purser.startHandover",
          arguments: [{ id, word }],
        }),
    );
  }
}
