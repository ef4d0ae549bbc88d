import * as vscode from "vscode";
import { maskBearer } from "../../engine/base/text.ts";
import { OneQuestion, type Question } from "../editor/one-question.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { t } from "../../engine/base/language.ts";
const previewScheme = "purser-hooks";
/** Context key that shows the buttons above the comparison. */
const shownKey = "purser.isChangeShown";

/** A file's current and proposed text. */
interface FileChange {
  readonly file: string;
  /** Null when it does not exist. */
  readonly before: string | null;
  /** Null when it is to be deleted. */
  readonly after: string | null;
}

/** A question about changes of files. */
export interface ChangeQuestion {
  /** Names what would happen, such as `Install purser's hooks for Claude Code?`. */
  readonly question: string;
  /** The benefit, or the text that stays as it is: one line. */
  readonly benefit: string;
  /** Further effects, a sentence each. */
  readonly notes: readonly string[];
  /** The label of the choice that makes the changes. */
  readonly yes: string;
}

interface AskedChange extends ChangeQuestion {
  /** The tab's title. */
  readonly title: string;
  readonly changes: readonly FileChange[];
}

const maxBenefitLength = 160;

let shared: ChangePreview | undefined;

/** The window's shared preview: its buttons answer one question, from any feature. */
export function changePreview({
  subscriptions,
}: Pick<vscode.ExtensionContext, "subscriptions">): ChangePreview {
  if (shared === undefined) {
    shared = new ChangePreview();
    subscriptions.push(shared);
  }
  return shared;
}

/** A file's own URI, and those of its current and proposed text. */
type Compared = readonly [file: vscode.Uri, now: vscode.Uri, then: vscode.Uri];

/** Shows proposed changes of files beside their current state, and asks for confirmation. */
class ChangePreview implements vscode.Disposable {
  /** By URI. */
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;
  readonly #questions = new OneQuestion();
  #count = 0;
  /** The tab's title. */
  #title = "";

  constructor() {
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(previewScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => this.#isShown(tab))) this.answer(false);
      }),
    );
  }

  /**
   * Shows the changes and waits for an answer, from the list or the buttons above the comparison. Closing the comparison is a no.
   * A list that another one replaces is no answer: the buttons remain.
   */
  async ask(asked: AskedChange): Promise<boolean> {
    const pick = vscode.window.createQuickPick();
    return await this.#questions.ask({
      show: async (question) => {
        await this.#show(asked);
        offer(pick, question, asked);
      },
      close: async () => {
        pick.dispose();
        await this.#close();
      },
    });
  }

  /** Handles a button above the comparison. */
  answer(isYes: boolean): void {
    this.#questions.answer(isYes);
  }

  dispose(): void {
    this.answer(false);
    this.#registered.dispose();
  }

  async #show({ title, changes }: AskedChange): Promise<void> {
    this.#texts.clear();
    this.#title = title;
    const compared = changes.map((change) => this.#compare(change));
    const [only] = compared;
    await vscode.commands.executeCommand("setContext", shownKey, true);
    if (compared.length === 1 && only !== undefined) {
      const [, now, then] = only;
      await vscode.commands.executeCommand("vscode.diff", now, then, this.#title, { preview: false });
    } else {
      await vscode.commands.executeCommand("vscode.changes", this.#title, compared);
      // `vscode.changes` takes no options, and a preview tab replaced by the next file would count as an answer nobody
      // gave.
      await vscode.commands.executeCommand("workbench.action.keepEditor");
    }
  }

  #compare({ file: name, before, after }: FileChange): Compared {
    this.#count += 1;
    const file = vscode.Uri.file(name);
    const side = (which: "now" | "then", text: string | null) => {
      // Both sides have the same path: otherwise the editor shows a rename.
      const uri = file.with({ scheme: previewScheme, authority: "", query: `${which}-${this.#count}` });
      // The key must not appear on screen.
      this.#texts.set(uri.toString(), maskBearer(text ?? "", "key of purser's service"));
      return uri;
    };
    return [file, side("now", before), side("then", after)];
  }

  async #close(): Promise<void> {
    await vscode.commands.executeCommand("setContext", shownKey, false);
    const tabs = vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.filter((tab) => this.#isShown(tab)),
    );
    // Closing this tab must not answer the next question: its tab may have the same title.
    this.#title = "";
    await vscode.window.tabGroups.close(tabs);
  }

  /** The editor appends the number of files to the label. */
  #isShown({ label }: vscode.Tab): boolean {
    return this.#title !== "" && label.startsWith(this.#title);
  }
}

/** Offers the answers in a list, which stays until it is answered; a notification would leave while the change is still read. */
function offer(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  question: Question,
  { question: title, benefit, notes, yes }: AskedChange,
): void {
  const accept = { label: `$(check) ${yes}`, detail: withoutIcons(benefit, maxBenefitLength) };
  const refuse = { label: `$(close) ${t("Cancel")}` };
  const explain = { label: `$(info) ${t("What Else Happens…")}` };
  pick.title = title;
  pick.placeholder = t("Look at the changes below, then choose");
  pick.ignoreFocusOut = true;
  pick.items = notes.length === 0 ? [accept, refuse] : [accept, refuse, explain];
  pick.onDidAccept(async () => {
    const [chosen] = pick.selectedItems;
    if (chosen === explain) {
      await vscode.window.showInformationMessage(title, { modal: true, detail: notes.join("\n\n") });
      pick.show();
    } else if (chosen !== undefined) question.answer(chosen === accept);
  });
  pick.show();
}
