import path from "node:path";
import * as vscode from "vscode";
import { describeComparison } from "../../engine/compare/compare-outcome.ts";
import { readOneProposal, readProposals, type FoundProposal } from "../../engine/compare/evolve.ts";
import { goldenAgentFile } from "./file-kind.ts";
import { inMessage, withoutIcons } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";
import { windowFolders } from "../editor/window-files.ts";
import { ago } from "../editor/describe-editor.ts";
import { offer, warn } from "../editor/notices.ts";
import { inWords, t } from "../../engine/base/language.ts";
/** Characters. */
const [maxNameLength, maxSentenceLength] = [60, 240];

/** Prompts measured as cheaper, shown beside the shipped ones; only the user applies them. */
export class ProposalHost {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Announces a new proposal, unless its receipt is invalid. */
  async notify(definition: string): Promise<void> {
    const proposal = await readOneProposal(definition);
    if (!proposal.receipt.ok) {
      this.#services.log.warn(
        `${definition} appeared, which is no proposal: ${proposal.receipt.detail.text}`,
      );
      return;
    }
    const show = t("Show Diff");
    const chosen = await vscode.window.showInformationMessage(
      t(
        "A cheaper prompt for {0} is proposed: {1} It has not been applied.",
        inMessage(proposal.receipt.value.agent, maxNameLength),
        inMessage(inWords(describeComparison(proposal.receipt.value)), maxSentenceLength),
      ),
      show,
    );
    if (chosen === show) await this.#show(proposal);
  }

  /** Asks which proposal to show. */
  async open(): Promise<void> {
    const found = (await Promise.all(windowFolders().map(readProposals))).flat();
    if (found.length === 0) {
      await offer(t("No proposals in this workspace."), {
        label: t("New Experiment…"),
        command: "purser.newExperiment",
      });
      return;
    }
    const picked = await vscode.window.showQuickPick(found.map(itemOf), {
      title: t("Open Proposal"),
      placeHolder: t("A cheaper prompt, measured against the original"),
      matchOnDetail: true,
    });
    if (picked !== undefined) await this.#show(picked.proposal);
  }

  async #show(proposal: FoundProposal): Promise<void> {
    const proposed = vscode.Uri.file(proposal.definition);
    const workspace = path.resolve(path.dirname(proposal.definition), "..", "..");
    const { context } = this.#services;
    const shipped = proposal.receipt.ok
      ? await goldenAgentFile(proposal.receipt.value.agent, [workspace], context)
      : null;
    if (shipped === null) {
      await warn(
        t(
          "The original prompt of {0} is not in any golden suite of this window.",
          inMessage(nameOf(proposal), maxNameLength),
        ),
      );
      await vscode.commands.executeCommand("vscode.open", proposed);
    } else {
      const title = t("{0}: shipped ↔ proposed", nameOf(proposal));
      await vscode.commands.executeCommand("vscode.diff", vscode.Uri.file(shipped), proposed, title, {
        preview: false,
      });
    }
    if (!proposal.receipt.ok) return;
    await vscode.commands.executeCommand(
      "vscode.openWith",
      vscode.Uri.file(proposal.receiptText),
      "vscode.markdown.preview.editor",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    );
  }
}

function itemOf(proposal: FoundProposal): vscode.QuickPickItem & { readonly proposal: FoundProposal } {
  const { receipt } = proposal;
  return {
    label: withoutIcons(nameOf(proposal), maxNameLength),
    description: receipt.ok ? ago(receipt.value.at, Date.now(), t) : t("without a valid receipt"),
    detail: withoutIcons(
      receipt.ok ? inWords(describeComparison(receipt.value)) : inWords(receipt.detail),
      maxSentenceLength,
    ),
    proposal,
  };
}

function nameOf({ definition, receipt }: FoundProposal): string {
  return receipt.ok ? receipt.value.agent : path.basename(definition, ".md");
}
