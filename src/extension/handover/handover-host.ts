import { joinSentences } from "../../engine/base/language.ts";
import os from "node:os";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { startOf } from "../../engine/base/process.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import {
  handoverIn,
  displayNameOf,
  handoverAgents,
  handoverWords,
  launchArguments,
  type HandoverWord,
} from "../../engine/continuity/handover.ts";
import type { HandoverDraft } from "../../engine/continuity/continuity-answers.ts";
import { agentOf } from "../../engine/transcripts/agents.ts";
import { showFailure, inform, warn } from "../editor/notices.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import { readEnvironment } from "../editor/settings.ts";
import type { Services } from "../services.ts";
import { ContinueHost } from "./continue.ts";
import { savesSentence } from "./describe-handover.ts";
import { installedAgents, type InstalledAgent } from "./installed-agents.ts";

interface LensPorts {
  readonly installed: () => Promise<readonly InstalledAgent[]>;
  /** The model that may summarize documents. Null for none. */
  readonly summingModel: () => Promise<string | null>;
}

/** Above a document that hands work over: one way to begin each installed agent with it, and to have it summed up where that is on. */
class HandoverLenses implements vscode.CodeLensProvider {
  readonly #ports: LensPorts;

  constructor(ports: LensPorts) {
    this.#ports = ports;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const id = handoverIn(document.lineAt(0).text);
    if (id === null) return [];
    const range = new vscode.Range(0, 0, 0, 0);
    const agents = await this.#ports.installed();
    const model = await this.#ports.summingModel();
    const improve = {
      title: t("Summarize with {0}…", model ?? ""),
      tooltip: t("One call of your own Claude Code; what it costs at most is shown first"),
      command: "purser.improveHandover",
      arguments: [document.uri.toString()],
    };
    const starts = agents.map(
      ({ word }) =>
        new vscode.CodeLens(range, {
          title: t("Start with {0}", displayNameOf(word)),
          tooltip: t("Starts it in a terminal, in the same folder, with this document as it is now"),
          command: "purser.startHandover",
          arguments: [{ id, word }],
        }),
    );
    return model === null ? starts : [...starts, new vscode.CodeLens(range, improve)];
  }
}

const { t } = vscode.l10n;
/** Characters. */
const [maxReasonLength, maxModelLength] = [300, 40];

const startTarget = z.object({ id: z.string(), word: z.enum(handoverWords) });

type HandoverServices = Pick<Services, "service" | "sessions" | "offers" | "log">;

/** Hands a session's work over: a document to edit, then a terminal with the agent that continues it. */
export class HandoverHost implements vscode.Disposable {
  readonly #services: HandoverServices;
  readonly #lenses: vscode.Disposable;
  readonly #continue: ContinueHost;

