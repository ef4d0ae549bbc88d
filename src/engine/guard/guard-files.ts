/** Files that guards read, and outputs that they shorten. */
export { guardFileAt, projectFilesAt } from "./host/project-files.ts";
export { projectTextReader, namesInFolder, scriptTextReader } from "./host/script-text.ts";
export { loadCatalogue } from "./user-rules/config-file.ts";
export { LoadedRules } from "./user-rules/loaded-rules.ts";
export { InstalledPrograms } from "./host/installed-programs.ts";
export { replayHistory } from "./host/replay-history.ts";
export { StoredOutputs } from "./host/stored-outputs.ts";
export { linesOf } from "./output/output-handler.ts";
export { findRivalHooks } from "./output/rival-hooks.ts";
