export {
  loadSuite,
  manifestName,
  type SuiteFault,
  workspaceSuite,
  type WorkspaceSuiteFault,
} from "./suite/load-suite.ts";
export { type CommitPorts } from "./fixture/commit-fixture.ts";
export {
  type SuitePaths,
  bundledSuite,
  hasSuite,
  sourceSuite,
  workspaceSuiteFolder,
} from "./suite/folders.ts";
export {
  fixtureHashOf,
  fixturesOf,
  suiteHash,
  type Fixture,
  type GoldenAgent,
  type Suite,
} from "./suite/suite.ts";
