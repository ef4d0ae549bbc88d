/** Shortens the output of commands. */
export { StoredOutputs } from "./host/stored-outputs.ts";
export { linesOf } from "./output/output-handler.ts";
export { findRivalHooks } from "./output/rival-hooks.ts";
