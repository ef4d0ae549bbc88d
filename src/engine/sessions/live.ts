/** Follows live sessions. */
export type { FindStoredWork, StoredResponse, StoredWork, StoredWorkQuery } from "./live/stored-work.ts";
export { StoredWorkTaker } from "./live/stored-work-taker.ts";

export type { SessionAccount } from "./live/account.ts";
export type { SessionReader } from "./live/reader.ts";
export { serveSessions } from "./live/serve-sessions.ts";
export type { SessionFeed } from "./live/sessions-feed.ts";
export { SessionSource } from "./live/sessions-source.ts";
export { SessionView, type ContextNow } from "./live/sessions-view.ts";
export { ViewPool, type PoolPorts } from "./live/view-pool.ts";
export { OwnCatalogues, liveAccounts, type LiveAccounts } from "./live/own-catalogues.ts";