  constructor(services: HandoverServices) {
    this.#services = services;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(place()), "*.md");
    this.#lenses = vscode.languages.registerCodeLensProvider(
      { scheme: "file", pattern },
      new HandoverLenses({ installed, summingModel: () => this.#summingModel() }),
    );
    const handOver = (session: string) => this.handOver(session);
    this.#continue = new ContinueHost({ ...services, handOver });
  }

  /** Writes the document of a session, opens it, and offers the agents that can begin with it. */
  async handOver(sessionId: string): Promise<void> {
    const made = await this.#services.service.ask("handoverMake", { session: sessionId });
    if (!made.ok) {
      await this.#failed(
        t("The session could not be handed over: {0}", saidInMessage(made.detail, maxReasonLength)),
      );
      return;
    }
    const { draft } = made.value;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(draft.file));
    await vscode.window.showTextDocument(document, { preview: false });
    await this.#offer(draft, await installed());
  }

  /**
   * Starts an agent with a document: from a lens, with its document; from the palette, with the editor's
   * document and a picked agent.
   */
  async start(target: unknown): Promise<void> {
    const asked = startTarget.safeParse(target);
    const id = asked.success ? asked.data.id : shownDocument();
    if (id === null) {
      await this.#nothingOpen();
      return;
    }
    const agents = await installed();
    const agent = asked.success ? agents.find(({ word }) => word === asked.data.word) : await picked(agents);
    if (agent !== undefined) await this.#start(id, agent);
    else if (asked.success)
      await warn(t("{0} is not found on this machine.", displayNameOf(asked.data.word)));
  }

  /** Has a document summed up by the person's own agent: the one that its lens names, from the palette the one in the editor. */
  async improve(target: unknown): Promise<void> {
    const document = documentOf(target);
    const id = document === undefined ? null : handoverIn(document.lineAt(0).text);
    if (document === undefined || id === null) await this.#nothingOpen();
    else {
      const { improveHandover } = await import("./improve.ts");
      await improveHandover(id, document, this.#services);
    }
  }

  /** Gives a session that begins what the last one left, as the person chooses. */
  async continueFrom(target: unknown): Promise<void> {
    await this.#continue.run(target);
  }

  dispose(): void {
    this.#continue.dispose();
    this.#lenses.dispose();
  }

  async #offer(draft: HandoverDraft, agents: readonly InstalledAgent[]): Promise<void> {
    const saves = savesSentence(draft, t);
    if (agents.length === 0) {
      const none = t("The handover is written, but no agent on this machine can start with it.");
      // Without a button the editor shows the first line alone.
      const copy = t("Copy Its Text");
      if ((await vscode.window.showInformationMessage(`${none} ${saves}`, copy)) === copy)
        await vscode.env.clipboard.writeText(draft.text);
      return;
    }
    const titles = agents.map(({ word }) => ({ word, title: t("Start with {0}", displayNameOf(word)) }));
    const message = t("The handover is written. Edit it as you like, then start.");
    const chosen = await vscode.window.showInformationMessage(`${message} ${saves}`, ...titles);
    const agent = agents.find(({ word }) => word === chosen?.word);
    if (agent !== undefined) await this.#start(draft.id, agent);
  }

  async #start(id: string, { word, file }: InstalledAgent): Promise<void> {
    const { service } = this.#services;
    await saved(id);
    const { name } = handoverAgents[word];
    const started = await service.ask("handoverStart", { id, to: name });
    if (!started.ok) {
      await this.#failed(
        t("The handover could not be started: {0}", saidInMessage(started.detail, maxReasonLength)),
      );
      return;
    }
    openTerminal(word, file, started.value.draft);
    const { changed } = started.value.draft;
    if (changed.length > 0)
      await warn(
        t(
          "The handover is out of date, and says so: {0}.",
          saidInMessage(joinSentences(changed, "; "), maxReasonLength),
        ),
      );
  }

  /** The model that may summarize documents. Null if the user allows none, or none is known yet. */
  async #summingModel(): Promise<string | null> {
    const asked = await this.#services.service.ask("handoverImproveWith", {});
    return asked.ok && asked.value.model !== null ? inMessage(asked.value.model, maxModelLength) : null;
  }

  async #nothingOpen(): Promise<void> {
    await inform(t("Open a handover first: Purser: Hand Over…"));
  }

  async #failed(message: string): Promise<void> {
    await showFailure(this.#services.log, message);
  }
}

function openTerminal(word: HandoverWord, program: string, draft: HandoverDraft): void {
  const { platform } = process;
  const { id, text, file, folder } = draft;
  const args = launchArguments({ word, id, text, file, folder: place(), platform, isAttended: true });
  const started = startOf(program, args, platform);
  const { name } = handoverAgents[word];
  const { CLAUDE_CONFIG_DIR: folders } = readEnvironment();
  const terminal = vscode.window.createTerminal({
    name: displayNameOf(word),
    iconPath: new vscode.ThemeIcon(agentOf(name).icon),
    shellPath: started.file,
    shellArgs: [...started.args],
    ...(folder === null ? {} : { cwd: folder }),
    ...(folders === undefined ? {} : { env: { CLAUDE_CONFIG_DIR: folders } }),
  });
  terminal.show();
}

/** The id of the document in the active editor. Null for other files. */
function shownDocument(): string | null {
  const document = documentOf(undefined);
  return document === undefined ? null : handoverIn(document.lineAt(0).text);
}

/** The open document that a lens names, else the one in the active editor. */
function documentOf(target: unknown): vscode.TextDocument | undefined {
  return typeof target === "string"
    ? vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === target)
    : vscode.window.activeTextEditor?.document;
}

async function picked(agents: readonly InstalledAgent[]): Promise<InstalledAgent | undefined> {
  const items = agents.map((agent) => ({ label: displayNameOf(agent.word), agent }));
  const placeHolder = t("Which agent goes on with the work?");
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.agent;
}

/** The handover uses the editor's current text. */
async function saved(id: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find(
    (document) =>
      document.isDirty && document.uri.scheme === "file" && handoverIn(document.lineAt(0).text) === id,
  );
  await open?.save();
}

function place(): string {
  return purserPaths({ env: readEnvironment(), home: os.homedir() }).handovers;
}

async function installed(): Promise<readonly InstalledAgent[]> {
  return await installedAgents(readEnvironment(), process.platform);
}
