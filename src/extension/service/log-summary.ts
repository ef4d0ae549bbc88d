import { placesByAgent, type LiveSnapshot } from "../../engine/sessions/session-requests.ts";
import { agentNames } from "../../engine/transcripts/agents.ts";

export interface SummaryInput {
  /** Versions of this extension and of the editor. */
  readonly version: string;
  readonly editor: string;
  /** Null without a connection. */
  readonly service: { readonly version: string; readonly pid: number } | null;
  /** Null before the first one. */
  readonly snapshot: LiveSnapshot | null;
  /** Live sessions in this window's folders. */
  readonly liveHere: number;
}

/**
 * What a healthy window writes to its log, which is in English: versions, the service, folders read, and
 * counts.
 */
export function logSummary({ version, editor, service, snapshot, liveHere }: SummaryInput): string[] {
  return [
    `Context Purser ${version} in VS Code ${editor}.`,
    service === null
      ? "The service is not connected."
      : `Service: version ${service.version}, process ${service.pid}.`,
    ...(snapshot === null ? ["Nothing has been read yet."] : describe(snapshot, liveHere)),
  ];
}

function describe(snapshot: LiveSnapshot, liveHere: number): string[] {
  const { sessions, files, problems, settingProblems, ledgerProblem, complete } = snapshot;
  const folders = placesByAgent(snapshot).flatMap(({ agent, folders: own }) =>
    own.map(({ path, exists }) => `${agentNames.of(agent)}: ${path}${exists ? "" : " (not there)"}`),
  );
  return [
    ...folders,
    `Transcripts: ${files}${complete ? "" : ", still reading"}. Sessions of the last week: ${sessions.length}, live: ${sessions.filter(({ live }) => live).length}, live in this window: ${liveHere}.`,
    ...(ledgerProblem === undefined ? [] : [`The ledger: ${ledgerProblem.text}`]),
    ...problems.map(({ path, reason }) => `Cannot be read: ${path}: ${reason.text}`),
    ...settingProblems.map(({ path, reason }) => `A setting is not used: ${path}: ${reason.text}`),
  ];
}
