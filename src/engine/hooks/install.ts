export {
  chooseHooks,
  statusOf,
  hookWays,
  type HookChoice,
  type FailureWish,
  type InstallContext,
  type InstallReason,
  type PlannedInstall,
  type RunStatus,
  type WithoutHttp,
  describeWithoutHttp,
} from "./install/installer.ts";
export { planWholeInstall, planWholeUninstall, type WholeInstall } from "./install/whole-plan.ts";
export type { HookChange } from "./install/plan-change.ts";
export { makeChange, type ChangeReason } from "./install/make-change.ts";
export { isScript, removeInstalled, shimBehind } from "./install/remove.ts";
export { installContext, onFailureOf, shimBeside } from "./install/hooks-install-context.ts";
export { findNode, oldestNode, readAgentVersion, type FoundNode } from "./install/agent-version.ts";
export {
  forgetInstallation,
  heldPrograms,
  noteInstallation,
  otherShims,
  type OtherPeople,
} from "./install/other-people.ts";
export type { Policy } from "./install/policies.ts";
export { nodeSettingsDisk, readSettings, type Settings, type SettingsDisk } from "./install/settings/disk.ts";
export { planSkill, skillName, type SkillPlan } from "./install/skill-change.ts";
export {
  claudeFolder,
  hookFile,
  hookScopes,
  type HookFile,
  type HookScope,
} from "./install/settings/agent-file.ts";
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
