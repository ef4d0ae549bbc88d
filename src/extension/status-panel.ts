import * as vscode from "vscode";
import { RulesSource } from "./rules-source.ts";
import { serviceLedgerSource } from "./service-ledger-source.ts";
import type { Services } from "./services.ts";
import { SinglePanel, type Post } from "./single-panel.ts";
import { StatusConversation } from "./status-panel-conversation.ts";
import { statusPanelViewType } from "./status-panel-view-type.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "link">;

/** The one Status panel of a window, when it is open. */
export class StatusPanel extends SinglePanel<StatusConversation> {
  constructor(services: Needs) {
    super(services.context, {
      ...{ viewType: statusPanelViewType, title: t("Status Report"), name: "status" },
      converse: (post) => converse(post, services),
    });
  }
}

function converse(post: Post, { log, link }: Needs): StatusConversation {
  const [rules, ledger] = [new RulesSource(link), serviceLedgerSource(link)];
  const run = (command: string, ...target: string[]) =>
    void vscode.commands.executeCommand(command, ...target);
  return new StatusConversation({
    report: (project, signal) => rules.ask((asked) => asked.report(project, signal)),
    retry: () => rules.retry(),
    onRulesChange: (listener) => rules.onChange(listener),
    onLedgerChange: (listener) => ledger.onChange(listener),
    ...{ t, post },
    review: (id) => run("purser.reviewRules", ...(id === null ? [] : [id])),
    openBenchmark: () => run("purser.openBenchmark"),
    getStarted: () => run("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}
