import * as z from "zod";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { HookEventName } from "../../../../src/engine/hooks/event/event.ts";

/**
 * Answers that each agent accepts at each event, as observed in its real program or documented. Strict: an
 * unknown member makes Codex drop the whole answer. At other events the answer is empty.
 */
type Schemas = Readonly<Partial<Record<HookEventName, z.ZodType>>>;

const text = z.string().min(1);
const context = (event: string) =>
  z.strictObject({ hookEventName: z.literal(event), additionalContext: text.max(9500) }).optional();
const codexUsual = { systemMessage: text.optional() };
const codexBlock = { decision: z.literal("block").optional(), reason: text.optional() };
const codexStop = { continue: z.literal(false).optional(), stopReason: text.optional() };

const codex: Schemas = {
  SessionStart: z.strictObject({
    ...codexUsual,
    ...codexStop,
    hookSpecificOutput: context("SessionStart"),
  }),
  UserPromptSubmit: z.strictObject({
    ...codexUsual,
    ...codexStop,
    ...codexBlock,
    hookSpecificOutput: context("UserPromptSubmit"),
  }),
  PreToolUse: z.strictObject({ ...codexUsual, ...codexBlock, hookSpecificOutput: context("PreToolUse") }),
  PostToolUse: z.strictObject({ ...codexUsual, ...codexBlock, hookSpecificOutput: context("PostToolUse") }),
  SubagentStart: z.strictObject({ hookSpecificOutput: context("SubagentStart") }),
  Stop: z.strictObject({ ...codexUsual, ...codexBlock }),
  SubagentStop: z.strictObject(codexBlock),
};

const flatContext = { additionalContext: text.max(10_240).optional() };
const copilotBlock = { decision: z.literal("block").optional(), reason: text.optional() };

const copilot: Schemas = {
  SessionStart: z.strictObject(flatContext),
  UserPromptSubmit: z.strictObject({ ...flatContext, ...copilotBlock }),
  PreToolUse: z.strictObject({
    ...flatContext,
    permissionDecision: z.literal("deny").optional(),
    permissionDecisionReason: text.optional(),
  }),
  PostToolUse: z.strictObject({ ...flatContext, ...copilotBlock }),
  PostToolUseFailure: z.strictObject(flatContext),
  SubagentStart: z.strictObject(flatContext),
  Stop: z.strictObject(copilotBlock),
};

const geminiUsual = { systemMessage: text.optional() };
const geminiDeny = { decision: z.literal("deny").optional(), reason: text.optional() };
const geminiStop = { continue: z.literal(false).optional(), stopReason: text.optional() };
const geminiContext = (event: string) => ({
  hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), additionalContext: text }).optional(),
});

const gemini: Schemas = {
  SessionStart: z.strictObject({ ...geminiUsual, ...geminiContext("SessionStart") }),
  UserPromptSubmit: z.strictObject({ ...geminiUsual, ...geminiDeny, ...geminiContext("BeforeAgent") }),
  PreToolUse: z.strictObject({ ...geminiUsual, ...geminiDeny, ...geminiStop }),
  PostToolUse: z.strictObject({
    ...geminiUsual,
    ...geminiDeny,
    ...geminiStop,
    ...geminiContext("AfterTool"),
  }),
  Stop: z.strictObject({ ...geminiUsual, ...geminiDeny }),
};

const editorUsual = { systemMessage: text.optional() };
const editorStop = { continue: z.literal(false).optional(), stopReason: text.optional() };
const editorBlock = { decision: z.literal("block").optional(), reason: text.optional() };
const editorSpecific = (event: string, members: z.core.$ZodLooseShape) => ({
  hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), ...members }).optional(),
});
const editorContext = { additionalContext: text.optional() };

const vscode: Schemas = {
  SessionStart: z.strictObject({
    ...editorUsual,
    ...editorStop,
    ...editorSpecific("SessionStart", editorContext),
  }),
  UserPromptSubmit: z.strictObject({ ...editorUsual, ...editorStop }),
  PreToolUse: z.strictObject({
    ...editorUsual,
    ...editorStop,
    ...editorSpecific("PreToolUse", {
      ...editorContext,
      permissionDecision: z.enum(["allow", "ask", "deny"]).optional(),
      permissionDecisionReason: text.optional(),
    }),
  }),
  PostToolUse: z.strictObject({
    ...editorUsual,
    ...editorStop,
    ...editorBlock,
    ...editorSpecific("PostToolUse", editorContext),
  }),
  SubagentStart: z.strictObject({ ...editorUsual, ...editorSpecific("SubagentStart", editorContext) }),
  SubagentStop: z.strictObject(editorSpecific("SubagentStop", editorBlock)),
  Stop: z.strictObject({ ...editorUsual, ...editorSpecific("Stop", editorBlock) }),
};

/** Any event of Claude Code may end its work or show its user something. */
const claudeUsual = {
  continue: z.literal(false).optional(),
  stopReason: text.optional(),
  systemMessage: text.optional(),
  decision: z.literal("block").optional(),
  reason: text.optional(),
};
const claude = z.strictObject({
  ...claudeUsual,
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.string(),
      additionalContext: text.max(10_000).optional(),
      permissionDecision: z.enum(["allow", "ask", "deny"]).optional(),
      permissionDecisionReason: z.string().optional(),
      decision: z
        .strictObject({ behavior: z.enum(["allow", "deny"]), message: z.string().optional() })
        .optional(),
    })
    .optional(),
});

const schemas: Readonly<Record<Exclude<HookCaller, "claude-code">, Schemas>> = {
  codex,
  copilot,
  gemini,
  vscode,
};

/** Returns undefined where a program takes no answer at all. */
export function answerSchema(caller: HookCaller, event: HookEventName): z.ZodType | undefined {
  return caller === "claude-code" ? claude : schemas[caller][event];
}
