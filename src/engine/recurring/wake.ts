export { createWakePorts } from "./wake/create-ports.ts";
export { planWake, type WakePlan, type WakeRequest } from "./wake/next-step.ts";
export { planViewOf, wakeOf } from "./wake/recurring-wake-environment.ts";
export type { WakePorts } from "./wake/recurring-wake-ports.ts";
export { turnLimitOf } from "./wake/session-rotation.ts";
export { interruption } from "./wake/recurring-wake-record.ts";
export { pastState, readState } from "./wake/recurring-wake-state.ts";
export { runWake, type WakeFault } from "./wake/run-recurring-wake.ts";
export { WakeSchedule } from "./host/wake-schedule.ts";
