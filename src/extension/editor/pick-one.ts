import * as vscode from "vscode";

export interface PickOneOptions<Item extends vscode.QuickPickItem> {
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
