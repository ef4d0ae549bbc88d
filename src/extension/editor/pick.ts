import * as vscode from "vscode";

interface PickOneOptions<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly Item[];
  /** The item chosen by pressing Enter at once. */
  readonly first?: Item | undefined;
  /** Called when an item's button is pressed; the list closes. */
  readonly onButton?: (item: Item, button: vscode.QuickInputButton) => void;
}

/** Asks for one of several items; undefined when cancelled. */
export function pickOne<Item extends vscode.QuickPickItem>(
  options: PickOneOptions<Item>,
): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.items = options.items;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (options.first !== undefined) pick.activeItems = [options.first];
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]);
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      pick.hide();
      options.onButton?.(item, button);
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

export interface Step<Item extends vscode.QuickPickItem> {
  readonly title: string;
  /**
   * Whether an earlier question can be answered again. Steps are not numbered: their count depends on the
   * answers.
   */
  readonly canGoBack: boolean;
  readonly placeholder: string;
  readonly items: readonly Item[];
  /** Enables multiple choice; these items are selected at first. */
  readonly chosen?: readonly Item[];
  /** The item chosen by pressing Enter at once. */
  readonly first?: Item | undefined;
  /** Turns typed text that matches no item into an item; undefined for invalid text. */
  readonly typed?: (text: string) => Item | undefined;
  /** More items, available after a moment. */
  readonly later?: Promise<readonly Item[]>;
}

/** The result of a step. */
export type Stepped<Item> =
  | { readonly kind: "chosen"; readonly items: readonly Item[] }
  | { readonly kind: "back" }
  | { readonly kind: "gone" };

/** Asks one question of several, with a way back from all but the first. */
export function pickStep<Item extends vscode.QuickPickItem>(asked: Step<Item>): Promise<Stepped<Item>> {
  const pick = vscode.window.createQuickPick<Item>();
  let { items } = asked;
  pick.title = asked.title;
  pick.placeholder = asked.placeholder;
  pick.items = items;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.buttons = asked.canGoBack ? [vscode.QuickInputButtons.Back] : [];
  if (asked.chosen !== undefined) {
    pick.canSelectMany = true;
    pick.selectedItems = asked.chosen;
  }
  if (asked.first !== undefined) pick.activeItems = [asked.first];
  let isOver = false;
  if (asked.later !== undefined) {
    pick.busy = true;
    void asked.later.then((more) => {
      if (isOver) return;
      items = [...more, ...items];
      pick.items = items;
      pick.activeItems = items.slice(0, 1);
      pick.busy = false;
    });
  }
  return new Promise((resolve) => {
    const end = (stepped: Stepped<Item>) => {
      resolve(stepped);
      pick.hide();
    };
    pick.onDidChangeValue((text) => {
      const own = asked.typed?.(text.trim());
      if (asked.typed !== undefined) pick.items = own === undefined ? items : [own, ...items];
    });
    pick.onDidTriggerButton(() => end({ kind: "back" }));
    pick.onDidAccept(() => {
      const taken = asked.chosen === undefined ? pick.activeItems.slice(0, 1) : pick.selectedItems;
      if (taken.length > 0) end({ kind: "chosen", items: taken });
    });
    pick.onDidHide(() => {
      isOver = true;
      resolve({ kind: "gone" });
      pick.dispose();
    });
    pick.show();
  });
}
