import * as vscode from "vscode";
import type { CompareAsk } from "../engine/service/compare-view.ts";
import type { Place } from "../webview/compare/protocol.ts";
import type { BenchSource } from "./bench-source.ts";
import { CompareConversation } from "./compare-conversation.ts";
import type { ComparisonFile } from "./compare-export.ts";
import { compareViewType } from "./compare-view-type.ts";
import { saveExport } from "./save-export.ts";
import type { Services } from "./services.ts";
import { SinglePanel, type Post } from "./single-panel.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log">;

export interface ComparePanelPorts {
  readonly source: BenchSource;
  /** Asks what to compare. */
  readonly pick: () => void;
}

/** The one Compare panel of a window, when it is open. */
export class ComparePanel extends SinglePanel<CompareConversation> {
  constructor(services: Needs, ports: ComparePanelPorts) {
    super(services.context, {
      ...{ viewType: compareViewType, title: t("Compare"), name: "compare" },
      converse: (post) => converse(post, services, ports),
    });
  }

  /** @param place what to show; without it, what it showed last */
  show(place: Place | undefined): void {
    this.reveal((talk) => {
      if (place !== undefined) talk.tell({ type: "show", place });
    });
  }

  /** Shows what this would spend; nothing begins. */
  plan(ask: CompareAsk): void {
    this.reveal((talk) => talk.tell({ type: "showPlan", ask }));
  }
}

function converse(post: Post, { log }: Needs, ports: ComparePanelPorts): CompareConversation {
  return new CompareConversation({
    ...ports,
    ...{ t, post },
    save: (file) => void save(file),
    openRun: (run) => void vscode.commands.executeCommand("purser.openBenchmark", run),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}

async function save({ name, format, text }: ComparisonFile): Promise<void> {
  const filters = format === "markdown" ? { [t("Markdown")]: ["md"] } : { [t("JSON")]: ["json"] };
  await saveExport({ name, text, title: t("Export Comparison"), filters });
}
