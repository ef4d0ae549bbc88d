import type { SessionMemory } from "../../base/per-session.ts";
import {
  mayReplace,
  type HookEvent,
  type EventNamed,
  isNamed,
  type HookAnswer,
  isNestedCall,
  toolCallOf,
} from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { HookCaller } from "../../hooks/program.ts";
import type { GuardMode } from "../../settings/guard.ts";
import { isTaskNotification } from "../../transcripts/claude.ts";
import type { FindCallsInContext } from "../../transcripts/past.ts";
import type { Invocation } from "../commands/invocation.ts";
import type { Finding, FindingDelivery, DeliveryPorts } from "../delivery.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import { dearerTool, throughDependencies, wholeTrees } from "./dearer-tool.ts";
import { deliveredText, type DeliveredText } from "./delivered-text.ts";
import { afterCall, failedBefore } from "./failed-again.ts";
import { absolutePath } from "./file-command.ts";
import { leftOutTexts, answeredByAgent, withGiven, withLeftOut } from "./left-out.ts";
import {
  minLargeFile,
  linesInPrompt,
  linesRead,
  namedBefore,
  wholeAfterLines,
  wholeFile,
} from "./named-lines.ts";
import { aroundTexts, pointerTo, isSure, isUnchanged, minText, recordOf, sameTexts } from "./read-again.ts";
import { rulesOfWaste } from "./waste-rules.ts";
import {
  agentChain,
  chainOf,
  atCall,
  doubted,
  emptyWaste,
  wasteState,
  withNamed,
  withText,
  onlyLeftOut,
  withoutFailures,
  withoutFile,
  withoutTexts,
  type TextRecord,
  type WasteState,
} from "./waste-state.ts";

