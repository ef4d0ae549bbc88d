import * as vscode from "vscode";
import { systemClock } from "../../engine/base/timing.ts";
import { GuardController, type GuardControllerPorts } from "./guard-controller.ts";
import { openProjectRules, showRules } from "./project-file.ts";
import { onSettingsChange, setGuardMode } from "../editor/settings.ts";
import { hasHooks } from "../hooks/any-installed.ts";
import { SinglePanel, type Post } from "../panels/single.ts";
import { panels } from "../panels/registry.ts";
import type { Services } from "../services.ts";
import { windowFolders } from "../editor/window-folders.ts";

const { t } = vscode.l10n;

type Needs = Pick<Services, "context" | "log" | "service" | "follow" | "sample">;
/** Replacements in the sample: its modes and folders belong to no user. */
type Own = Pick<GuardControllerPorts, "setMode" | "hasProject" | "hasHooks">;

const usual: Own = { setMode: setGuardMode, hasProject: () => windowFolders().length > 0, hasHooks };

/** The one Guard panel of a window, when it is open. */
export class GuardPanel extends SinglePanel<GuardController> {
  constructor(services: Needs, own: Own = usual) {
    super(services, panels.guard, (post) => createController(post, services, own));
  }

  run(): void {
    this.reveal();
  }
}

function createController(post: Post, { log, service, follow }: Needs, own: Own): GuardController {
  return new GuardController({
    ...own,
    service,
    clock: systemClock,
    t,
    post,
    onSettingsChange,
    openSession: (id) => follow("purser.openLedger", id),
    openUserFile: (file, line) =>
      void showRules(file, line).then((isShown) => {
        if (!isShown) follow("purser.openGuardRules");
      }),
    openProjectFile: () => void openProjectRules(),
    isUnsaved: (file) =>
      vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === file),
    showHooks: () => follow("purser.showHooks"),
    installHooks: async () => {
      await vscode.commands.executeCommand("purser.installHooks");
    },
    showLog: () => log.show(),
    onProblem: (message) => log.warn(message),
  });
}
