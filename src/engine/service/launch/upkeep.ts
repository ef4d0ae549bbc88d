/** The code of both programs that maintain hooks, in one bundle: they share nearly all of it. */
export { repairOwnHooks } from "./repair-own.ts";
export { removeAllHooks } from "./remove-all.ts";
