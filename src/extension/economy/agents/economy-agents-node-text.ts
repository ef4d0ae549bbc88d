import path from "node:path";
import { shortNumber } from "../../../engine/base/local-format.ts";
import { cleanText } from "../../../engine/base/text.ts";
import type { WakeOutcome, WakeRow } from "../../../engine/ledger/woken.ts";
import { ago, type Translate } from "../../editor/describe-editor.ts";
import type { WakeJob } from "../../../engine/jobs/bench-answers.ts";
import { joinParts, rowPart, type NodeText } from "../../editor/node-text.ts";
import {
  isUnagreed,
  lastWakeText,
  nextWakeText,
  reasonText,
  sourceText,
  agentState,
  wakeEndText,
  type AgentState,
  type RecurringTextOptions,
} from "./describe-economy-agents.ts";
import { lastSession, type RecurringNode } from "./economy-agents-tree.ts";
import { inWords } from "../../../engine/base/language.ts";

const maxFaultLength = 120;
const [warning, error] = ["list.warningForeground", "list.errorForeground"];

const stateIcons: Readonly<Record<AgentState, Pick<NodeText, "icon" | "color">>> = {
  faulty: { icon: "error", color: error },
  running: { icon: "loading~spin" },
  waiting: { icon: "comment-unresolved" },
  paused: { icon: "debug-pause", color: warning },
  unagreed: { icon: "unverified", color: warning },
  due: { icon: "bell-dot" },
  idle: { icon: "bell-slash" },
  scheduled: { icon: "calendar" },
  "by hand": { icon: "hubot" },
};

const outcomeIcons: Readonly<Record<WakeOutcome, Pick<NodeText, "icon" | "color">>> = {
  completed: { icon: "pass" },
  limit: { icon: "debug-step-over", color: warning },
  failed: { icon: "error", color: error },
  environment: { icon: "cloud", color: warning },
  cancelled: { icon: "circle-slash" },
  interrupted: { icon: "debug-disconnect", color: warning },
};

export function recurringNodeText(node: RecurringNode, options: RecurringTextOptions): NodeText {
  const { t, now } = options;
  switch (node.kind) {
    case "recurring-project":
      return {
        label: rowPart(path.basename(node.project.project)),
        description: "",
        icon: "root-folder",
        contextValue: "recurringProject",
        tooltip: cleanText(node.project.project),
      };
    case "recurring-agent":
      return agentText(node, options);
    case "recurring-fault":
      return {
        label: t("Line {0}", node.fault.line),
        description: rowPart(inWords(node.fault.message), maxFaultLength),
        icon: "error",
        color: error,
        contextValue: "recurringFault",
        tooltip: cleanText(inWords(node.fault.message)),
      };
    case "recurring-sessions":
      return {
        label: t("Sessions"),
        description: String(node.overview.sessions.length),
        icon: "comment-discussion",
        contextValue: "recurringSessions",
        tooltip: t("The sessions that the next wakes go on with, one for each task."),
      };
    case "recurring-session": {
      const { task, wakes, turns, lastAt, id } = node.session;
      return {
        label: task === null ? t("No task") : rowPart(task),
        description: joinParts([
          wakes === 1 ? t("1 wake") : t("{0} wakes", wakes),
          turns === 1 ? t("1 turn") : t("{0} turns", turns),
          ago(lastAt, now, t),
        ]),
        icon: "comment",
        contextValue: "recurringSession withSession",
        tooltip: t("Session {0}", cleanText(id)),
      };
    }
    case "recurring-wakes":
      return {
        label: t("Last Wakes"),
        description: "",
        icon: "history",
        contextValue: "recurringWakes",
      };
    case "recurring-wake":
      return wakeText(node, options);
  }
}

function agentText(
  { overview }: RecurringNode & { kind: "recurring-agent" },
  options: RecurringTextOptions,
): NodeText {
  const { t, now, wokenBy, jobOf } = options;
  const state = agentState(overview, wokenBy(overview));
  const next = nextWakeText(overview, options);
  const task = overview.running?.taskId ?? null;
  const job = jobOf(overview);
  const description = joinParts([
    rowPart(next, maxFaultLength),
    state === "running" && task !== null ? rowPart(task) : "",
    state === "running" && job !== undefined ? usedText(job, t) : "",
    state === "faulty" || state === "running" ? "" : lastWakeText(overview, now, t),
  ]);
  const isReady = state !== "faulty";
  return {
    label: rowPart(overview.name),
    description,
    ...stateIcons[state],
    contextValue: [
      "recurringAgent",
      ...(isReady ? [overview.isBusy ? "busy" : "wakeable"] : ["faulty"]),
      ...(job === undefined ? [] : ["cancellable"]),
      ...(isUnagreed(overview) ? ["unagreed"] : []),
      ...(lastSession(overview) === null ? [] : ["withSession"]),
    ].join(" "),
    spoken: t("{0}, recurring agent, {1}", cleanText(overview.name), description),
  };
}

/** Describes the use so far of a wake that runs. */
function usedText({ wake }: WakeJob, t: Translate): string {
  const { turns, tokens } = wake?.used ?? { turns: 0, tokens: 0 };
  if (turns === 0) return "";
  return turns === 1
    ? t("1 turn, {0} new tokens", shortNumber(tokens))
    : t("{0} turns, {1} new tokens", turns, shortNumber(tokens));
}

function wakeText(
  { wake }: RecurringNode & { kind: "recurring-wake" },
  { t, now }: RecurringTextOptions,
): NodeText {
  const end = wakeEndText(wake, now, t);
  const parts = [
    sourceText(wake.source, t),
    wake.taskId === null ? "" : rowPart(wake.taskId),
    reasonText(wake, t),
    tokensText(wake, t),
  ];
  return {
    label: end.charAt(0).toLocaleUpperCase() + end.slice(1),
    description: joinParts(parts),
    ...outcomeIcons[wake.outcome],
    contextValue: `recurringWake${wake.sessionId === null ? "" : " withSession"}`,
    spoken: joinParts([end, ...parts]),
  };
}

/** Normalized input (the cost) beside raw input (the volume). */
function tokensText({ normalizedInput, rawInput }: WakeRow, t: Translate): string {
  if (normalizedInput === null && rawInput === null) return t("tokens unknown");
  if (rawInput === null) return t("{0} normalized", shortNumber(normalizedInput ?? 0));
  if (normalizedInput === null) return t("{0} raw", shortNumber(rawInput));
  return t("{0} normalized, {1} raw", shortNumber(normalizedInput), shortNumber(rawInput));
}
