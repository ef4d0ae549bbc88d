/** Locks between processes. */
export {
  freeLock,
  isLockHeld,
  takeLock,
  type HeldLock,
  type LockPaths,
  type LockPorts,
} from "./lock/numbered.ts";
export { beatInterval, isOwn, ownerOf, ownerSchema, stateOf } from "./lock/owner.ts";
