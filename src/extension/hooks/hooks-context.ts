import * as vscode from "vscode";
import path from "node:path";
import { homedir } from "node:os";
import { systemClock } from "../../engine/base/timing.ts";
import { hookPrograms, type HookProgram } from "../../engine/hooks/program.ts";
import {
  hookFile,
  hookScopes,
  type HookScope,
  type HookChange,
  statusOf,
  type InstallReason,
  type RunStatus,
  noteInstallation,
  onFailureOf,
} from "../../engine/hooks/install.ts";
import { type RepairContext, repairContext } from "../../engine/hooks/repair-hooks.ts";
import { type Result, errorCode } from "../../engine/base/result.ts";
import { cleanText, cutMiddle } from "../../engine/base/text.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { versionIn, briefRunner } from "../../engine/base/process.ts";
import { SettingsStore } from "../../engine/settings/settings-store.ts";
import type { Services } from "../services.ts";
import type { ChangeQuestion } from "./preview.ts";
import { shortPath } from "../editor/describe-editor.ts";
import { readEnvironment } from "../editor/settings.ts";
import { windowFolders } from "../editor/window-files.ts";
import { setTimeout as pause } from "node:timers/promises";
import { readHookServerAddress, type HookServerAddress } from "../../engine/hooks/server.ts";
import { t } from "../../engine/base/language.ts";

interface HookMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The extension's folder and version. */
  readonly extension: string;
  readonly version: string;
  /** The user's setting for posted hooks. */
  readonly posting: RepairContext["posting"];
  readonly onFailure: NonNullable<RepairContext["onFailure"]>;
  readonly run: RepairContext["run"];
}

/** The machine as the installer sees it. @param project a folder of the window; null without a project */
function ownRepairContext(machine: HookMachine, project: string | null): RepairContext {
  const { env, extension, version, posting, onFailure, run } = machine;
  const home = homedir();
  const address = readHookServerAddress(purserPaths({ env, home }));
  const program = path.join(extension, "dist", "service.cjs");
  const paths = { env, home, program, cwd: project, posting, onFailure, run, version };
  return repairContext(paths, address.ok ? address.value : null);
}

const attempts = 20;
/** Milliseconds. */
const between = 100;

/** Waits for the hook endpoint of a service that has just started. Null when there is none. */
async function awaitHookServerAddress(
  env: HookMachine["env"],
  isServed: () => boolean,
): Promise<HookServerAddress | null> {
  const home = purserPaths({ env, home: homedir() });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const address = readHookServerAddress(home);
    if (!address.ok || address.value !== null || !isServed()) return address.ok ? address.value : null;
    await pause(between);
  }
  return null;
}

/** The agent and scope of the settings, in a folder of the window. */
export interface HookTarget {
  readonly program: HookProgram;
  readonly scope: HookScope;
  /** The window's folder that contains the project's settings; null without one. */
  readonly folder: string | null;
}

export interface HookRow extends HookTarget {
  readonly file: string;
  readonly status: Result<RunStatus, InstallReason>;
}

/** Context shared by the hook commands. */
export class InstallerContext {
  readonly services: Services;
  readonly #run = briefRunner(process.env);

  constructor(services: Services) {
    this.services = services;
  }

  /** Shows changes of settings and asks for confirmation. */
  async ask(changes: readonly HookChange[], how: ChangeQuestion): Promise<boolean> {
    const { changePreview } = await import("./preview.ts");
    const shown = changes.map(({ settings: { target, bytes }, after }) => ({
      file: target,
      before: bytes?.toString("utf8") ?? null,
      after: after?.toString("utf8") ?? null,
    }));
    return await changePreview(this.services.context).ask({
      ...how,
      title: titleOf(changes),
      changes: shown,
    });
  }

  /** Handles a button above the comparison. */
  async answer(isYes: boolean): Promise<void> {
    const { changePreview } = await import("./preview.ts");
    changePreview(this.services.context).answer(isYes);
  }

  /** The machine's current state. Waits for the hook endpoint while the service is connected. */
  async repairContext(folder: string | null): Promise<RepairContext> {
    const { link } = this.services;
    await awaitHookServerAddress(readEnvironment(), () => link.client !== undefined);
    return ownRepairContext(this.#machine(), folder);
  }

  /** The window's folders that may contain a project's hooks: none in an untrusted workspace. */
  get folders(): readonly string[] {
    return vscode.workspace.isTrusted ? windowFolders() : [];
  }

  /** What the user wants installed besides the hooks. */
  get wishes(): { readonly statusLine: boolean } {
    return { statusLine: ownSettings(readEnvironment()).now().statusLine };
  }

  /** Every settings file that may contain hooks, and their status in it. */
  async rows(): Promise<HookRow[]> {
    const rows: HookRow[] = [];
    const seen = new Set<string>();
    const folders = this.folders.length === 0 ? [null] : this.folders;
    for (const folder of folders) {
      const context = await this.repairContext(folder);
      for (const program of hookPrograms)
        for (const scope of hookScopes) {
          const found = hookFile(program, scope, context);
          if (!found.ok || (scope !== "user" && folder === null) || seen.has(found.value.file)) continue;
          seen.add(found.value.file);
          const status = await statusOf(program, scope, context);
          rows.push({ program, scope, folder, file: found.value.file, status });
        }
    }
    return rows.toSorted((one, other) => order(one) - order(other));
  }

  /**
   * Records this extension's folder, to which hooks may point: the uninstaller, also that of another editor's
   * copy, reads that record.
   */
  noteThis(): void {
    try {
      const home = purserPaths({ env: readEnvironment(), home: homedir() });
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
    const settings = ownSettings(env);
    return {
      env,
      extension: extensionPath,
      version: versionIn(extension.packageJSON),
      posting: settings.now().hookPosting,
      onFailure: onFailureOf(settings),
      run: this.#run,
    };
  }
}

/** A tab has little room. Characters. */
const maxNameLength = 40;

/** Names the tab after the settings file: other changes accompany it. */
function titleOf(changes: readonly HookChange[]): string {
  const settings = changes.find(({ settings: { file } }) => file.endsWith(".json")) ?? changes[0];
  const name = cutMiddle(shortPath(settings?.settings.target ?? ""), maxNameLength);
  return settings?.act === "uninstall" ? t("Uninstall Hooks: {0}", name) : t("Install Hooks: {0}", name);
}

function ownSettings(env: HookMachine["env"]): SettingsStore {
  const home = purserPaths({ env, home: homedir() });
  const { platform } = process;
  return new SettingsStore({ home, platform, clock: systemClock, onProblem: () => undefined });
}

function order({ program, scope }: HookTarget): number {
  return hookPrograms.indexOf(program) * hookScopes.length + hookScopes.indexOf(scope);
}
