export {
  entriesOfRun,
  type BenchProgress,
  type LiveRun,
  type PauseReason,
} from "./run-facts/bench-entries.ts";
export {
  benchRunSchema,
  configurationRoles,
  driverNames,
  isEvidence,
  measuresModel,
  type BenchRun,
  type ConfigurationRole,
  type DriverName,
} from "./run-facts/run-facts.ts";
