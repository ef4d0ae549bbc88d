import * as z from "zod";
import { windowSettings } from "../settings/editor-window.ts";
import { liveSnapshot } from "../context/answers.ts";
import { request, notice } from "../rpc/request.ts";

/** What clients and the service say to each other, as JSON-RPC. Both sides hold it against these schemas. */
export { protocolVersion } from "../rpc/protocol-version.ts";
/** A client has this long to show its token. Milliseconds. */
export const helloTime = 5000;

const nothing = z.object({});

/**
 * What sessions are looked at with: each client has its own, and the service reads the files once for all of them. What the user
 * set is the same for all. `folders` are the client's own; sessions are told which of them they belong to. `env` is the environment the agent was probably started from, as far as it tells of windows and compaction.
 */
const viewSchema = z.object({
  roots: z.array(z.string()).max(64),
  env: z.record(z.string(), z.string()),
  folders: z.array(z.string().max(4096)).max(256),
});
export type ViewConfiguration = z.infer<typeof viewSchema>;

const stopReasons = ["asked", "handover", "idle", "superseded", "signal"] as const;
export type StopReason = (typeof stopReasons)[number];

/** What a client may ask before it shows the token: that the service shows that it has it, without showing it. See `proof.ts`. */
const prove = request("prove", {
  params: z.object({ challenge: z.string().min(1).max(128) }),
  answer: z.object({ proof: z.string() }),
});

/** The first thing a client says otherwise; until it is answered well, anything else ends the connection. */
export const hello = request("hello", {
  params: z.object({
    token: z.string().max(512),
    /** The client's own. */
    version: z.string().max(64),
    protocol: z.int(),
  }),
  answer: z.object({
    version: z.string(),
    protocol: z.int(),
    pid: z.int(),
    /** What was built that serves; left out by one that runs as it is written. */
    build: z.object({ hash: z.string(), builtAt: z.number() }).optional(),
  }),
});

/** Sets what this client's sessions are looked at with, from now on. */
const configure = request("configure", {
  params: viewSchema.extend({
    /** What the window's user has set: from now on it holds for everybody, also without the window. A terminal tells none. */
    settings: windowSettings.optional(),
  }),
  answer: nothing,
});
export type ClientConfiguration = z.infer<typeof configure.params>;

/** How all sessions stand, read just now. */
const status = request("status", { params: nothing, answer: liveSnapshot });

/** From now on every change is told with `snapshot`, first how things stand. */
const subscribe = request("subscribe", { params: nothing, answer: nothing });
const unsubscribe = request("unsubscribe", { params: nothing, answer: nothing });

/** How the service itself is doing. */
const describe = request("describe", {
  params: nothing,
  answer: z.object({
    version: z.string(),
    pid: z.int(),
    /** Milliseconds since the epoch. */
    startedAt: z.number(),
    /** Others than the one that asks. */
    clients: z.int(),
    /** Sessions with a process, or that changed lately. */
    live: z.int(),
    /** Transcript folders it reads, and the different ways its clients look at them. */
    sources: z.int(),
    views: z.int(),
    /** Bytes. */
    memory: z.object({ rss: z.number(), heap: z.number() }),
    /** CPU time used so far, milliseconds. */
    cpu: z.number(),
    /** It stops after being of no use for this long, milliseconds; null when it does not. */
    idleAfter: z.number().nullable(),
  }),
});
export type ServiceDescription = z.infer<typeof describe.answer>;

/** Asks it to finish its writes and end. Answered at once; the connection ends when it is done. */
const shutdown = request("shutdown", {
  params: z.object({ reason: z.enum(["asked", "handover"]) }),
  answer: nothing,
});

/** Whole, at most two a second, only when something changed; a slow client gets the latest. */
const snapshot = notice("snapshot", liveSnapshot);
/** The service ends, and why. */
const goodbye = notice("goodbye", z.object({ reason: z.enum(stopReasons) }));

/** What a connection itself, the service and its sessions are asked and tell. */
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

/** Why a request was refused, beside JSON-RPC's own codes. */
export const refusal = { unauthenticated: -32_001, outdated: -32_002 };
