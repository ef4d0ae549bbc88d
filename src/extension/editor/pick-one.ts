import * as vscode from "vscode";

export interface PickOneOptions<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly Item[];
  /** The one that is chosen by pressing Enter at once. */
  readonly first?: Item | undefined;
  /** A button of an item was pressed; the list closes. */
  readonly onButton?: (item: Item, button: vscode.QuickInputButton) => void;
}

/** Asks for one of several; undefined when nobody answers. */
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
