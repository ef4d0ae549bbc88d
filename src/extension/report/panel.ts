import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { SinglePanel, type Post } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import { StatusController } from "./controller.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "service">;

/** The one Status panel of a window, when it is open. */
export class StatusPanel extends SinglePanel<StatusController> {
  constructor(services: Needs) {
    super(services.context, panels.report, (post) => createController(post, services));
  }

  run(): void {
    this.reveal();
  }
}

function createController(post: Post, { log, service }: Needs): StatusController {
  const run = (command: string, ...target: string[]) =>
    void vscode.commands.executeCommand(command, ...target);
  return new StatusController({
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
