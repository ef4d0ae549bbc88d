import * as z from "zod/mini";
import { windowSettings } from "../settings/shape.ts";
import { liveSnapshot, sessionRoot } from "./sessions-answers.ts";
import { request, notice } from "../protocol/serve.ts";

export { protocolVersion } from "../protocol/serve.ts";
export { placesByAgent, type LiveSnapshot } from "./live-snapshot.ts";
export type { ContextSnapshot } from "./describe-sessions.ts";

/** How long a client may take to show its token. Milliseconds. */
export const helloTime = 5000;

const nothing = z.object({});

/**
 * Configuration for viewing sessions. Each client has its own, and the service reads the files once for all of them.
 * The user's settings are the same for all. `folders` are the client's own; each session is marked with those it
 * belongs to. `env` is the environment in which the agent was probably started, reduced to windows and compaction.
 */
const viewSchema = z.object({
  roots: z.array(z.extend(sessionRoot, { path: z.string().check(z.maxLength(4096)) })).check(z.maxLength(64)),
  env: z.record(z.string(), z.string()),
  folders: z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(256)),
});
export type ViewConfiguration = z.infer<typeof viewSchema>;

const stopReasons = ["asked", "handover", "idle", "superseded", "signal"] as const;
export type StopReason = (typeof stopReasons)[number];

/** The only request before the token is shown: asks the service to prove that it has the token, without revealing it. See `proof.ts`. */
const prove = request("prove", {
  params: z.object({ challenge: z.string().check(z.minLength(1), z.maxLength(128)) }),
  answer: z.object({ proof: z.string() }),
});

/** Otherwise the first request; until it succeeds, anything else closes the connection. */
export const hello = request("hello", {
  params: z.object({
    token: z.string().check(z.maxLength(512)),
    version: z.string().check(z.maxLength(64)),
    protocol: z.int(),
  }),
  answer: z.object({
    version: z.string(),
    protocol: z.int(),
    pid: z.int(),
    /** The running build; absent when running from source. */
    build: z.optional(z.object({ hash: z.string(), builtAt: z.number() })),
  }),
});

/** Sets this client's configuration for viewing sessions, from now on. */
const configure = request("configure", {
  params: z.extend(viewSchema, {
    /**
     * Settings of the window's user: they apply to every client from now on, even without the window. Terminals send
     * none.
     */
    settings: z.optional(windowSettings),
  }),
  answer: nothing,
});
export type ClientConfiguration = z.infer<typeof configure.params>;

const status = request("status", { params: nothing, answer: liveSnapshot });

/** Notifies this client with `snapshot`: first of the current state, then of every change. */
const subscribe = request("subscribe", { params: nothing, answer: nothing });
const unsubscribe = request("unsubscribe", { params: nothing, answer: nothing });

const describe = request("describe", {
  params: nothing,
  answer: z.object({
    version: z.string(),
    pid: z.int(),
    /** Milliseconds since the epoch. */
    startedAt: z.number(),
    clients: z.int(),
    /** Sessions with a process, or changed recently. */
    live: z.int(),
    /** Transcript folders that it reads, and distinct configurations of its clients. */
    sources: z.int(),
    views: z.int(),
    /** Bytes. */
    memory: z.object({ rss: z.number(), heap: z.number() }),
    /** CPU time used so far, milliseconds. */
    cpu: z.number(),
    /** Idle time after which it stops, milliseconds; null for never. */
    idleAfter: z.nullable(z.number()),
  }),
});
export type ServiceDescription = z.infer<typeof describe.answer>;

/** Asks the service to finish its writes and end. Answered at once; the connection closes when it is done. */
const shutdown = request("shutdown", {
  params: z.object({ reason: z.enum(["asked", "handover"]) }),
  answer: nothing,
});

/** Complete state, at most twice a second and only after a change; a slow client gets the latest. */
const snapshot = notice("snapshot", liveSnapshot);
/** The service ends, with the reason. */
const goodbye = notice("goodbye", z.object({ reason: z.enum(stopReasons) }));

/** Requests and notices of the connection itself, the service and its sessions. */
export const serviceRequests = {
  prove,
  hello,
  configure,
  status,
  subscribe,
  unsubscribe,
  describe,
  shutdown,
};
export const serviceNotices = { snapshot, goodbye };

/** Codes for refused requests, in addition to JSON-RPC's own. */
export const refusal = { unauthenticated: -32_001, outdated: -32_002 };
