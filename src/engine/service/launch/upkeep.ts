export { repairOwnHooks } from "./repair-own.ts";
export { removeAllHooks } from "./remove-all.ts";
