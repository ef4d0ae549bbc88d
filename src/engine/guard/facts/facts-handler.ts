import { inTime } from "../../base/timing.ts";
import {
  shellFolder,
  type HookAnswer,
  type EventNamed,
  toolCallOf,
  type ToolCall,
} from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { FindingDelivery } from "../delivery.ts";
import type { FactPorts } from "./checks/check.ts";
import type { callClaims, findMissing } from "./look-up.ts";

/** Programs with words that are looked up. */
const programs =
  /(?:^|[\s;&|(/])(?:cat|tac|nl|head|tail|wc|less|more|stat|file|sort|(?:md5|sha1|sha256|sha512)sum|diff|cmp|sed|g?awk|[ef]?grep|rg|jq|ls|du|df|tree|cp|mv|rm|chmod|cd|pushd|source|\.|python3?|node|bash|sh|zsh|npm|pnpm|yarn|bun|g?make|just|task|git|cargo|curl|ln|mkdir|rsync|tar|tee|touch|tr|uniq|cut|wget|vitest|jest|pytest|py\.test|go)[\s"']|</u;

/** Quickly tests whether a call may name something that is looked up. */
export function mayClaim(call: ToolCall): boolean {
  if (call.kind === "command") return call.command !== null && programs.test(call.command);
  if (call.kind === "read") return call.file !== null;
  return call.kind === "edit" && (call.file !== null || call.text !== null);
}

interface Code {
  readonly callClaims: typeof callClaims;
  readonly findMissing: typeof findMissing;
}

export interface FactHandlerPorts {
  readonly delivery: Pick<FindingDelivery, "isWatching" | "deliver">;
  /** Loads the code that looks things up. */
  readonly load: () => Promise<Code>;
  readonly contextOf: (folder: string | null) => ShellContext;
  readonly facts: FactPorts;
  /** Time limit of all look-ups. Nothing is reported after it. Milliseconds. */
  readonly lookTime?: number;
}

/** Time limit of all look-ups, and the larger one of the hook. Milliseconds. */
const [defaultTime, budget] = [120, 150];

/** Reports, before a call, that something it names does not exist, and the nearest that does. */
export function factHandler({
  delivery,
  load,
  contextOf,
  facts,
  lookTime = defaultTime,
}: FactHandlerPorts): HookHandler<"PreToolUse"> {
  let code: Code | undefined;

  const answer = (
    event: EventNamed<"PreToolUse">,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    if (!delivery.isWatching("facts", event.cwd ?? null)) return null;
    const call = toolCallOf(event);
    // PowerShell has other names for other programs.
    if (call.tool.toLowerCase() === "powershell" || !mayClaim(call)) return null;
    const folder = call.kind === "command" ? shellFolder(about.program, event) : (event.cwd ?? null);
    const claimsBy = (loaded: Code) =>
      loaded.callClaims(call, event.tool_input, { ...contextOf(event.cwd ?? null), folder });
    const claims = code === undefined ? null : claimsBy(code);
    if (claims?.length === 0) return null;
    const find = async () => {
      code ??= await load();
      return await code.findMissing(claims ?? claimsBy(code), facts);
    };
    const finding = find();
    return inTime(finding, lookTime).then(async (isInTime) => {
      const found = isInTime ? await finding : [];
      return found.length === 0 ? null : delivery.deliver(event, found, about);
    });
  };

  return { name: "facts", events: ["PreToolUse"], budget, answer };
}
