export {
  loadSuite,
  manifestName,
  type SuiteFault,
  workspaceSuite,
  type WorkspaceSuiteFault,
} from "./suite/load-suite.ts";
export {
  type SuitePaths,
  bundledSuite,
  hasSuite,
  sourceSuite,
  workspaceSuiteFolder,
} from "./suite/folders.ts";
export { suiteHash, type GoldenAgent, type Suite } from "./suite/suite.ts";
