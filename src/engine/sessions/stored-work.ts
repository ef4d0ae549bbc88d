export type { FindStoredWork, StoredResponse, StoredWork, StoredWorkQuery } from "./live/stored-work.ts";
export { StoredWorkTaker } from "./live/stored-work-taker.ts";
