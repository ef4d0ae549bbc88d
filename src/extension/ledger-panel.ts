import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../engine/base/clock.ts";
import { findTranscript } from "./find-transcript.ts";
import { LedgerConversation } from "./ledger-conversation.ts";
import type { ExportFormat } from "./ledger-export.ts";
import type { LedgerSource } from "./ledger-source.ts";
import { openTranscript } from "./open-transcript.ts";
import { inMessage } from "./outside-text.ts";
import { ledgerViewType } from "./ledger-view-type.ts";
import type { Services } from "./services.ts";
import { readEnvironment } from "./settings.ts";
import { SinglePanel, type Post } from "./single-panel.ts";

const { t } = vscode.l10n;
const longestReason = 200;

type Needs = Pick<Services, "context" | "log" | "sessions">;

/** The one Ledger panel of a window, when it is open. */
export class LedgerPanel extends SinglePanel<LedgerConversation> {
  constructor(services: Needs, source: LedgerSource) {
    super(services.context, {
      ...{ viewType: ledgerViewType, title: t("Ledger"), name: "ledger" },
      converse: (post) => converse(post, services, source),
    });
  }

  /** @param sessionId to show this one's page */
  show(sessionId: string | undefined): void {
    this.reveal((talk) => {
      if (sessionId !== undefined) talk.show(sessionId);
    });
  }
}

function converse(post: Post, services: Needs, source: LedgerSource): LedgerConversation {
  const { log } = services;
  return new LedgerConversation({
    ...{ source, clock: systemClock, t, post },
    save: (file) => void save(file),
    openTranscript: (id) => void openById(id, services),
    getStarted: () => void vscode.commands.executeCommand("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}

/** A live session tells where its transcript is; an older one is looked for. */
async function openById(id: string, { sessions }: Needs): Promise<void> {
  const file =
    sessions.find(id)?.transcript ?? (await findTranscript(id, { env: readEnvironment(), home: homedir() }));
  if (file !== undefined) {
    await openTranscript(file);
    return;
  }
  await vscode.window.showWarningMessage(
    t("The transcript of this session was not found. Agents remove old ones; the ledger keeps the figures."),
  );
}

async function save(file: { name: string; format: ExportFormat; text: string }): Promise<void> {
  const { name, format, text } = file;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: format === "csv" ? { [t("CSV")]: ["csv"] } : { [t("JSON")]: ["json"] },
    title: t("Export Ledger"),
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = inMessage(error instanceof Error ? error.message : String(error), longestReason);
    await vscode.window.showErrorMessage(t("The export could not be written: {0}", reason));
    return;
  }
  const openFile = t("Open");
  const saved = t("Exported to {0}.", inMessage(path.basename(target.path), longestReason));
  if ((await vscode.window.showInformationMessage(saved, openFile)) === openFile)
    await vscode.commands.executeCommand("vscode.open", target);
}
