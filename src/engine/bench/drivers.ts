export { firstReadyDriver, makeDriver, type DriverPorts } from "./drivers/make.ts";
export { guardRefusal, type Driver, type Trajectory } from "./drivers/driver.ts";
export type { AgentPorts } from "./drivers/claude/claude.ts";
export { markName } from "./drivers/run-environment.ts";
export { isOfCloudInUse } from "./drivers/cloud-access.ts";
export { environmentSign } from "./drivers/environment-signs.ts";
export { allowedTools, lastJson, messageOf, printedIn } from "./drivers/claude/arguments.ts";
