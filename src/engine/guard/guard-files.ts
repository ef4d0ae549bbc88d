/** Files that guards read. */
export { guardFileAt, projectFilesAt } from "./host/project-files.ts";
export { projectTextReader, namesInFolder, scriptTextReader } from "./host/script-text.ts";
export { loadCatalogue } from "./user-rules/config-file.ts";
export { LoadedRules } from "./user-rules/loaded-rules.ts";
export { InstalledPrograms } from "./host/installed-programs.ts";
export { replayHistory } from "./host/replay-history.ts";
