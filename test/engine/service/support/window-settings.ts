import type { WindowSettings } from "../../../../src/engine/settings/editor-window.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";

/** The settings a window sends for this user, for all folders and for some. */
export function windowSettingsOf(
  user: PartialSettings,
  folders: Readonly<Record<string, PartialSettings>> = {},
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