export interface WasteGuardPorts {
  readonly delivery: Pick<FindingDelivery, "deliver">;
  readonly modeOf: (folder: string | null, session: string) => GuardMode;
  readonly isExcepted: DeliveryPorts["isExcepted"];
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly memory: Pick<SessionMemory, "part">;
  readonly invocationsOf: (command: string, folder: string | null) => Promise<readonly Invocation[]>;
  /** Returns the earlier calls that certainly are in the context of a call; none if unknown. */
  readonly findCallsInContext: (
    program: HookCaller,
    ...wanted: Parameters<FindCallsInContext>
  ) => ReturnType<FindCallsInContext>;
  /** Returns a file's text; null if it cannot be read quickly. */
  readonly textOf: (file: string) => Promise<string | null>;
  /** Returns a file's size in bytes; null for none. */
  readonly sizeOf: (file: string) => Promise<number | null>;
  /** Returns the dependency folder in a folder, such as node_modules; null for none, or outside of git. */
  readonly dependenciesIn: (folder: string) => Promise<string | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const callNames = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
const otherNames = ["UserPromptSubmit", "SessionStart", "PreCompact", "PostCompact", "SubagentStop"] as const;
type CallEvent = EventNamed<(typeof callNames)[number]>;
type OtherEvent = EventNamed<(typeof otherNames)[number]>;

interface WasteHandlers {
  readonly calls: HookHandler<(typeof callNames)[number]>;
  /** Follows what leaves the context, and sends nothing. */
  readonly context: HookHandler<(typeof otherNames)[number]>;
}

/** Time limit for a call, which may have to search a transcript. Milliseconds. */
const callLimit = 400;
/** Maximum sessions at once. With more, some texts are doubted without need. */
const maxFollowed = 500;

/** Agents that report every change of their context except appended text. Gemini CLI and VS Code compress without a report. */
const followed: readonly HookCaller[] = ["claude-code", "codex", "copilot"];

/** Recognizes calls with a result that the agent already has, could get cheaper, or will not get. Replaces an unchanged read by a pointer. */
export function wasteHandlers(ports: WasteGuardPorts): WasteHandlers {
  const sessions = ports.memory.part("waste", { schema: wasteState, empty: emptyWaste });

  /** Sessions with a hook since the service started. */
  const followedNow = new Set<string>();
  /** While the service was down, no hook reported compactions or changes. */
  const meet = ({ session_id: session }: Pick<HookEvent, "session_id">): void => {
    if (followedNow.has(session)) return;
    if (followedNow.size >= maxFollowed) followedNow.clear();
    followedNow.add(session);
    const state = sessions.of(session);
    const left = withoutFailures(doubted(state, { isResumed: true }));
    if (left !== state) sessions.set(session, left);
  };

  const change = (
    { session_id: session }: Pick<HookEvent, "session_id">,
    how: (state: WasteState) => WasteState,
  ): void => {
    const before = sessions.of(session);
    const next = how(before);
    if (next !== before) sessions.set(session, next);
  };

  const isOff = (event: CallEvent | OtherEvent): boolean => {
    if (ports.modeOf(event.cwd ?? null, event.session_id) !== "off") return false;
    // Meanwhile texts may leave the context unnoticed.
    change(event, onlyLeftOut);
    return true;
  };

  const answer = (event: CallEvent, about: HookContext = defaultHookContext) => {
    if (isOff(event)) return isNamed(event, ["PostToolUse"]) ? leftOut.whileOff(event, about) : null;
    meet(event);
    return isNamed(event, ["PreToolUse"]) ? before(event, about) : after(event, about);
  };

  const follow = (event: OtherEvent): null => {
    if (isOff(event)) return null;
    meet(event);
    change(event, (state) => withDoubts(state, event));
    if (isNamed(event, ["UserPromptSubmit"]) && event.agent_id === undefined)
      change(event, (state) => withNamed(withoutFailures(state), linesNamedIn(event.prompt ?? "")));
    return null;
  };

  const commandOf = async (event: CallEvent) => {
    const call = toolCallOf(event);
    if (call.kind !== "command" || call.command === null || call.tool.toLowerCase() === "powershell")
      return [];
    return await ports.invocationsOf(call.command, event.cwd ?? null);
  };

  const before = async (event: EventNamed<"PreToolUse">, about: HookContext): Promise<HookAnswer | null> => {
    const chain = chainOf(event);
    const call = toolCallOf(event);
    const invocations = await commandOf(event);
    const now = ports.now();
    change(event, (state) => atCall(state, now));
    const state = sessions.of(event.session_id);
    const failed =
      call.kind === "command" && call.command !== null ? failedBefore(state, chain, call.command) : null;
    const found = [
      failed,
      dearerTool(event),
      await tooMuchOf(event, state, invocations),
      await treeIn(invocations),
    ];
    const findings = found.filter((each) => each !== null);
    return findings.length === 0 ? null : ports.delivery.deliver(event, findings, about);
  };

  const tooMuchOf = async (
    event: EventNamed<"PreToolUse">,
    state: WasteState,
    invocations: readonly Invocation[],
  ): Promise<Finding | null> => {
    const file = state.named.length === 0 ? null : wholeFile(event, invocations);
    const lines = file === null ? null : namedBefore(state, chainOf(event), file);
    if (file === null || lines === null) return null;
    const bytes = await ports.sizeOf(file);
    return bytes === null || bytes < minLargeFile ? null : wholeAfterLines(file, lines, bytes);
  };

  const treeIn = async (invocations: readonly Invocation[]): Promise<Finding | null> => {
    for (const tree of wholeTrees(invocations)) {
      const dependencies = await ports.dependenciesIn(tree.folder);
      if (dependencies !== null) return throughDependencies(tree, dependencies);
    }
    return null;
  };

  const after = async (
    event: EventNamed<"PostToolUse" | "PostToolUseFailure">,
    about: HookContext,
  ): Promise<HookAnswer | null> => {
    const chain = chainOf(event);
    const invocations = await commandOf(event);
    const now = ports.now();
    change(event, (state) => afterCall(atCall(state, now), event, { invocations, chain, now }));
    const call = toolCallOf(event);
    if (call.kind === "edit") {
      const file = call.file === null ? null : absolutePath(call.file, event.cwd ?? null);
      change(event, (state) => withoutFile(state, file));
      return null;
    }
    if (event.hook_event_name === "PostToolUseFailure" || !followed.includes(about.program)) return null;
    // A script, not a context, received the text.
    if (isNestedCall(event)) return null;
    const wanted = answeredByAgent(event);
    if (wanted !== null) return await leftOut.give(event, wanted, about);
    const delivered = deliveredText(event, invocations);
    if (delivered === null) return null;
    const answered = await deliver(event, delivered, about);
    if (answered === null)
      change(event, (state) => withGiven(state, { ...delivered, chain, call: event.tool_use_id }));
    return answered;
  };

  /** Replaces a text that is in the context, and records any other. */
  const deliver = async (
    event: EventNamed<"PostToolUse">,
    delivered: DeliveredText,
    about: HookContext,
  ): Promise<HookAnswer | null> => {
    const chain = chainOf(event);
    change(event, (state) => withNamed(state, linesRead(delivered, chain)));
    if (delivered.text.length < minText) return null;
    const shown = await textInContext(event, delivered, about);
    const state = sessions.of(event.session_id);
    // A compaction may have come while the file was read.
    if (shown === null || !state.texts.includes(shown)) {
      const tool = event.tool_name ?? "";
      change(event, (last) => withText(last, recordOf(delivered, { chain, tool, call: event.tool_use_id })));
      return null;
    }
    if (shown.named === "insisted") return null;
    const wasSent = shown.named === "once";
    const named = { ...shown, chain, isDoubtful: false, named: wasSent ? "insisted" : "once" } as const;
    change(event, (last) => ({
      ...last,
      texts: last.texts.map((each) => (each === shown ? named : each)),
    }));
    return wasSent ? null : pointed(event, delivered, shown, about);
  };

  const textInContext = async (
    event: EventNamed<"PostToolUse">,
    delivered: DeliveredText,
    { program }: HookContext,
  ): Promise<TextRecord | null> => {
    const chain = chainOf(event);
    const { texts } = sessions.of(event.session_id);
    const isCertain = (each: TextRecord) => isSure(each, chain);
    const same = sameTexts(texts, chain, delivered);
    const sure = same.find(isCertain);
    if (sure !== undefined) return sure;
    const around = aroundTexts(texts, chain, delivered);
    const now = around.length === 0 ? null : await ports.textOf(delivered.file);
    const unchanged = now === null ? [] : around.filter((each) => isUnchanged(each, delivered, now));
    const certain = unchanged.find(isCertain);
    if (certain !== undefined) return certain;
    return await stillInContext(event, [...same, ...unchanged], program);
  };

  /** Returns the first of some texts that the transcript still has in the context. */
  const stillInContext = async <T extends Pick<TextRecord, "call">>(
    { transcript_path: transcript, tool_use_id: present, agent_id: agent }: EventNamed<"PostToolUse">,
    texts: readonly T[],
    program: HookCaller,
  ): Promise<T | null> => {
    if (texts.length === 0 || transcript === undefined || present === undefined || agent !== undefined)
      return null;
    const earlier = texts.flatMap(({ call }) => call ?? []);
    const shown = await ports.findCallsInContext(program, transcript, { present, earlier });
    return texts.find(({ call }) => call !== null && shown.has(call)) ?? null;
  };

  const pointed = (
    event: EventNamed<"PostToolUse">,
    delivered: DeliveredText,
    shown: TextRecord,
    { program }: HookContext,
  ): HookAnswer | null => {
    const { id: rule, family } = rulesOfWaste.unchangedRead;
    const text = pointerTo(delivered, shown);
    if (ports.isExcepted(rule, delivered.file, event.cwd ?? null)) return null;
    const savedBytes = Buffer.byteLength(delivered.text) - Buffer.byteLength(text);
    if (savedBytes <= 0) return null;
    const isOn =
      ports.modeOf(event.cwd ?? null, event.session_id) === "on" && mayReplace("output", event, program);
    const done = isOn ? "advised" : "observed";
    const hit = {
      rule,
      family,
      action: "advise",
      done,
      excerpt: delivered.file,
      program,
      savedBytes,
    } as const;
    ports.record([hitEntry(event, { ...hit, at: ports.now() })]);
    if (!isOn) return null;
    change(event, (state) => withLeftOut(state, chainOf(event), delivered));
    return { rule, output: delivered.replacedBy(text) };
  };

  const leftOut = leftOutTexts({ sessions, change, textOf: ports.textOf, stillInContext });

  return {
    calls: { name: "waste", events: callNames, budget: callLimit, answer },
    context: {
      name: "waste-context",
      events: otherNames,
      budget: 10,
      hearsNotifications: true,
      answer: follow,
    },
  };
}

/** Returns the lines of files in a person's prompt. */
function linesNamedIn(prompt: string): ReturnType<typeof linesInPrompt> {
  return isTaskNotification(prompt) ? [] : linesInPrompt(prompt);
}

/** Removes the texts that an event removes from contexts, and doubts those that the user may have rewound. */
function withDoubts(state: WasteState, event: OtherEvent): WasteState {
  const agent = agentChain(event.agent_id);
  if (isNamed(event, ["SubagentStop"])) return withoutTexts(state, agent);
  const isResumed = isNamed(event, ["SessionStart"]) && event.source === "resume";
  const isPrompt = isNamed(event, ["UserPromptSubmit"]);
  if (isPrompt && event.agent_id !== undefined) return withoutTexts(state, agent);
  return isPrompt || isResumed ? doubted(state, { isResumed }) : withoutTexts(state);
}
