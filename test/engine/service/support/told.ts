import type { WindowSettings } from "../../../../src/engine/settings/editor-window.ts";
import type { ToldSettings } from "../../../../src/engine/settings/shape.ts";

/** The settings a window sends for this user, for all folders and for some. */
export function toldBy(
  user: ToldSettings,
  folders: Readonly<Record<string, ToldSettings>> = {},
  whose: Partial<Pick<WindowSettings, "editor" | "workspace">> = {},
): WindowSettings {
  return {
    editor: "file:///editor",
    workspace: null,
    user,
    folders: Object.entries(folders).map(([path, settings]) => ({ path, settings })),
    ...whose,
  };
}
