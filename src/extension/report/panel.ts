import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { SinglePanel, type Post } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { StatusConversation } from "./conversation.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "service">;

/** The one Status panel of a window, when it is open. */
export class StatusPanel extends SinglePanel<StatusConversation> {
  constructor(services: Needs) {
    super(services.context, panels.report, (post) => converse(post, services));
  }

  run(): void {
    this.reveal();
  }
}

function converse(post: Post, { log, service }: Needs): StatusConversation {
  const run = (command: string, ...target: string[]) =>
    void vscode.commands.executeCommand(command, ...target);
  return new StatusConversation({
    service,
    t,
    post,
    review: (id) => run("purser.reviewRules", ...(id === null ? [] : [id])),
    openBenchmark: () => run("purser.openBenchmark"),
    getStarted: () => run("purser.openWalkthrough"),
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}
