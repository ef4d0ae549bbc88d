import { homedir } from "node:os";
import * as vscode from "vscode";
import { systemClock } from "../../engine/base/timing/clock.ts";
import type { GuardSettings } from "../../engine/settings/guard.ts";
import { hookPrograms, type HookProgram } from "../../engine/hooks/program.ts";
import { hookFile, hookScopes, type HookScope } from "../../engine/hooks/install/settings/agent-file.ts";
import { statusOf, type InstallReason } from "../../engine/hooks/install/installer.ts";
import type { RepairWorld } from "../../engine/hooks/install/repair/repair.ts";
import { errorCode } from "../../engine/base/error-code.ts";
import { cleanText, cutMiddle } from "../../engine/base/text/text.ts";
import type { HookChange } from "../../engine/hooks/install/plan-change.ts";
import type { Result } from "../../engine/base/result.ts";
import type { HookStatus } from "../../engine/hooks/install/settings/status.ts";
import { noteInstallation } from "../../engine/hooks/install/installations.ts";
import { purserHome } from "../../engine/base/disk/home.ts";
import { briefRunner } from "../../engine/base/process/run-briefly.ts";
import { SettingsKeeper } from "../../engine/service/settings-store.ts";
import { readSettings } from "../../engine/settings/shape.ts";
import { awaitHookPlace, hookWorld, type HookMachine } from "./own-install.ts";
import type { Services } from "../services.ts";
import { shortPath } from "../editor/short-path.ts";
import { readEnvironment, readUserSettings } from "../editor/settings.ts";
import { versionIn } from "../../engine/base/manifest-version.ts";
import { windowFolders } from "../editor/window-folders.ts";

/** Whose settings are meant, in which folder of the window. */
export interface HookPlaceChosen {
  readonly program: HookProgram;
  readonly scope: HookScope;
  /** The folder of the window that the project's settings are looked for in; null without one. */
  readonly folder: string | null;
}

export interface HookRow extends HookPlaceChosen {
  readonly file: string;
  readonly status: Result<HookStatus, InstallReason>;
}

/** What the commands for hooks share. */
export class HookDesk {
  readonly services: Services;
  readonly #run = briefRunner(process.env);

  constructor(services: Services) {
    this.services = services;
  }

  /** Shows changes of settings and asks. @param yes the button's label */
  async ask(changes: readonly HookChange[], question: string, yes: string): Promise<boolean> {
    const { changePreview } = await import("./preview.ts");
    const shown = changes.map(({ settings: { target, bytes }, after }) => ({
      file: target,
      before: bytes?.toString("utf8") ?? null,
      after: after?.toString("utf8") ?? null,
    }));
    const asked = { title: titleOf(changes), changes: shown, question, yes };
    return await changePreview(this.services.context).ask(asked);
  }

  /** What a button above the comparison says. */
  async answer(isYes: boolean): Promise<void> {
    const { changePreview } = await import("./preview.ts");
    changePreview(this.services.context).answer(isYes);
  }

  /** The machine as it is now. Where hooks are answered is waited for when it matters. */
  async world(folder: string | null): Promise<RepairWorld> {
    const { link } = this.services;
    await awaitHookPlace(readEnvironment(), () => link.client !== undefined);
    return hookWorld(this.#machine(), folder);
  }

  /** The folders of this window that a project's hooks may be in: none where nothing of the folder is trusted. */
  get folders(): readonly string[] {
    return vscode.workspace.isTrusted ? windowFolders() : [];
  }

  /** What the user wants installed beside the hooks. */
  get wishes(): { readonly statusLine: boolean } {
    return { statusLine: readUserSettings()["statusLine"] === true };
  }

  /** Every place there is, and how hooks stand in it. */
  async rows(): Promise<HookRow[]> {
    const rows: HookRow[] = [];
    const seen = new Set<string>();
    const folders = this.folders.length === 0 ? [null] : this.folders;
    for (const folder of folders) {
      const world = await this.world(folder);
      for (const program of hookPrograms)
        for (const scope of hookScopes) {
          const found = hookFile(program, scope, world);
          if (!found.ok || (scope !== "user" && folder === null) || seen.has(found.value.file)) continue;
          seen.add(found.value.file);
          const status = await statusOf(program, scope, world);
          rows.push({ program, scope, folder, file: found.value.file, status });
        }
    }
    return rows.toSorted((one, other) => order(one) - order(other));
  }

  /** Hooks may lead to this extension: another editor's, or its own, is uninstalled accordingly. */
  noteThis(): void {
    try {
      const home = purserHome({ env: readEnvironment(), home: homedir() });
      noteInstallation(home, this.services.context.extensionPath);
    } catch (error) {
      this.log(`it could not be noted that they may lead here: ${errorCode(error)}`);
    }
  }

  log(message: string): void {
    this.services.log.info(`Hooks: ${cleanText(message)}`);
  }

  #machine(): HookMachine {
    const { extensionPath, extension } = this.services.context;
    const env = readEnvironment();
    return {
      env,
      extension: extensionPath,
      version: versionIn(extension.packageJSON),
      posting: postingWanted(env),
      run: this.#run,
    };
  }
}

/** A tab has little room. */
const longestName = 40;

/** The settings' file names it: the others come with it. */
function titleOf(changes: readonly HookChange[]): string {
  const settings = changes.find(({ settings: { file } }) => file.endsWith(".json")) ?? changes[0];
  const name = cutMiddle(shortPath(settings?.settings.target ?? ""), longestName);
  return settings?.act === "uninstall"
    ? vscode.l10n.t("Uninstall Hooks: {0}", name)
    : vscode.l10n.t("Install Hooks: {0}", name);
}

/** As the user set it in the editor, or else in `~/.purser/settings.json`. */
function postingWanted(env: HookMachine["env"]): GuardSettings["hookPosting"] {
  const home = purserHome({ env, home: homedir() });
  const { platform } = process;
  const kept = new SettingsKeeper({ home, platform, clock: systemClock, onProblem: () => undefined }).now();
  return readSettings(readUserSettings()).settings.hookPosting ?? kept.hookPosting;
}

function order({ program, scope }: HookPlaceChosen): number {
  return hookPrograms.indexOf(program) * hookScopes.length + hookScopes.indexOf(scope);
}
