import { benchNotices, benchRequests } from "./jobs.ts";
import { handoverNotices, handoverRequests } from "./handover.ts";
import { budgetNotices, budgetRequests } from "./budgets.ts";
import { compactionRequests } from "./put-back.ts";
import { guardRequests } from "./guard.ts";
import { guardReplayNotices, guardReplayRequests } from "./guard-replay.ts";
import { learningRequests } from "./learn.ts";
import { ledgerNotices, ledgerRequests } from "./ledger.ts";
import { messageNotices, messageRequests } from "./messages.ts";
import { serviceNotices, serviceRequests } from "./service.ts";
import type { NoticeKind, RequestKind } from "../rpc/request.ts";
import type { RequestResult } from "../rpc/peer.ts";
import { rulesNotices, rulesRequests } from "./rules.ts";
import { trialRequests } from "./trials.ts";

/**
 * All requests and notices between clients and the service, by name: a closed list. Names and schemas are shared here, so that a client's
 * own code has no schemas in its bundle.
 */
const requests = {
  ...serviceRequests,
  ...ledgerRequests,
  ...benchRequests,
  ...rulesRequests,
  ...trialRequests,
  ...budgetRequests,
  ...messageRequests,
  ...guardRequests,
  ...guardReplayRequests,
  ...compactionRequests,
  ...learningRequests,
  ...handoverRequests,
};
const notices = {
  ...serviceNotices,
  ...ledgerNotices,
  ...benchNotices,
  ...rulesNotices,
  ...budgetNotices,
  ...messageNotices,
  ...guardReplayNotices,
  ...handoverNotices,
};

type Requests = typeof requests;
type Notices = typeof notices;
export type RequestName = keyof Requests;
export type NoticeName = keyof Notices;
export type RequestParams<Name extends RequestName> =
  Requests[Name] extends RequestKind<infer Params, unknown> ? Params : never;
export type RequestAnswer<Name extends RequestName> =
  Requests[Name] extends RequestKind<unknown, infer Answer> ? Answer : never;
export type NoticeParams<Name extends NoticeName> =
  Notices[Name] extends NoticeKind<infer Params> ? Params : never;

export type RequestKinds<Of extends RequestName> = {
  readonly [Name in Of]: RequestKind<RequestParams<Name>, RequestAnswer<Name>, Name>;
};
export const requestKinds: RequestKinds<RequestName> = requests;

export const noticeKinds: { readonly [Name in NoticeName]: NoticeKind<NoticeParams<Name>, Name> } = notices;

/** Sends requests to the service by name: over the connection of a window or a terminal, or the pipe of a job's process. */
export interface Requester<Of extends RequestName = RequestName> {
  ask<Name extends Of>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResult<RequestAnswer<Name>>>;
}
