import { joinSentences, t } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import * as z from "zod/mini";
import {
  handoverIn,
  displayNameOf,
  handoverAgents,
  handoverWords,
} from "../../engine/continuity/handover.ts";
import { showFailure, inform, warn } from "../editor/notices.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import { readEnvironment } from "../editor/settings.ts";
import type { Services } from "../services.ts";
import { ContinueHost } from "./continue.ts";
import { handoversFolder, openAgentTerminal } from "./agent-terminal.ts";
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
/** Characters. */
const [maxReasonLength, maxModelLength] = [300, 40];

const startTarget = z.object({ id: z.string(), word: z.enum(handoverWords) });

type HandoverServices = Pick<Services, "service" | "sessions" | "offers" | "log" | "follow">;

/** Hands a session's work over: by a card in its page, or by the document in an editor. */
export class HandoverHost implements vscode.Disposable {
  readonly #services: HandoverServices;
  readonly #lenses: vscode.Disposable;
  readonly #continue: ContinueHost;

  constructor(services: HandoverServices) {
    this.#services = services;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(handoversFolder()), "*.md");
    this.#lenses = vscode.languages.registerCodeLensProvider(
      { scheme: "file", pattern },
      new HandoverLenses({ installed, summingModel: () => this.#summingModel() }),
    );
    const handOver = (session: string) => {
      this.handOver(session);
      return Promise.resolve();
    };
    this.#continue = new ContinueHost({ ...services, handOver });
  }

  /** Shows a session with the card that hands it over. */
  handOver(sessionId: string): void {
    this.#services.follow("purser.openLedger", { handOver: sessionId });
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

  async #start(id: string, agent: InstalledAgent): Promise<void> {
    const { service } = this.#services;
    await saved(id);
    const { name } = handoverAgents[agent.word];
    const started = await service.ask("handoverStart", { id, to: name });
    if (!started.ok) {
      await this.#failed(
        t("The handover could not be started: {0}", saidInMessage(started.detail, maxReasonLength)),
      );
      return;
    }
    openAgentTerminal(agent, started.value.draft);
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

async function installed(): Promise<readonly InstalledAgent[]> {
  return await installedAgents(readEnvironment(), process.platform);
}
