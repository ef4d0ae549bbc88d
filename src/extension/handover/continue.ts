import * as vscode from "vscode";
import type { StartOffer } from "../../engine/continuity/continuity-answers.ts";
import { ago } from "../editor/describe-editor.ts";
import { showFailure, inform } from "../editor/notices.ts";
import { saidInMessage, withoutIcons } from "../editor/outside-text.ts";
import { pickOne } from "../editor/pick.ts";
import type { Services } from "../services.ts";
import { offerName } from "./describe-handover.ts";
import { t } from "../../engine/base/language.ts";
const scheme = "purser-packet";
const maxReasonLength = 300;
const maxNameLength = 60;
/** Milliseconds. */
const copiedShown = 5000;

export interface ContinuePorts extends Pick<Services, "service" | "sessions" | "offers" | "log"> {
  /** Hands a session over to another one. */
  readonly handOver: (sessionId: string) => Promise<void>;
}

/** Gives a person what the last session left, for one that begins: its resume packet to read or to paste, or its work to hand over. */
export class ContinueHost implements vscode.Disposable {
  readonly #ports: ContinuePorts;
  readonly #registered: vscode.Disposable;

  constructor(ports: ContinuePorts) {
    this.#ports = ports;
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: async ({ query }) => (await this.#packetOf(query)) ?? "",
    });
  }

  /** @param target the id of the session that begins, or its item in the Sessions view; from the palette, the first that has an offer */
  async run(target: unknown): Promise<void> {
    const offer = this.#offerOf(target);
    if (offer === undefined) {
      await inform(t("No new session in this window has earlier work to continue."));
      return;
    }
    await (
      await picked(offer)
    )?.(this, offer);
  }

  async show({ sessionId }: StartOffer): Promise<void> {
    const path = `/${t("Resume packet")} ${sessionId.replaceAll(/[^\w.-]/gu, "_").slice(0, 8)}.md`;
    const uri = vscode.Uri.from({ scheme, path, query: sessionId });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async copy({ sessionId }: StartOffer): Promise<void> {
    const text = await this.#packetOf(sessionId);
    if (text === null) return;
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(
      t("Copied. Paste it into the prompt of the session that continues."),
      copiedShown,
    );
  }

  async handOver({ sessionId }: StartOffer): Promise<void> {
    await this.#ports.handOver(sessionId);
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #offerOf(target: unknown): StartOffer | undefined {
    const { sessions, offers } = this.#ports;
    const id = sessionIdIn(target);
    const asked = id === null ? sessions.live : sessions.live.filter((session) => session.id === id);
    return asked.flatMap((session) => offers.of(session) ?? [])[0];
  }

  async #packetOf(session: string): Promise<string | null> {
    const asked = await this.#ports.service.ask("sessionPacket", { session });
    if (asked.ok) return asked.value.text;
    await showFailure(
      this.#ports.log,
      t("The resume packet cannot be shown: {0}", saidInMessage(asked.detail, maxReasonLength)),
    );
    return null;
  }
}

type Act = (host: ContinueHost, offer: StartOffer) => Promise<void>;

async function picked(offer: StartOffer): Promise<Act | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly act: Act })[] = [
    {
      label: `$(copy) ${t("Copy Resume Packet")}`,
      detail: t(
        "What was asked, done, decided, tried without success and left open, to paste into the prompt",
      ),
      act: (host) => host.copy(offer),
    },
    {
      label: `$(book) ${t("Show Resume Packet")}`,
      detail: t("The same, to read"),
      act: (host) => host.show(offer),
    },
    {
      label: `$(arrow-swap) ${t("Hand Over Session…")}`,
      detail: t("A document you can edit, then a new session that starts with it"),
      act: (host) => host.handOver(offer),
    },
  ];
  const when = offer.at === null ? "" : ` · ${ago(offer.at, Date.now(), t)}`;
  const chosen = await pickOne({
    title: `${t("Continue from {0}", withoutIcons(offerName(offer, t), maxNameLength))}${when}`,
    placeholder: t("How should this session get the other one's work?"),
    items,
  });
  return chosen?.act;
}

/** The view passes its own nodes, a tooltip the id. */
function sessionIdIn(target: unknown): string | null {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null || !("session" in target)) return null;
  const { session } = target;
  const isSession = typeof session === "object" && session !== null && "id" in session;
  return isSession && typeof session.id === "string" ? session.id : null;
}
