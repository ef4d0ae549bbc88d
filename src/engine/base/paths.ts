/** Compares paths, and finds purser's and projects' folders. */
export { mainWorktree, purserPaths, type HomeInput, type PurserPaths } from "./disk/home.ts";
export { belongsTo, isAmong, namesOf, sessionPaths, type PathOptions } from "./disk/folder-membership.ts";
export { insideProject, projectFolder, realPathOf } from "./disk/project-folder.ts";
export { isSamePath, repositoryRoot } from "./disk/same-path.ts";
export { KnownProjects } from "./disk/known-projects.ts";
