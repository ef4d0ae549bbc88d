export {
  claudeFolder,
  hookFile,
  hookScopes,
  type HookFile,
  type HookScope,
} from "./install/settings/agent-file.ts";
export { readSettings } from "./install/settings/disk.ts";
export {
  anyShell,
  cliBeside,
  hookFormats,
  isOwnHandler,
  shimPathIn,
} from "./install/settings/install-settings-entry.ts";
export type { OwnHandler } from "./install/settings/install-settings-tree.ts";
export { edited, parseJsonDocument, type JsonDocument } from "./install/settings/json-document.ts";
export { appendMember, printDocument, replaceValue } from "./install/settings/json-edit.ts";
export { withHooks } from "./install/settings/set-hooks.ts";
export { wantedHooks } from "./install/settings/wanted-hooks.ts";
