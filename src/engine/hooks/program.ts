export { abilities, abilitiesOf, type Ability } from "./program/abilities.ts";
export {
  callerOf,
  entryHeader,
  forwardedVariables,
  hookCallers,
  hookPrograms,
  isAttended,
  probeIn,
  probeSession,
  probeText,
  type HookCaller,
  type HookProgram,
} from "./program/probe.ts";
