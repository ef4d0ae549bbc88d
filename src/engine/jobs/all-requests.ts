import { goldenRequests } from "../bench/golden-requests.ts";
import { comparisonRequests } from "../compare/comparison-requests.ts";
import {
  guardReplayRequests,
  guardReplayNotices,
  guardRequests,
  guardEffectRequests,
} from "../guard/guard-requests.ts";
import { economyRequests } from "../recurring/wake-requests.ts";
import { benchNotices, benchRequests } from "./job-requests.ts";
import {
  learningRequests,
  compactionRequests,
  handoverNotices,
  handoverRequests,
} from "../continuity/continuity-requests.ts";
import { budgetNotices, budgetRequests } from "../budgets/budget-requests.ts";
import { ledgerNotices, ledgerRequests } from "../ledger/ledger-requests.ts";
import { messageNotices, messageRequests } from "../hooks/message-requests.ts";
import { serviceNotices, serviceRequests } from "../sessions/session-requests.ts";
import type { NoticeKind, RequestKind } from "../protocol/serve.ts";
import type { RequestResult, Peer } from "../protocol/peer.ts";
import { rulesRequests, rulesNotices, trialRequests } from "../rules/rule-requests.ts";

export function requesterOf<Of extends RequestName>(
  peer: Pick<Peer, "sendRequest">,
  kinds: RequestKinds<Of>,
): Requester<Of> {
  return { ask: (name, params, signal) => peer.sendRequest(kinds[name], params, signal) };
}

export const benchJobRequests = {
  ...ledgerRequests,
  ...goldenRequests,
  ...comparisonRequests,
  ...economyRequests,
  ...rulesRequests,
};

/** A closed list. Names and schemas are shared here, so that a client's bundle has no schemas of its own. */
const requests = {
  ...serviceRequests,
  ...ledgerRequests,
  ...goldenRequests,
  ...comparisonRequests,
  ...guardEffectRequests,
  ...economyRequests,
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

type RequestKinds<Of extends RequestName> = {
  readonly [Name in Of]: RequestKind<RequestParams<Name>, RequestAnswer<Name>, Name>;
};
export const requestKinds: RequestKinds<RequestName> = requests;

export const noticeKinds: { readonly [Name in NoticeName]: NoticeKind<NoticeParams<Name>, Name> } = notices;

/** Over the connection of a window or a terminal, or the pipe of a job's process. */
export interface Requester<Of extends RequestName = RequestName> {
  ask<Name extends Of>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResult<RequestAnswer<Name>>>;
}
