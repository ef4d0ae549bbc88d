import { inWords, t } from "../../engine/base/language.ts";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { errorText } from "../../engine/base/result.ts";
import { thisMachine } from "../../engine/base/process.ts";
import { systemClock } from "../../engine/base/timing.ts";
import { showFailure } from "../editor/notices.ts";
import { inMessage } from "../editor/outside-text.ts";
import type { Services } from "../services.ts";
import { panels } from "../panels/registry.ts";
import type { SampleCommand } from "../editor/lazy-commands.ts";
import { makeFolder, removeLeftFolders, type FolderPorts } from "./folder.ts";
import { openSample, type OpenedSample } from "./opened.ts";
import { writeSample } from "./unpack.ts";

/**
 * The sample: purser filled with a made-up month of work, for users without an agent, or before any
 * measurement.
 *
 * - **What it is.** `media/sample.json.br` has recorded and made-up sessions of all agents, what a ledger
 *   knows of older ones, and finished jobs. `npm run generate -- sample` makes it: a seeded story goes
 *   through the real rules, the real job queue and the real verdicts, so that no verdict is written by hand.
 *   Its times are relative to the moment at which it is opened.
 * - **Where it lives.** In a separate folder below the system's temporary folder, with mode 0700: purser's
 *   home, each agent's home and the made-up project. A second service, in a separate process, has only these.
 *   Its environment contains only what the system needs.
 * - **What it may do.** Look. Its panels are the usual ones, on the second service, each with a banner, a
 *   different title, and links to the others. Decisions about its rules change its own files. Everything that
 *   could start an agent or ask a model is refused here and by its service. The user's data, settings,
 *   budgets, agents and sessions are never part of it.
 * - **How it ends.** With Close Sample or the window: panels, service and folder go. When a window is killed,
 *   the sample's service sees that the owner named in the folder is gone: it ends and removes the folder. If
 *   that service was killed too, the next window removes the folder when it starts or opens a sample.
 */
export class SampleHost implements vscode.Disposable {
  readonly #services: Services;
  readonly #ports: FolderPorts = {
    temporary: os.tmpdir(),
    pid: process.pid,
    machine: thisMachine(),
    clock: systemClock,
  };
  #opening: Promise<OpenedSample | undefined> | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** @param target a session to show in Usage */
  async run(command: SampleCommand, target: unknown): Promise<void> {
    switch (command) {
      case "purser.openSample":
        await this.#show("purser.openLedger", target);
        return;
      case "purser.closeSample":
        await this.close();
        return;
      case "purser.playSample":
        void (await this.#opening)?.play.play();
        return;
      case "purser.stopSample":
        (await this.#opening)?.play.stop();
        return;
    }
  }

  /** @param command the usual command of the panel to show */
  async #show(command: string, target?: unknown): Promise<void> {
    const isNew = this.#opening === undefined;
    const opened = await (this.#opening ??= this.#open());
    if (opened === undefined) return;
    opened.panels.follow(command, target);
    if (!isNew) return;
    await vscode.commands.executeCommand("purser.sampleSessions.focus");
    void opened.play.play();
  }

  /** Removes what killed windows left. */
  async removeLeft(): Promise<void> {
    const removed = await removeLeftFolders(this.#ports);
    if (removed > 0) this.#services.log.info(`Removed what ${removed} closed windows left of the sample.`);
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const opened = await opening;
    await setOpen(false);
    await opened?.close();
  }

  dispose(): void {
    void this.close();
  }

  async #open(): Promise<OpenedSample | undefined> {
    const location = vscode.ProgressLocation.Notification;
    const title = t("Opening the sample…");
    return await vscode.window.withProgress({ location, title }, async () => {
      try {
        return await this.#begin();
      } catch (error) {
        this.#opening = undefined;
        const { log } = this.#services;
        await setOpen(false);
        void showFailure(log, t("The sample could not be opened: {0}", inMessage(errorText(error), 200)));
        return undefined;
      }
    });
  }

  /** @throws why it could not be opened */
  async #begin(): Promise<OpenedSample> {
    const { context } = this.#services;
    await this.removeLeft();
    const folder = await makeFolder(this.#ports);
    const written = await writeSample({
      packed: path.join(context.extensionPath, "media", "sample.json.br"),
      fixture: path.join(context.extensionPath, "fixture"),
      folder: folder.path,
      now: this.#ports.clock.now(),
    }).catch(async (error: unknown) => {
      await folder.remove();
      throw error;
    });
    if (!written.ok) {
      await folder.remove();
      throw new Error(inWords(written.detail));
    }
    const opened = await openSample(this.#services, folder, {
      act: (action) => void (action === "close" ? this.close() : this.#show(panels[action].shownBy)),
    });
    const showPlaying = () => void setPlaying(opened.play.isPlaying);
    opened.play.onChange(showPlaying);
    await setOpen(true);
    return opened;
  }
}

async function setPlaying(isPlaying: boolean): Promise<void> {
  await vscode.commands.executeCommand("setContext", "purser.isSamplePlaying", isPlaying);
}

async function setOpen(isOpen: boolean): Promise<void> {
  await vscode.commands.executeCommand("setContext", "purser.isSampleOpen", isOpen);
}
