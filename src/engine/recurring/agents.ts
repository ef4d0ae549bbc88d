export { isRecurringName, readDefinition, type RecurringAgent } from "./agents/definition.ts";
export {
  definitionText,
  findDefinition,
  readDefinitions,
  writeDefinition,
  type FoundDefinition,
} from "./agents/definitions.ts";
export { describeHeadKey, suggestInHead } from "./agents/head-help.ts";
export { definitionFile, definitionsFolder, projectOf } from "./agents/locate.ts";
export { abilities } from "./programs/honours.ts";
export { agree, agreedFile, readAgreement } from "./consent/agreement.ts";
export { hasUnagreedCommand, openTaskSource } from "./consent/task-source.ts";
