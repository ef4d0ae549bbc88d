/** Paths: comparing them, and purser's and projects' folders. */
export { mainWorktree, maxSocketPath, purserPaths, type HomeInput, type PurserPaths } from "./disk/home.ts";
export { belongsTo, isAmong, namesOf, sessionPaths, type PathOptions } from "./disk/folder-membership.ts";
export { isSamePath, repositoryRoot } from "./disk/same-path.ts";
export { insideProject, projectFolder, realPathOf } from "./disk/project-folder.ts";
export { KnownProjects, sharedProject } from "./disk/known-projects.ts";
export { labelFrom, nameOwnMachine, ownLabel, ownMachine } from "./disk/own-machine.ts";
