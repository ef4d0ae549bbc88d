import * as vscode from "vscode";
import { withoutIcons } from "../../editor/outside-text.ts";
import { t } from "../../../engine/base/language.ts";
const maxLength = 300;

interface TestItem extends vscode.QuickPickItem {
  /** Null for a heading. */
  readonly call: string | null;
  readonly isTyped?: true;
}

interface CallTest {
  readonly title: string;
  /** The call with which the input starts. */
  readonly value: string;
  /** Returns the ids of the rules that fire on a call. */
  readonly fired: (call: string) => readonly string[];
  /** Calls of agents, the newest first. */
  readonly recent: Promise<readonly string[]>;
}

/**
 * Shows during typing which rules fire on a call. Also lists recent calls of agents, which can be edited.
 * Enter on the typed call, or Escape, ends it.
 */
export function testCalls({ title, value, fired, recent }: CallTest): Promise<void> {
  const pick = vscode.window.createQuickPick<TestItem>();
  let known: readonly TestItem[] = [];
  /** The text with which the input starts does not filter the list. */
  const show = ({ isNarrowed }: { readonly isNarrowed: boolean }): void => {
    pick.items = [
      typedItem(pick.value, fired),
      ...known.map((item) => ({ ...item, alwaysShow: !isNarrowed })),
    ];
    pick.activeItems = pick.items.slice(0, 1);
  };
  pick.title = title;
  pick.placeholder = t("A command, Read(FILE), Edit(FILE), or Write(FILE) <<< TEXT. Nothing is run.");
  pick.value = value;
  pick.ignoreFocusOut = true;
  pick.busy = true;
  show({ isNarrowed: false });
  return new Promise((resolve) => {
    let isOver = false;
    let taken = value;
    void recent.then((calls) => {
      if (isOver) return;
      pick.busy = false;
      known = recentItems(calls, fired);
      show({ isNarrowed: pick.value !== taken });
    });
    pick.onDidChangeValue((text) => show({ isNarrowed: text !== taken }));
    pick.onDidAccept(() => {
      const [item] = pick.activeItems;
      if (item === undefined || item.isTyped === true) pick.hide();
      else if (item.call !== null) {
        taken = item.call;
        pick.value = taken;
        show({ isNarrowed: false });
      }
    });
    pick.onDidHide(() => {
      isOver = true;
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

function typedItem(text: string, fired: CallTest["fired"]): TestItem {
  const isEmpty = text.trim() === "";
  const label = isEmpty ? t("Type a command.") : withoutIcons(text, maxLength);
  return { label, detail: isEmpty ? "" : verdict(fired(text)), call: text, isTyped: true, alwaysShow: true };
}

function recentItems(calls: readonly string[], fired: CallTest["fired"]): readonly TestItem[] {
  if (calls.length === 0) return [];
  const { Separator } = vscode.QuickPickItemKind;
  const heading = { label: t("Agents did lately"), kind: Separator, call: null };
  return [
    heading,
    ...calls.map((call) => ({
      label: withoutIcons(call, maxLength),
      // An editor shows no heading while something is typed.
      description: t("done lately"),
      detail: verdict(fired(call)),
      call,
    })),
  ];
}

function verdict(fired: readonly string[]): string {
  return fired.length === 0 ? t("No rule fires.") : t("Fires: {0}", withoutIcons(fired.join(" "), maxLength));
}
