/** Suites of golden tasks. */
export { bundledSuite, hasSuite, sourceSuite, workspaceSuiteFolder } from "./suite/folders.ts";
export { loadSuite, manifestName, type SuiteFault, type SuitePaths } from "./suite/load-suite.ts";
export { suiteHash, type GoldenAgent, type Suite } from "./suite/suite.ts";
export { workspaceSuite, type WorkspaceSuiteFault } from "./suite/workspace-paths.ts";
