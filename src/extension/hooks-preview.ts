import path from "node:path";
import * as vscode from "vscode";
import type { HookChange } from "../engine/guard/install/plan-change.ts";
import { shortPath } from "./short-path.ts";
import { cutMiddle } from "../engine/base/text.ts";
import { maskToken } from "./mask-token.ts";

const { t } = vscode.l10n;
export const previewScheme = "purser-hooks";
/** A tab has little room. */
const longestName = 40;
type Side = "now" | "then";

/** Shows what would become of a settings file beside what it is now, and asks. */
export class HookPreview implements vscode.Disposable {
  /** By the path of its address. */
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;
  #count = 0;
  #answer: ((isYes: boolean) => void) | undefined;

  constructor() {
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(previewScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? "",
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => isOfPreview(tab))) this.answer(false);
      }),
    );
  }

  /**
   * Shows the change and waits for an answer: the notification's, or that of the buttons above the comparison. Closing it is a no.
   *
   * @param yes the button's label
   */
  async ask(change: HookChange, question: string, yes: string): Promise<boolean> {
    this.answer(false);
    const answered = new Promise<boolean>((resolve) => (this.#answer = resolve));
    await vscode.commands.executeCommand("vscode.diff", ...this.#comparison(change), {
      preview: true,
    } satisfies vscode.TextDocumentShowOptions);
    void vscode.window.showInformationMessage(question, yes, t("Cancel")).then((said) => {
      // A notification that went away by itself is no answer: the buttons above the comparison stay.
      if (said !== undefined) this.answer(said === yes);
    });
    const isYes = await answered;
    await closePreviews();
    return isYes;
  }

  /** What a button says. */
  answer(isYes: boolean): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(isYes);
  }

  dispose(): void {
    this.answer(false);
    this.#registered.dispose();
  }

  #comparison({ act, settings, after }: HookChange): [vscode.Uri, vscode.Uri, string] {
    this.#texts.clear();
    this.#count += 1;
    const side = (which: Side, bytes: Buffer | null) => {
      const place = `/${this.#count}/${which}/${path.basename(settings.file)}`;
      this.#texts.set(place, maskToken(bytes?.toString("utf8") ?? ""));
      return vscode.Uri.from({ scheme: previewScheme, path: place });
    };
    const name = cutMiddle(shortPath(settings.target), longestName);
    const title = act === "install" ? t("Install Hooks: {0}", name) : t("Uninstall Hooks: {0}", name);
    return [side("now", settings.bytes), side("then", after), title];
  }
}

async function closePreviews(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter((tab) => isOfPreview(tab)));
  await vscode.window.tabGroups.close(tabs);
}

function isOfPreview({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === previewScheme;
}
